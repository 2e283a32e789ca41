// Real commands under real bubblewrap: what the wall lets through, and what it does not.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CommandRequest } from "../../src/contracts/workspace.js";
import { createBashTool } from "../../src/tools/shell/bash.js";
import type { SandboxPolicy } from "../../src/workspace/shell/command-sandbox.js";
import { sandboxedShell } from "../../src/workspace/shell/sandboxed-shell.js";
import { callTool } from "../tools/call-tool.js";
import { processesWith } from "../workspace/shell/open-shell.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";

async function openSandbox(policy?: SandboxPolicy, options = {}) {
  const mark = `mark-${Math.random()}`;
  const opened = await temporaryWorkspace({ shell: sandboxedShell(policy), env: { TEST_MARK: mark }, ...options });

  async function run(command: string, request: Partial<CommandRequest> = {}) {
    const chunks: Uint8Array[] = [];
    const onOutput = (chunk: Uint8Array) => chunks.push(chunk);
    const outcome = await opened.workspace.shell.run({ command, onOutput, ...request });
    return { ...outcome, output: Buffer.concat(chunks).toString() };
  }
  return { ...opened, run, survivors: () => processesWith(mark) };
}

async function localServer() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end("reached");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { requests, port: (server.address() as AddressInfo).port };
}

test("work inside the workspace succeeds", async () => {
  const { root, run } = await openSandbox();

  const outcome = await run("mkdir -p a/b; echo one > a/b/c; cd a; cat b/c; echo two > /dev/stderr; exit 3");

  expect(outcome).toMatchObject({ output: "one\ntwo\n", exitCode: 3, signal: null, cwd: `${root}/a` });
  expect(await readFile(`${root}/a/b/c`, "utf8")).toBe("one\n");
});

test("a write outside is refused, by every way out", async () => {
  const { root, outside, run } = await openSandbox();
  await writeFile(`${outside}/file`, "as it was");
  const ways = [
    `echo x > ${outside}/new`,
    `echo x > ${outside}/file`,
    `ln -s ${outside}/file link; echo x > link`,
    `ln ${outside}/file hard && echo x > hard`,
    `rm ${outside}/file`,
    `mv ${outside}/file ${outside}/moved`,
    `touch ~/loopwright-was-here`,
    `touch ${tmpdir()}/loopwright-was-here`,
    `mkdir -p /tmp/claude && touch /tmp/claude/loopwright-was-here`,
    `touch ~/.npm/_logs/loopwright-was-here`,
    `chmod 777 ${outside}`,
    `mount -o remount,rw / && echo x > ${outside}/new`,
  ];

  for (const way of ways) expect([way, (await run(way)).exitCode]).not.toEqual([way, 0]);

  expect(await readdir(outside)).toEqual(["file"]);
  expect(await readFile(`${outside}/file`, "utf8")).toBe("as it was");
  expect((await readdir(root)).sort()).toEqual(["link"]);
  for (const directory of [homedir(), tmpdir()]) expect(existsSync(join(directory, "loopwright-was-here"))).toBe(false);
});

test("a connection is refused, by name and by address, and names are not looked up", async () => {
  const { requests, port } = await localServer();
  const { run } = await openSandbox();

  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    expect((await run(`exec 3<>/dev/tcp/${host.replace(/[[\]]/g, "")}/${port}; echo >&3`)).exitCode).not.toBe(0);
    expect(
      (
        await run(`"$NODE" -e 'fetch("http://${host}:${port}/").then(() => process.exit(0), () => process.exit(7))'`, {
          env: { NODE: process.execPath },
        })
      ).exitCode,
    ).toBe(7);
  }

  expect(requests).toEqual([]);
});

test("hosts of the policy are reached, others are not, and one process has one list", async () => {
  const { requests, port } = await localServer();
  const { run, workspace } = await openSandbox({ allowedHosts: ["127.0.0.1"] });
  const get = (host: string) =>
    run(`curl -sS --noproxy "" -m 5 -o - -w "%{http_code}" http://${host}:${port}/from-inside`);

  expect((await get("127.0.0.1")).output).toBe("reached200");
  expect((await get("localhost")).output).not.toContain("reached");
  expect(requests).toEqual(["/from-inside"]);
  const other = await openSandbox();
  await expect(other.run("true")).rejects.toMatchObject({ code: "OPTION_INVALID" });

  await workspace.close();

  expect((await other.run("true")).exitCode).toBe(0);
});

test("keys of the home directory, protected and unreadable paths cannot be read", async () => {
  const { root, run } = await openSandbox({ unreadable: ["hidden"] }, { protectedPaths: ["secrets"] });
  await mkdir(`${root}/secrets`);
  await mkdir(`${root}/hidden`);
  await writeFile(`${root}/secrets/key`, "the key");
  await writeFile(`${root}/hidden/key`, "the key");

  const { output } = await run("cat secrets/key hidden/key; ls -A ~/.ssh");

  expect(output).not.toContain("the key");
  expect(output).not.toMatch(/id_|known_hosts/);
});

