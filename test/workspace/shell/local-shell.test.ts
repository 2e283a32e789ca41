import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundled } from "../../bundled.js";
import { openShell, processesWith } from "./open-shell.js";
import { shellSuite } from "./shell-suite.js";

shellSuite(openShell);

test("no temporary file, listener or descriptor is left", async () => {
  const { root, run } = await openShell();
  // A temporary directory nobody else uses.
  vi.stubEnv("TMPDIR", root);
  onTestFinished(() => void vi.unstubAllEnvs());
  const count = () => ({
    directories: readdirSync(tmpdir()).filter((name) => name.startsWith("loopwright-shell-")).length,
    listeners: process.listenerCount("exit"),
    descriptors: readdirSync("/proc/self/fd").length,
  });
  await run("true");
  const before = count();

  await run("sleep 60 & echo x");
  await run("sleep 60", { timeoutMs: 20 });
  await run("true", { cwd: "/missing" }).catch(() => {});

  const { descriptors, ...others } = count();
  expect(others).toEqual({ directories: before.directories, listeners: before.listeners });
  // An earlier test of this process may have left one that is closed late.
  expect(descriptors).toBeLessThanOrEqual(before.descriptors);
});

test("what keeps the shell from starting is named", async () => {
  const { root, run } = await openShell();
  const noBash = await openShell({ env: { PATH: root } });

  await expect(run("true", { cwd: join(root, "gone") })).rejects.toMatchObject({
    code: "COMMAND_FAILED",
    message: `The shell could not be started: the directory "${root}/gone" does not exist. Start in one that does.`,
  });
  await expect(run("true", { env: { HUGE: "x".repeat(200_000) } })).rejects.toMatchObject({
    code: "COMMAND_FAILED",
    message: expect.stringContaining("environment is too large"),
  });
  await expect(run("a\0b")).rejects.toMatchObject({ code: "COMMAND_FAILED" });
  await expect(noBash.run("true")).rejects.toMatchObject({
    code: "COMMAND_FAILED",
    message: expect.stringContaining('no "bash"'),
  });
});

test("a directory that is not allowed is refused", async () => {
  const { run } = await openShell({ allowCwd: async (cwd) => cwd !== "/" });

  await expect(run("pwd", { cwd: "/" })).rejects.toMatchObject({ code: "COMMAND_FAILED" });
});

test("running commands are killed when the host process exits", async () => {
  const { root } = await openShell();
  const module = await bundled(new URL("../../../src/workspace/shell/local-shell.ts", import.meta.url));
  const mark = `mark-${Math.random()}`;
  const program = `
    import { createLocalShell } from ${JSON.stringify(module)};
    const shell = createLocalShell({ root: "/", env: { TEST_MARK: ${JSON.stringify(mark)} } });
    shell.run({ command: "setsid sleep 60 & echo up; sleep 60", onOutput: () => process.exit(0) });
  `;
  const host: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, TMPDIR: root },
  });

  await once(host, "exit");

  await expect.poll(() => processesWith(mark)).toEqual([]);
  // The guard removes the directory a moment after the last process has ended.
  const directories = () => readdirSync(root).filter((name) => name.startsWith("loopwright-shell-"));
  await expect.poll(directories).toEqual([]);
});
