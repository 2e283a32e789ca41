import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { localMachine, type Machine } from "loopwright/workspace";
import { expect, test } from "vitest";
import { quotedForShell } from "../../../src/text/quoted-for-shell.js";
import { BOOT } from "../../../src/workspace/machines/helper-script.js";
import { Lane } from "../../../src/workspace/machines/lane.js";
import { runs } from "../../runs.js";
import { openMachine, sharedDirectory } from "./open-machine.js";

const anyText = fc
  .string({ unit: "binary", maxLength: 40 })
  .filter((text) => !text.includes("\0") && text.isWellFormed());

test.each(["sh", "bash"])("any text is one word of %s", (shell) => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 50 }), (texts) => {
      const script = `printf '%s\\0' ${texts.map(quotedForShell).join(" ")}`;
      expect(execFileSync(shell, ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(texts);
    }),
    { numRuns: runs(20, 50, 500) },
  );
});

test("any name that a file can have is written, listed and read on a machine", async () => {
  const { files } = await openMachine(localMachine(), { root: await sharedDirectory() });
  const name = anyText.filter((text) => !/^(?:\.*|~.*)$|\/|^file:/is.test(text) && Buffer.byteLength(text) < 200);
  await fc.assert(
    fc.asyncProperty(name, async (each) => {
      await files.write(`d/${each}`, Buffer.from(each));
      expect((await files.list("d")).map((entry) => entry.name)).toEqual([each]);
      expect(Buffer.from(await files.read(`d/${each}`)).toString()).toBe(each);
      await files.remove!(`d/${each}`);
    }),
    { numRuns: runs(30, 60, 500) },
  );
});

test.each(["sh", "bash"])("in %s a script whose second word never comes is not run", async (shell) => {
  const cwd = await sharedDirectory();
  const run = (input: string) => execFileSync(shell, ["-c", BOOT], { cwd, input, stdio: ["pipe", "pipe", "ignore"] });

  expect(run("word\ntouch whole\nword\n").toString()).toBe("\u0001word 0\n");
  for (const cut of ["word\ntouch cut\n", "word\ntouch cut", "word\ntouch cut\nwor"]) run(cut);

  expect(existsSync(join(cwd, "whole"))).toBe(true);
  expect(existsSync(join(cwd, "cut"))).toBe(false);
});

test("a command that is aborted before its shell has come is not sent, and its caller waits for no answer", async () => {
  const local = localMachine();
  let isSlow = false;
  const slow: Machine = {
    name: "slow",
    async start(argv) {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 300));
      return local.start(argv);
    },
  };
  const root = await sharedDirectory();
  const { shell } = await openMachine(slow, { root, spares: 0 });
  isSlow = true;
  const startedAt = performance.now();

  const running = shell.run({ command: "touch ran; sleep 600", signal: AbortSignal.timeout(50) });

  await expect(running).rejects.toMatchObject({ name: "TimeoutError" });
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect(existsSync(join(root, "ran"))).toBe(false);
});

test("a machine that starts nothing any more holds up neither an aborted command nor close", async () => {
  const local = localMachine();
  let isDead = false;
  const dying: Machine = {
    name: "dying",
    start: (argv) => (isDead ? new Promise(() => {}) : local.start(argv)),
  };
  const { shell, close } = await openMachine(dying, { root: await sharedDirectory(), spares: 0 });
  isDead = true;

  const aborted = shell.run({ command: "true", signal: AbortSignal.timeout(50) });
  await expect(aborted).rejects.toMatchObject({ name: "TimeoutError" });

  const open = shell.run({ command: "true" });
  open.catch(() => {});
  await close();
  await expect(open).rejects.toMatchObject({ code: "COMMAND_FAILED" });
});

test("a program that a machine starts too late is ended, and one that it cannot start says why", async () => {
  let say: (word: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    say = resolve;
  });
  const slow: Machine = {
    name: "slow",
    async start(argv) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const program = await localMachine().start(argv);
      const kill = () => {
        program.kill();
        say("ended");
      };
      return { ...program, kill };
    },
  };
  const broken: Machine = {
    name: "broken",
    start() {
      throw new Error("no such account");
    },
  };

  await expect(Lane.start(slow, 10)).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: 'The machine "slow" did not start a program within 0.01 s. See that it runs and can be reached.',
  });
  expect(await ended).toBe("ended");
  await expect(openMachine(broken, { root: "/" })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: 'The machine "broken" could not start a program: no such account. See that it runs and can be reached.',
  });
});

test("a pipe is no file of a machine either, and is not replaced, removed or read", async () => {
  const root = await sharedDirectory();
  execFileSync("mkfifo", [join(root, "pipe")]);
  const { files } = await openMachine(localMachine(), { root });
  const uses = [
    () => files.write("pipe", new Uint8Array(2)),
    () => files.remove!("pipe"),
    () => files.read("pipe"),
    () => files.stat("pipe"),
  ];

  for (const use of uses) await expect(use()).rejects.toMatchObject({ code: "PATH_INVALID" });
  expect(execFileSync("stat", ["-c", "%F", join(root, "pipe")], { encoding: "utf8" })).toBe("fifo\n");
});
