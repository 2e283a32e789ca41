import { existsSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { nodeWorker } from "../../../src/programs/index.js";
import { cpuOf, ISOLATES, isEndedInTime, LIMITS, runSource } from "./run-source.js";

const LIMIT = { cpuMs: 1_000 };
const OVER_TIME = /computed for more than 1000 ms without a call/;
const OUT_OF_MEMORY = /memory/;
const OUT_OF_STACK = /RangeError: Maximum call stack size exceeded|stack or the memory/;

/** Programs that end by a limit, or by an error of their own. */
const HOSTILE: readonly (readonly [string, string, RegExp])[] = [
  ["an endless loop", "for (;;) {}", OVER_TIME],
  ["an endless loop that catches", "for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }", OVER_TIME],
  ["a loop of microtasks", "for (;;) await null", OVER_TIME],
  [
    "microtasks without end",
    "const f = () => { Promise.resolve().then(f); }; f(); await new Promise(() => {})",
    OVER_TIME,
  ],
  ["a regular expression", "/(a+)+$/.test('a'.repeat(40) + 'b')", OVER_TIME],
  ["an endless getter of its value", "return { get value() { for (;;) {} } }", OVER_TIME],
  ["an endless toJSON of an input", "await tools.look({ toJSON() { for (;;) {} } })", OVER_TIME],
  ["an endless message of what it throws", "throw { get message() { for (;;) {} } }", OVER_TIME],
  [
    "an endless generator",
    "function* f() { for (;;) yield 1 } return [...(function* () { for (const x of f()) if (x > 1) yield x; })()]",
    OVER_TIME,
  ],
  ["arrays without end", "const a = []; for (;;) a.push(new Array(1000).fill('x'))", OUT_OF_MEMORY],
  [
    "buffers without end, with a catch",
    "const a = []; for (;;) try { a.push(new ArrayBuffer(1e6)) } catch {}",
    OUT_OF_MEMORY,
  ],
  ["a chain of promises without end", "const f = () => Promise.resolve().then(f); await f()", /memory|1000 ms/],
  ["a string that doubles", "let s = 'x'; for (;;) s += s", /memory|too long/],
  ["loops in executors of promises", "for (;;) new Promise(() => { for (;;); })", OVER_TIME],
  ["calls without end", "for (;;) tools.look('x'.repeat(1e5))", /memory/],
  ["small calls without end", "for (;;) tools.look(1)", /memory/],
  ["recursion", "const f = () => f() + 1; return f()", OUT_OF_STACK],
  ["recursion of promises", "const f = async () => (await f()) + 1; return f()", /stack|memory/],
  ["JSON that is 100,000 deep", "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))", OUT_OF_STACK],
  ["a value that is 100,000 deep", "let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return a", OUT_OF_STACK],
  ["an input that is 100,000 deep", "let a = []; for (let n = 0; n < 1e5; n++) a = [a]; await tools.look(a)", /stack/],
  ["nested eval", "const f = () => eval('f()'); return f()", OUT_OF_STACK],
  ["a source that is 100,000 deep", "return eval('('.repeat(1e5) + ')'.repeat(1e5))", OUT_OF_STACK],
  ["a flood of logs", "for (;;) console.log('x'.repeat(1000))", OVER_TIME],
  ["a flood of large logs", "const x = 'x'.repeat(5e6); for (;;) console.log(x)", OVER_TIME],
  ["a wait for nothing", "await new Promise(() => {})", /waits for a promise that nothing settles/],
  ["a thenable that never settles", "await { then() {} }", /waits for a promise that nothing settles/],
  ["a value that is too large", "return 'x'.repeat(9e6)", /returned 9000002 characters/],
];

describe.each(ISOLATES)("a hostile program in %s", (_, isolate) => {
  test.each(HOSTILE)("%s ends by an error, within the limit and a second", async (_name, source, text) => {
    const { result, cpuMs } = await cpuOf(() => runSource(isolate, source, { limits: LIMIT }));

    const { end } = result;
    expect(end.end).toMatch(/^(threw|limit|stuck)$/);
    // On a slow machine any of them may run out of time before it runs out of anything else.
    expect(end.text).toMatch(new RegExp(`${text.source}|${OVER_TIME.source}`));
    expect(end.logs.length).toBeLessThanOrEqual(LIMITS.logChars);
    expect(await isEndedInTime(cpuMs, LIMIT.cpuMs, isolate)).toBe(true);
  });

  test("one that changes what all programs use harms itself at the most", async () => {
    const source = `
      Object.prototype.polluted = 1; Object.prototype.toJSON = undefined;
      Promise.prototype.then = null; Array.prototype.push = null; Map.prototype.get = null; String.prototype.slice = null;
      JSON.stringify = null; JSON.parse = null; Object.keys = null; Reflect.apply = null;
      const before = tools.look;
      globalThis.tools = null; globalThis.ToolError = null;
      return (await before({ z: 1 })).input.z;`;

    const { value } = await runSource(isolate, source);

    expect(value).toBe(1);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect((await runSource(isolate, "return (await tools.look({ z: 2 })).input.z")).value).toBe(2);
  });

  test("nothing of the host can be reached", async () => {
    const source = `
      const ways = [globalThis, tools, tools.look, console.log, (async () => {}), (function* () {}), ToolError, new ToolError("x"), JSON.parse];
      const roots = ways.map((way) => { try { return way.constructor.constructor("return globalThis")(); } catch { return globalThis; } });
      try { await tools.look({}) } catch (error) { roots.push(error.constructor.constructor("return globalThis")()); }
      const stack = []; Error.prepareStackTrace = (_, frames) => { stack.push(frames); return "" }; new Error().stack;
      const foreign = ["process", "require", "module", "fetch", "setTimeout", "setImmediate", "WebAssembly", "SharedArrayBuffer",
        "Atomics", "WeakRef", "FinalizationRegistry", "performance", "navigator", "Worker", "Deno", "Bun", "std", "os", "print"];
      return [roots.every((root) => root === globalThis), foreign.filter((name) => name in globalThis),
        stack.flat().some((frame) => { try { return frame.getThis?.()?.process !== undefined } catch { return false } }),
        Object.getOwnPropertyNames(globalThis).length < 90];`;

    expect((await runSource(isolate, source)).value).toEqual([true, [], false, true]);
  });

  test("a call by any name is a call of that name, and nothing else", async () => {
    const source = `
      for (const name of ["__proto__", "constructor", "toString", "look\\u0000", "../look", ""]) await tools[name]({});
      return Object.keys(tools).length`;

    const { waves } = await runSource(isolate, source);

    expect(waves.flat().map(({ name }) => name)).toEqual([
      "__proto__",
      "constructor",
      "toString",
      "look\0",
      "../look",
      "",
    ]);
  });
});

test("operations in which nothing can be interrupted are ended with their worker", async () => {
  const slow =
    "const x = 'ab'.repeat(4e6); let n = 0; for (;;) n += [...Array(50)].map(() => x.split('').reverse().join('').length).length";

  const { result, cpuMs } = await cpuOf(() => runSource(nodeWorker(), slow, { limits: LIMIT }));

  expect(result.end).toMatchObject({ end: "limit" });
  expect(await isEndedInTime(cpuMs, LIMIT.cpuMs, nodeWorker())).toBe(true);
});

test("the host's thread is never at work for 50 ms on end, and no worker is left", async () => {
  await runSource(nodeWorker(), "return 1");
  const limits = { cpuMs: 300 };

  for (const [name, source] of HOSTILE) {
    expect(await isNeverBlocked(() => runSource(nodeWorker(), source, { limits })), name).toBe(true);
  }
  expect(await isNeverBlocked(() => runSource(nodeWorker(), "return 'x'.repeat(8e6)"))).toBe(true);
  const four = () => Promise.all([1, 2, 3, 4].map(() => runSource(nodeWorker(), "for (;;) {}", { limits })));
  expect(await isNeverBlocked(four)).toBe(true);

  const left = () => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name));
  await expect.poll(left).toEqual([]);
});

