// Hooks that hang, flood, fork, crash and lie: the run goes on, and no process is left.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text, toolCall } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { BackgroundHooks } from "../../src/hooks/background-hooks.js";
import { createMatcher } from "../../src/hooks/matcher.js";
import { processorMs } from "../processor-time.js";
import { load, onEvent, play, project } from "./kit.js";

/** Processes that carry the mark in their environment, on Linux; elsewhere none can be found by it. */
function processesWith(mark: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/environ`, "latin1").includes(mark);
      } catch {
        return false; // It has ended meanwhile.
      }
    });
}

let marks = 0;
const newMark = () => `HOOKS_TEST_MARK=${process.pid}.${++marks}.`;

test.each([
  ["hangs", "sleep 1000"],
  ["ignores TERM", "trap '' TERM; while :; do sleep 0.1; done"],
  ["hangs in a child that left its group", "setsid sleep 1000 & sleep 1000"],
  ["floods its output", "yes"],
  ["stops itself", "kill -STOP $$; sleep 1000"],
  ["forks again and again", "while :; do sleep 1000 & sleep 0.01; done"],
])("a hook that %s is ended at its time, and the call goes on", async (_what, command) => {
  const mark = newMark();
  const [name, value] = mark.split("=") as [string, string];
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command, { timeout: 0.3 }) });

  const { result, events, provider } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")], {
    settings: await load(dir, { env: { [name]: value } }),
  });

  expect(result.status).toBe("completed");
  expect(provider.requests[1]?.lastToolResult?.output).toBe("ran\n");
  expect(events).toContainEqual(
    expect.objectContaining({ code: "HOOK_FAILED", message: expect.stringContaining("300 ms") }),
  );
  expect(processesWith(mark)).toEqual([]);
});

test.each([
  ["leaves a child that holds its output open", "sleep 1000 & echo '{}'"],
  ["leaves a daemon", "setsid sleep 1000 > /dev/null 2>&1 < /dev/null & exit 0"],
  ["forks a tree", "for i in 1 2 3; do (for j in 1 2 3; do sleep 1000 & done; sleep 1000) & done; exit 0"],
  ["writes a great deal", "head -c 50000000 /dev/zero; exit 0"],
  ["writes a great deal to its standard error", "head -c 50000000 /dev/zero >&2; exit 0"],
  ["closes its standard input", "exec <&-; sleep 0.05; exit 0"],
  ["never reads its standard input", "exit 0"],
])("a hook that %s leaves nothing behind", async (_what, command) => {
  const mark = newMark();
  const [name, value] = mark.split("=") as [string, string];
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command) });
  const big = "x".repeat(300_000);

  const { result } = await play(dir, [toolCall("write_file", { path: "big", content: big }), text("done")], {
    settings: await load(dir, { env: { [name]: value } }),
  });

  expect(result.status).toBe("completed");
  expect(existsSync(join(dir, "big"))).toBe(true);
  expect(processesWith(mark)).toEqual([]);
});

test("a daemon that has cleared its environment is ended as well", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("Stop", "env -i setsid sleep 1000 > /dev/null 2>&1 < /dev/null & echo $! > pid"),
  });

  await play(dir, [text("done")]);

  const pid = Number(readFileSync(join(dir, "pid"), "utf8"));
  if (process.platform === "linux") expect(existsSync(`/proc/${pid}/environ`) && !isZombie(pid)).toBe(false);
});

function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
}

test("a run that is aborted while a hook works is over at once, and idle when the hook's processes are gone", async () => {
  const { AgentEngine } = await import("loopwright");
  const { scripted } = await import("loopwright/providers/scripted");
  const mark = newMark();
  const [name, value] = mark.split("=") as [string, string];
  const dir = await project({
    ".claude/settings.json": onEvent("UserPromptSubmit", "trap '' TERM; touch begun; while :; do sleep 0.05; done"),
  });
  const settings = await load(dir, { env: { [name]: value } });
  const engine = new AgentEngine({ provider: scripted([]), hooks: settings.hooks });

  const run = engine.stream("go");
  await expect.poll(() => existsSync(join(dir, "begun"))).toBe(true);
  run.abort("enough");
  const result = await run.result;
  const atResult = processesWith(mark).length;
  await run.idle;

  expect(result.status).toBe("aborted");
  if (process.platform === "linux") expect(atResult).toBeGreaterThan(0);
  expect(processesWith(mark)).toEqual([]);
});

test("an async hook is not waited for, its answer counts for nothing, and close ends it", async () => {
  const mark = newMark();
  const [name, value] = mark.split("=") as [string, string];
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "touch begun; sleep 1000; exit 2", { async: true }),
  });
  const settings = await load(dir, { env: { [name]: value } });

  const { provider } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")], { settings });
  await expect.poll(() => existsSync(join(dir, "begun"))).toBe(true);
  await settings.close();

  expect(provider.requests[1]?.lastToolResult?.output).toBe("ran\n");
  expect(processesWith(mark)).toEqual([]);
});

test.each([
  ["goes on in the background", `echo '{"async":true,"asyncTimeout":15000}'; touch begun; sleep 1000; exit 2`],
  ["floods from there", `echo '{"async": true}'; touch begun; yes`],
])("a hook that says it is async, and %s, is not waited for, and close ends it", async (_what, command) => {
  const mark = newMark();
  const [name, value] = mark.split("=") as [string, string];
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command) });
  const settings = await load(dir, { env: { [name]: value } });

  const { provider } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")], { settings });
  await expect.poll(() => existsSync(join(dir, "begun"))).toBe(true);
  await settings.close();

  expect(provider.requests[1]?.lastToolResult?.output).toBe("ran\n");
  expect(processesWith(mark)).toEqual([]);
});

test("a matcher that would take for ever counts as one that matches", () => {
  const matches = createMatcher("^(.*[.])+json$");
  const before = processorMs();

  expect(matches([`${"a.".repeat(60)}x`])).toBe(true);
  expect(matches([`${"a.".repeat(60)}x`])).toBe(true);
  expect(processorMs() - before).toBeLessThan(5_000);
  expect(matches(["a.b.json"])).toBe(true);
  expect(matches(["a.b.ts"])).toBe(false);
});

test("a hook that says it is async is ended at the time it has set itself", async () => {
  const mark = newMark();
  const [name, value] = mark.split("=") as [string, string];
  const command = `echo '{"async":true,"asyncTimeout":300}'; touch begun; sleep 1000`;
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command) });

  await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")], {
    settings: await load(dir, { env: { [name]: value } }),
  });

  await expect.poll(() => existsSync(join(dir, "begun"))).toBe(true);
  await expect.poll(() => processesWith(mark)).toEqual([]);
});

test("of hooks that say they are async so many go on aside at once, and the others are waited for", async () => {
  const background = new BackgroundHooks();
  const ends: (() => void)[] = [];
  const adopt = () => background.adopt(new Promise<void>((resolve) => ends.push(resolve)), () => {});

  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);

  const adopted = Array.from({ length: 40 }, adopt);
  for (const end of ends) end();
  await background.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);

  expect(adopted.filter(Boolean)).toHaveLength(32);
  expect(warnings).toEqual([]);
});

test("many async hooks at once are a few processes at a time, and all of them run", async () => {
  const background = new BackgroundHooks();
  const [ends, most]: [Array<() => void>, number[]] = [[], []];
  let running = 0;
  let done = 0;

  for (let n = 0; n < 200; n++) {
    background.start(async () => {
      most.push(++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
      done++;
    });
  }
  while (done < 200) {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  }

  expect(Math.max(...most)).toBe(32);
  await background.close();
  background.start(async () => expect.unreachable());
});
