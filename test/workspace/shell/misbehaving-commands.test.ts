// What programs do to a shell that waits for them. Each ends in time, with the right outcome, and nothing is left.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bundled } from "../../bundled.js";
import { runs } from "../../runs.js";
import { openShell, processesWith } from "./open-shell.js";

/** The module of the shell, for processes of their own. */
let localShell: string;
beforeAll(async () => {
  localShell = await bundled(new URL("../../../src/workspace/shell/local-shell.ts", import.meta.url));
});

test.each([
  ["setsid without any environment", "setsid env -i sleep 60 >/dev/null 2>&1 &"],
  [
    "a daemon: no environment, no descriptors, a new parent",
    "(setsid env -i sh -c 'exec >&- 2>&- <&-; sleep 60 & exit' &)",
  ],
  ["nohup and disown", "nohup sleep 60 >/dev/null 2>&1 & disown"],
  ["a stopped child", "sleep 60 & kill -STOP $!"],
  ["a stopped child in another session", "setsid bash -c 'kill -STOP $$; sleep 60' & sleep 0.05"],
  ["children that ignore every signal", "for i in 1 2 3; do (trap '' TERM HUP INT QUIT PIPE; sleep 60) & done"],
  ["a tree in many sessions", "for i in {1..20}; do setsid bash -c 'sleep 60 & sleep 60' & done; sleep 0.05"],
  ["one that starts the next again and again", 'r() { sleep 0.02; setsid bash -c "$(declare -f r); r" & }; r'],
  ["output from everybody", "for i in 1 2 3 4; do (setsid yes &) ; done; sleep 0.05"],
  ["a terminal of its own", "command -v script >/dev/null && script -qc 'sleep 60' /dev/null & sleep 0.1"],
  ["another command's shell, exec'd", "exec -a innocent bash -c 'setsid sleep 60 & exec sleep 0.05'"],
])("nothing survives: %s", async (_, command) => {
  const { run, survivors } = await openShell();

  await run(command);

  expect(survivors()).toEqual([]);
});

test("what clears its environment, leaves its group and its parent is ended all the same", async () => {
  const { root, run } = await openShell();

  // Nobody finds it by the mark of this test, so it tells its process id.
  await run(
    "(setsid env -i sh -c 'echo $$ > pid; exec sleep 60' >/dev/null 2>&1 &); while ! [ -s pid ]; do sleep 0.01; done",
  );

  const id = (await readFile(join(root, "pid"), "utf8")).trim();
  const isGone = !existsSync(`/proc/${id}`) || /\) [ZX] /.test(await readFile(`/proc/${id}/stat`, "latin1"));
  expect(isGone).toBe(true);
});

test.each([
  ["reading the closed input", "cat; read -t 5 x; echo $?", "1\n", 0],
  [
    "asking on the terminal",
    "read -t 5 x < /dev/tty || echo none",
    "bash: line 1: /dev/tty: No such device or address\nnone\n",
    0,
  ],
  ["changing the terminal", "stty -echo 2>/dev/null || echo none", "none\n", 0],
  ["closing its output", "echo a; exec >&- 2>&-; echo b; exit 4", "a\n", 4],
  ["a here-document", "cat <<'E'\n$x `y`\nE", "$x `y`\n", 0],
  ["an unfinished here-document", "cat <<E\nopen", "open", 0],
  ["a changed umask", "umask 777; echo x > f; cd .", "", 0],
  ["a trap for everything", "trap 'echo t' EXIT TERM INT DEBUG ERR; true", "t\nt\n", 0],
  [
    "an alias and a function of a builtin's name",
    "cd() { echo no; }; exit() { builtin exit 9; }; cd x; exit",
    "no\n",
    9,
  ],
  ["restricted limits", "ulimit -n 5; ulimit -f 0; echo x", "x\n", 0],
  ["no more processes", "ulimit -u 1 2>/dev/null; echo x", "x\n", 0],
  ["a failing substitution", "x=$(exit 7); exit $?", "", 7],
  ["a descriptor it never opened", "echo x >&9", "bash: line 1: 9: Bad file descriptor\n", 1],
])("%s", async (_, command, output, exitCode) => {
  const { run, survivors } = await openShell();

  expect(await run(command, { timeoutMs: 50_000 })).toMatchObject({
    output: expect.stringContaining(output),
    exitCode,
  });
  expect(survivors()).toEqual([]);
});

