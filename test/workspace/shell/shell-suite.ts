import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withGrowingLimit } from "../../growing-limit.js";
import { runs } from "../../runs.js";
import type { openShell as openLocalShell } from "./open-shell.js";

/** What a shell of a workspace promises about commands, wherever it runs them. */
export function shellSuite(openShell: typeof openLocalShell): void {
  test("both streams come in the order they were written, also when reopened by name", async () => {
    const { run } = await openShell();

    const { output } = await run("for i in 1 2 3; do echo o$i; echo e$i >&2; echo r$i > /dev/stderr; done");

    expect(output).toBe("o1\ne1\nr1\no2\ne2\nr2\no3\ne3\nr3\n");
  });

  test("the command is bash's own: no arguments, no added options, its own messages", async () => {
    const { run } = await openShell();

    const { output } = await run(`echo "$0 $# $- \${BASH_ENV-unset}"; nonsense`);

    expect(output).toBe("bash 0 hBc unset\nbash: line 1: nonsense: command not found\n");
  });

  test("standard input is closed", async () => {
    const { run } = await openShell();

    expect(await run("cat; read line; echo $?")).toMatchObject({ output: "1\n", exitCode: 0 });
  });

  test("commands inherit an allow-list, and what the host and the request add", async () => {
    process.env.SECRET_KEY = "leaked";
    onTestFinished(() => void delete process.env.SECRET_KEY);
    const { run } = await openShell({ env: { ADDED: "by host" } });

    const { output } = await run('echo "$SECRET_KEY|$ADDED|$ONCE|"; type -t ls', { env: { ONCE: "by request" } });

    expect(output).toBe("|by host|by request|\nfile\n");
  });

  test("a BASH_ENV of the host still counts", async () => {
    const { root: directory } = await openShell();
    await writeFile(join(directory, "it's.sh"), "greet() { echo hello; }");
    const { run } = await openShell({ env: { BASH_ENV: join(directory, "it's.sh") } });

    expect(await run("greet; bash -c greet")).toMatchObject({ output: "hello\nhello\n" });
  });

  test.each([
    ["exit 3", 3],
    ["set -e; false; echo no", 1],
    ["nope", 127],
    ["if", 2],
    ["(exit 5)", 5],
    ["exec sh -c 'exit 6'", 6],
    ["trap 'echo bye $?' EXIT; exit 7", 7],
    ["trap 'exit 8' EXIT; exit 1", 8],
    ["set -u; echo $missing", 127],
    ["set -o pipefail; false | true", 1],
  ])("`%s` exits with code %d", async (command, exitCode) => {
    const { run } = await openShell();

    expect(await run(command)).toMatchObject({ exitCode, signal: null, timedOut: false });
  });

  test.each([
    ["cd sub", "sub"],
    ["cd sub; exit 3", "sub"],
    ["cd sub; false", "sub"],
    ["set -e; cd sub; false", "sub"],
    ["set -uo noclobber; cd sub", "sub"],
    ["cd su* && cd .. && cd - >/dev/null", "sub"],
    ["pushd sub >/dev/null", "sub"],
    ["f() { builtin cd sub; }; f", "sub"],
    ["pwd() { echo wrong; }; cd sub", "sub"],
    ["exec 3>/dev/null >/dev/null 2>&1; cd sub", "sub"],
    ["trap 'rm -f x' EXIT; cd sub", "sub"],
    ["trap 'echo x' EXIT INT; trap - EXIT; cd sub", "sub"],
    ["trap '' EXIT; cd sub; exit 1", "sub"],
    ["cd link", "sub"],
    ["(cd sub)", "."],
    ["cd sub & wait", "."],
    ["bash -c 'cd sub'", "."],
    ["cd missing", "."],
    ["mkdir \"$(printf 'a\\nb')\"; cd a*", "a\nb"],
    ["cd sub; rm -r ../sub", "sub"],
  ])("after `%s` the shell stands in %j", async (command, directory) => {
    const { root, run } = await openShell();
    await mkdir(join(root, "sub"));
    await symlink("sub", join(root, "link"));

    expect((await run(command)).cwd).toBe(join(root, directory));
  });

  test.each(["cd sub; kill -9 $$", "cd sub; kill $$", "cd sub; exec true"])(
    "after `%s` nobody can say where the shell stands",
    async (command) => {
      const { root, run } = await openShell();
      await mkdir(join(root, "sub"));

      expect((await run(command)).cwd).toBeNull();
    },
  );

  test("a time longer than any timer is not time that is over at once", async () => {
    const { run } = await openShell();

    expect(await run("sleep 0.05; echo done", { timeoutMs: 2 ** 40 })).toMatchObject({
      timedOut: false,
      output: "done\n",
    });
  });

  test("`set -x` shows nothing but the command's own steps", async () => {
    const { run } = await openShell();

    expect((await run("set -x; true; exit 0")).output).toBe("+ true\n+ exit 0\n");
  });

  test.each([
    ["a background job", "sleep 60 &"],
    ["a job that keeps the pipe open", "(trap '' TERM HUP INT; sleep 60; sleep 60) & echo"],
    ["another session", "setsid sleep 60 & setsid sleep 60 >/dev/null 2>&1 &"],
    ["a double fork", "(setsid bash -c 'nohup sleep 60 & disown' &)"],
    ["a tree of processes", "f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; sleep 60; }; f 4 & sleep 0.05"],
    ["endless output", "yes & sleep 0.05"],
    ["a shell that killed itself", "sleep 60 & setsid sleep 60 & kill -9 $$"],
  ])("nothing survives: %s", async (_, command) => {
    const { run, survivors } = await openShell();

    await run(command);

    expect(survivors()).toEqual([]);
  });

  test("output of a background job is still read for a moment", async () => {
    const { run } = await openShell();

    // A busy machine may be later than that moment, but not always.
    let output = "";
    for (let attempt = 0; attempt < 50 && output !== "early\nlate\n"; attempt++) {
      output = (await run("(sleep 0.02; echo late) & echo early")).output;
    }

    expect(output).toBe("early\nlate\n");
  });

  test("a timeout sends TERM, and lets everything clean up", async () => {
    const { run, survivors } = await openShell();

    // The trap is set before "up" is written, and the outer shell waits for that.
    const command =
      "mkfifo set; (trap 'sleep 0.1; echo cleaned; exit' TERM; sleep 60 & echo > set; wait) & read _ < set; rm set; echo up; sleep 60";
    const outcome = await withGrowingLimit(
      150,
      (timeoutMs) => run(command, { timeoutMs }),
      ({ output }) => output === "up\ncleaned\n",
    );

    expect(outcome).toMatchObject({ output: "up\ncleaned\n", signal: "SIGTERM", timedOut: true, cwd: null });
    expect(survivors()).toEqual([]);
  });

  test("a timeout kills what ignores TERM after two seconds", async () => {
    const { run, survivors } = await openShell();

    const command = "trap '' TERM; setsid sleep 60 & while :; do sleep 1; done";
    const outcome = await withGrowingLimit(
      50,
      (timeoutMs) => run(command, { timeoutMs }),
      ({ signal }) => signal === "SIGKILL",
    );

    expect(outcome).toMatchObject({ signal: "SIGKILL", timedOut: true });
    expect(outcome.durationMs).toBeGreaterThan(2_000);
    expect(survivors()).toEqual([]);
  });

  test("an abort rejects with its reason, once nothing is left, soon also when TERM is ignored", async () => {
    const { run, survivors } = await openShell();
    const controller = new AbortController();

    const running = run("trap '' TERM; setsid sleep 60 & echo up; while :; do sleep 1; done", {
      signal: controller.signal,
      onOutput: () => controller.abort(new Error("enough")),
    });

    await expect(running).rejects.toThrow("enough");
    expect(survivors()).toEqual([]);
  });

  test("an abort during the grace time of a timeout shortens it", async () => {
    const { run } = await openShell();
    const shortened = async (timeoutMs: number) => {
      const controller = new AbortController();
      const running = run("trap 'echo terminated' TERM; while :; do sleep 0.01; done", {
        timeoutMs,
        signal: controller.signal,
        onOutput: () => controller.abort(new Error("enough")),
      });
      return running.then(
        () => "ended by the timeout",
        (error: Error) => error.message,
      );
    };

    expect(await withGrowingLimit(50, shortened, (message) => message === "enough")).toBe("enough");
  });

  test("a command that was aborted before it began does not run", async () => {
    const { root, run } = await openShell();

    const running = run("touch ran", { signal: AbortSignal.abort(new Error("early")) });

    await expect(running).rejects.toThrow("early");
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  test("an abort after the end changes nothing", async () => {
    const { run } = await openShell();
    const controller = new AbortController();

    const outcome = await run("echo done", { signal: controller.signal });
    controller.abort();

    expect(outcome).toMatchObject({ output: "done\n", exitCode: 0 });
  });

  test("an abort at any moment leaves nothing behind", async () => {
    const { run, survivors } = await openShell();
    const moments = runs(8, 20, 500);

    const aborted = Array.from({ length: moments }, (_, i) =>
      run("sleep 60 & setsid sleep 60 & sleep 0.02", { signal: AbortSignal.timeout(i) }).catch((error) => error.name),
    );

    await Promise.all(aborted);
    expect(survivors()).toEqual([]);
  });

  test("a consumer that throws ends the command, and `run` rejects with its error", async () => {
    const { run, survivors } = await openShell();
    const failing = () => {
      throw new Error("disk full");
    };

    await expect(run("yes", { onOutput: failing })).rejects.toThrow("disk full");
    expect(survivors()).toEqual([]);
  });

  test("twenty shells at once keep their output and exit codes apart", async () => {
    const { run } = await openShell();

    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => run(`seq ${i} 5000 | tail -1; exit ${i}`)));

    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(new Set(outcomes.map(({ output }) => output))).toEqual(new Set(["5000\n"]));
  });

  test("100,000 short lines arrive complete", async () => {
    const { run } = await openShell();

    expect((await run("seq 100000")).output).toBe(Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(""));
  });

  test("memory stays flat while gigabytes pass", async () => {
    const { shell } = await openShell();
    const gigabytes = runs(0.25, 0.5, 10);
    const before = process.memoryUsage().rss;
    let bytes = 0;

    await shell.run({
      command: `yes | head -c ${gigabytes * 1e9}`,
      onOutput: (chunk) => {
        bytes += chunk.length;
      },
    });

    expect(bytes).toBe(gigabytes * 1e9);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  test("closing ends what runs and refuses what comes", async () => {
    const { shell, run, survivors } = await openShell();
    const running = run("echo up; sleep 60", { onOutput: () => void shell.close() });

    await expect(running).rejects.toMatchObject({ code: "COMMAND_FAILED" });
    await shell.close();

    await expect(run("true")).rejects.toMatchObject({ code: "COMMAND_FAILED" });
    expect(survivors()).toEqual([]);
  });
}