test("git works, but its hooks and configuration are not written", async () => {
  const { root, run } = await openSandbox();
  await run("git init -q . && git config user.email a@b.c && git config user.name A");

  const outcome = await run(
    "git add -A; git commit -qm one --allow-empty; git log --oneline | wc -l; echo x > .git/hooks/pre-commit; git config core.pager evil",
  );

  expect(outcome.output).toMatch(/^1\n/);
  expect(existsSync(`${root}/.git/hooks/pre-commit`)).toBe(false);
  expect(await readFile(`${root}/.git/config`, "utf8")).not.toContain("evil");
});

test("TMPDIR is the sandbox's own, lasts from command to command and goes with the workspace", async () => {
  const { run, workspace } = await openSandbox();
  const own = (await run("echo x > $TMPDIR/kept; mkdir -m 500 $TMPDIR/shut; printf $TMPDIR")).output;

  expect((await run("cat $TMPDIR/kept; mktemp -u")).output).toContain(`x\n${own}/`);
  await workspace.close();

  expect(existsSync(own)).toBe(false);
});

test.each([
  ["kill -9 $$", { exitCode: null, signal: "SIGKILL", cwd: null }],
  ["exec sh -c 'exit 6'", { exitCode: 6, signal: null, cwd: null }],
  ["set -e; false; echo no", { exitCode: 1, output: "" }],
  ["trap 'echo bye' EXIT; exit 7", { exitCode: 7, output: "bye\n" }],
  ["cat; echo $?", { exitCode: 0, output: "0\n" }],
  ["nonsense", { exitCode: 127, output: "bash: line 1: nonsense: command not found\n" }],
])("it is the same shell: %s", async (command, expected) => {
  const { run } = await openSandbox();

  expect(await run(command)).toMatchObject(expected);
});

test("a command of half a megabyte runs", async () => {
  const { run } = await openSandbox();

  expect(await run(`: ${"it's x".repeat(80_000)}; echo long`)).toMatchObject({ output: "long\n", exitCode: 0 });
});

test.each([
  ["background jobs", "sleep 60 & setsid sleep 60 & (setsid env -i sleep 60 &)", {}],
  ["a command that ignores TERM", "trap '' TERM; sleep 60 & while :; do sleep 1; done", { timeoutMs: 500 }],
  ["endless output", "yes & cat /dev/zero", { timeoutMs: 500 }],
])("nothing survives: %s", async (_, command, request) => {
  const { run, survivors } = await openSandbox();

  const { durationMs } = await run(command, request);

  expect(durationMs).toBeLessThan(6_000);
  expect(survivors()).toEqual([]);
});

test("a timeout sends TERM to the command, so that it can clean up", async () => {
  const { run } = await openSandbox();

  // The group and what leads it are both told, so a slow command may hear it twice.
  const cleanUp = `trap 'trap "" TERM; echo cleaned; exit' TERM`;
  const outcome = await run(`${cleanUp}; echo up; sleep 60 & wait`, { timeoutMs: 1_500 });

  expect(outcome).toMatchObject({ output: "up\ncleaned\n", timedOut: true });
});

test("an abort at any moment leaves no process and no file", async () => {
  const { root, run, survivors } = await openSandbox();
  await run("true");

  const runs = Array.from({ length: process.env.PROVE ? 100 : 10 }, (_, i) =>
    run("sleep 60 & sleep 60", { signal: AbortSignal.timeout(i * 30) }).catch((error) => error.name),
  );

  expect(new Set(await Promise.all(runs))).toEqual(new Set(["TimeoutError"]));
  expect(survivors()).toEqual([]);
  expect(await readdir(root)).toEqual([]);
});

test("it sees no other process, and not the host's environment", async () => {
  process.env.SECRET_KEY = "leaked";
  onTestFinished(() => void delete process.env.SECRET_KEY);
  const { run } = await openSandbox();

  const { output } = await run(
    `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; kill -0 ${process.pid} && echo VISI''BLE`,
  );

  expect(output).not.toContain("leaked");
  expect(output).not.toMatch(/vitest|VISIBLE/);
});

test("the tool bash works on it, in the background, too", async () => {
  const { root, workspace, survivors } = await openSandbox();
  const bash = createBashTool(workspace);

  await callTool(bash, { command: "touch started; sleep 60", run_in_background: true });
  await expect.poll(() => existsSync(`${root}/started`)).toBe(true);
  const { text } = await callTool(bash, { command: "mkdir sub; cd sub; touch /etc/x; cd -" });
  await bash.endSession!();

  expect(text).toBe(`touch: cannot touch '/etc/x': Read-only file system\n${root}\n`);
  expect(survivors()).toEqual([]);
});

test("a policy that is not one is refused at once", () => {
  for (const policy of [{ allowedHosts: "example.com" }, { writable: [7] }, { hosts: [] }]) {
    expect(() => sandboxedShell(policy as never)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});

test("a machine without bubblewrap runs nothing, and says what is missing", async () => {
  const { root, run } = await openSandbox();
  const path = process.env.PATH;
  process.env.PATH = "/nowhere";
  onTestFinished(() => {
    process.env.PATH = path;
  });

  const running = run("touch ran");
  await expect(running).rejects.toMatchObject({ code: "COMMAND_FAILED" });

  expect(existsSync(`${root}/ran`)).toBe(false);
});