test("a command of a megabyte runs, whatever it says", async () => {
  const { run } = await openShell();
  const text = `it's "$x" \\ é😀\n`.repeat(50_000);

  const { output, exitCode } = await run(`cat <<'END'\n${text}END\nexit 3`);

  expect(exitCode).toBe(3);
  expect(output).toBe(text);
});

test("half a megabyte of environment reaches the command", async () => {
  const { run } = await openShell();
  const env = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`LARGE_${i}`, "x".repeat(64 * 1024)]));

  expect(await run("printf %s $LARGE_7 | wc -c", { env })).toMatchObject({ output: "65536\n" });
});

test("a directory that goes away under a running command does no harm", async () => {
  const { root, run } = await openShell();
  await mkdir(join(root, "sub"));

  const outcome = await run("rm -r ../sub; mkdir x; pwd; exit 2", { cwd: join(root, "sub") });

  expect(outcome).toMatchObject({ exitCode: 2, cwd: join(root, "sub") });
});

test.each([
  ["a link to a secret", (record: string) => `ln -sf /etc/passwd ${record}`],
  ["a pipe nobody writes to", (record: string) => `rm -f ${record}; mkfifo ${record}`],
  ["a directory", (record: string) => `rm -f ${record}; mkdir ${record}`],
  ["endless text", (record: string) => `yes /x | head -c 1M | tr -d '\\n' > ${record}`],
])("the record of where the shell stands may be replaced by %s", async (_, replace) => {
  const { run } = await openShell();
  const record = '$(trap -p EXIT | grep -o "/[^\']*/cwd" | head -1)';

  // The shell is killed before it could write the record itself.
  const outcome = await run(`f=${record}; [ -n "$f" ] && ${replace('"$f"')}; trap - EXIT; builtin trap - EXIT; exit 0`);

  expect(outcome.exitCode).toBe(0);
  expect(outcome.cwd ?? "/x").toMatch(/^\/x/);
});

test("many lines at once, and a slow reader, lose nothing", async () => {
  const { shell } = await openShell();
  let text = "";

  await shell.run({
    command: "for i in {1..60000}; do echo $i; done",
    async onOutput(chunk) {
      text += Buffer.from(chunk).toString();
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
  });

  expect(text).toBe(Array.from({ length: 60_000 }, (_, i) => `${i + 1}\n`).join(""));
});

test("a slow reader gets the end of the output, however long it takes", async () => {
  const { shell } = await openShell();
  let bytes = 0;

  await shell.run({
    command: "head -c 200000 /dev/zero; sleep 60 &",
    async onOutput(chunk) {
      bytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 150));
    },
  });

  expect(bytes).toBe(200_000);
});

test("an abort does not wait for a reader that hangs", async () => {
  const { run, survivors } = await openShell();
  const controller = new AbortController();

  const running = run("yes", {
    signal: controller.signal,
    onOutput() {
      setTimeout(() => controller.abort(new Error("enough")), 20);
      return new Promise(() => {});
    },
  });

  await expect(running).rejects.toThrow("enough");
  expect(survivors()).toEqual([]);
});

test("a reader whose promise rejects ends the command", async () => {
  const { run, survivors } = await openShell();

  const running = run("yes", { onOutput: () => Promise.reject(new Error("disk full")) });

  await expect(running).rejects.toThrow("disk full");
  expect(survivors()).toEqual([]);
});