test("a thread that is blocked is noticed", async () => {
  const floor = await longestStretch(plainWorker);
  const block = async () => {
    const from = computed();
    while (computed() - from < 500 + 10 * floor);
  };

  expect(await isNeverBlocked(block)).toBe(false);
});

/**
 * Whether this thread is never at work for 50 ms on end while `run` goes on, or for three times as long as with a plain worker, on
 * a slow machine. A collection of garbage or another process can be in the way once; what blocks the thread does so each time.
 */
async function isNeverBlocked(run: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const longest = await longestStretch(run);
    if (longest < 50 || longest < 3 * (await longestStretch(plainWorker))) return true;
  }
  return false;
}

/** It sends as much as a program may return, which is read. */
async function plainWorker(): Promise<void> {
  const source = `require("node:worker_threads").parentPort.postMessage(JSON.stringify("x".repeat(8e6)))`;
  const worker = new Worker(source, { eval: true });
  const text = await new Promise<string>((resolve) => worker.once("message", resolve));
  await worker.terminate();
  expect(JSON.parse(text)).toHaveLength(8e6);
}

/** The longest time that this thread computes without a pause. Other work on the machine does not count. Unit: milliseconds. */
async function longestStretch(run: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [computed(), 0];
  const look = () => {
    const current = computed();
    longest = Math.max(longest, current - last);
    last = current;
  };
  const timer = setInterval(look, 1);
  await run();
  clearInterval(timer);
  look();
  return longest;
}

/** Processor time of this thread, where the system tells; else the time. Unit: milliseconds. */
function computed(): number {
  const counter = "/proc/thread-self/schedstat";
  if (!existsSync(counter)) return performance.now();
  return Number(readFileSync(counter, "utf8").split(" ")[0]) / 1e6;
}