test("aborts at random moments of commands that resist leave nothing", async () => {
  const { run, survivors } = await openShell();
  const commands = [
    "trap '' TERM; setsid env -i sleep 60 & sleep 60",
    "yes & setsid yes & cat /dev/zero",
    "while :; do (sleep 60 &) ; sleep 0.01; done",
    "exec sleep 60",
  ];
  const rounds = runs(8, 16, 304);

  for (let round = 0; round < rounds; round += 8) {
    const aborted = Array.from({ length: 8 }, (_, i) =>
      run(commands[i % commands.length]!, { signal: AbortSignal.timeout(((round + i) * 7) % 60) }),
    );
    for (const { status } of await Promise.allSettled(aborted)) expect(status).toBe("rejected");
  }

  expect(survivors()).toEqual([]);
});

test("without descriptors a command fails at once and for good reason, leaves nothing, and works again later", async () => {
  const { root } = await openShell();
  const program = `
    import { closeSync, openSync, readdirSync } from "node:fs";
    import { createLocalShell } from ${JSON.stringify(localShell)};
    const shell = createLocalShell({ root: "/" });
    await shell.run({ command: "true" });
    const before = readdirSync("/proc/self/fd").length;
    const taken = [];
    try { for (;;) taken.push(openSync("/dev/null")); } catch {}
    const told = new Set();
    for (let free = 0; free < 12; free++) {
      await shell.run({ command: "true" }).catch((error) => told.add(error.code + " " + error.retryable));
      closeSync(taken.pop());
    }
    for (const file of taken) closeSync(file);
    const { exitCode } = await shell.run({ command: "exit 5" });
    const left = readdirSync("/proc/self/fd").length - before;
    console.log(JSON.stringify({ told: [...told], exitCode, left }));
  `;
  const command = `ulimit -n 128; exec "$0" --input-type=module -e "$1"`;
  const host = spawn("bash", ["-c", command, process.execPath, program], {
    env: { ...process.env, TMPDIR: root },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  host.stdout.on("data", (chunk) => (output += chunk));

  await once(host, "close");

  expect(JSON.parse(output)).toEqual({ told: ["COMMAND_FAILED true"], exitCode: 5, left: 0 });
  expect((await readdir(root)).filter((name) => name.startsWith("loopwright-"))).toEqual([]);
});

test.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "when the host dies by %s its commands and their temporary directory go, too",
  async (signal) => {
    const { root } = await openShell();
    const mark = `mark-${Math.random()}`;
    const program = `
      import { createLocalShell } from ${JSON.stringify(localShell)};
      const shell = createLocalShell({ root: "/", env: { TEST_MARK: ${JSON.stringify(mark)}, TMPDIR: ${JSON.stringify(root)} } });
      const commands = ["echo up; setsid sleep 60 & sleep 60", "echo up; trap '' TERM HUP INT; sleep 60"];
      const isUp = (command) => new Promise((onOutput) => shell.run({ command, onOutput }));
      Promise.all(commands.map(isUp)).then(() => console.log("up"));
    `;
    const host = spawn(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...process.env, TMPDIR: root },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(host.stdout!, "data");

    host.kill(signal);
    await once(host, "exit");

    await expect.poll(() => processesWith(mark)).toEqual([]);
    const directories = async () => (await readdir(root)).filter((name) => name.startsWith("loopwright-shell"));
    await expect.poll(directories).toEqual([]);
  },
);

test("a command inside a command is ended with the outer one", async () => {
  const { root, run, survivors } = await openShell();
  const program = `
    import { createLocalShell } from ${JSON.stringify(localShell)};
    createLocalShell({ root: "/", env: { TEST_MARK: process.env.TEST_MARK } }).run({ command: "echo up; trap '' TERM; sleep 60", onOutput: () => console.log("up") });
  `;
  const controller = new AbortController();

  const running = run(`exec "$NODE" --input-type=module -e "$PROGRAM"`, {
    // The inner one is killed with all that would clear up after it.
    env: { NODE: process.execPath, PROGRAM: program, TMPDIR: root },
    signal: controller.signal,
    onOutput: () => controller.abort(new Error("enough")),
  });

  await expect(running).rejects.toThrow("enough");
  expect(survivors()).toEqual([]);
});
