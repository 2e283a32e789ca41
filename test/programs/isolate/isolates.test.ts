import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { nodeWorker } from "../../../src/programs/index.js";
import { AT, ISOLATES, LIMITS, runSource } from "./run-source.js";
import { WORKER_SOURCE_FILE, workerSource } from "./worker-source.js";

const failing = { answer: () => ({ isError: true, json: '{"message":"No such file.","code":"PATH_NOT_FOUND"}' }) };

describe.each(ISOLATES)("programs in %s", (_, isolate) => {
  test("calls that are issued together are one wave, and their results come in their order", async () => {
    const { waves, value } = await runSource(
      isolate,
      `const [a, b] = await Promise.all([tools.look({ n: 1 }), tools["pay-now"]()]);
       const c = await tools.pay_now({ after: a.input.n });
       return [a, b, c];`,
    );

    expect(waves.map((wave) => wave.map(({ name, json }) => `${name} ${json}`))).toEqual([
      ['look {"n":1}', "pay-now {}"],
      ['pay-now {"after":1}'],
    ]);
    expect(value).toEqual([
      { name: "look", input: { n: 1 } },
      { name: "pay-now", input: {} },
      { name: "pay-now", input: { after: 1 } },
    ]);
  });

  test("a wave has no more calls than are made at once, and the next one has the others", async () => {
    const all =
      "return (await Promise.all(Array.from({ length: 70 }, (_, n) => tools.look({ n })))).map((r) => r.input.n)";

    const { waves, value } = await runSource(isolate, all);

    expect(waves.map(({ length }) => length)).toEqual([32, 32, 6]);
    expect(value).toEqual(Array.from({ length: 70 }, (_, n) => n));
  });

  test("a program runs the same way again: time, randomness, and the order of its calls", async () => {
    const source = `
      const seen = [Date.now(), new Date().getHours(), Math.random(), String(new Date(2026, 0, 1))];
      await Promise.all([tools.look({ a: Math.random() }), (async () => { await null; return tools.look({ b: 1 }); })()]);
      console.log(Object.keys(tools).join());
      return [...seen, Date.now(), Math.random()];`;

    const [one, other, third] = [
      await runSource(isolate, source),
      await runSource(isolate, source),
      await runSource(isolate, source, { seed: 43 }),
    ];

    expect(other).toEqual({ ...one, end: { ...one.end, cpuMs: expect.any(Number) } });
    expect(one.value).toMatchObject({ 0: AT, 1: 0, 4: AT + 1_000 });
    expect(one.end.logs).toBe("look,pay-now,pay_now\n");
    expect((third.value as number[])[2]).not.toBe((one.value as number[])[2]);
  });

  test("a call that fails throws a ToolError with its code and data, which a program can catch", async () => {
    const source = `
      try { await tools.look({ path: "a" }); }
      catch (error) { return [error instanceof ToolError, error instanceof Error, error.name, error.message, error.code, error.tool]; }`;

    expect((await runSource(isolate, source, failing)).value).toEqual([
      ...[true, true, "ToolError", "No such file.", "PATH_NOT_FOUND", "look"],
    ]);
  });

  test.each([
    ["\nawait tools.look({})", "threw", "ToolError: No such file. (line 2)"],
    [
      "const f = () => null.x;\n\nf();",
      "threw",
      "TypeError: cannot read property 'x' of null (line 1, called from line 3)",
    ],
    ["throw { code: 7 }", "threw", '{"code":7}'],
    ["throw null", "threw", "null"],
    ["const a = 1;\nconst b: string = '';", "invalid", "SyntaxError: missing initializer for variable (line 2)"],
    ["import fs from 'fs'", "invalid", expect.stringMatching(/SyntaxError.*\(line 1\)/)],
    ["await import('fs')", "threw", expect.stringMatching(/could not load module 'fs'/)],
    ["require('fs')", "threw", "ReferenceError: require is not defined (line 1)"],
    ["await new Promise(() => {})", "stuck", "It waits for a promise that nothing settles."],
  ])("%j ends as it should: %s", async (source, end, text) => {
    expect((await runSource(isolate, source, failing)).end).toMatchObject({ end, text });
  });

  test("calls that are not awaited are not made", async () => {
    const { end, waves, value } = await runSource(isolate, "tools.look({}); tools.look({}); return 5;");

    expect({ value, waves, unmade: end.unmade }).toEqual({ value: 5, waves: [], unmade: 2 });
  });

  test("what is logged is text, and cut", async () => {
    const { end } = await runSource(
      isolate,
      `console.log("a", 1, { b: [2] }, null, undefined, new Map(), () => 1); console.warn(new TypeError("bad"));
       for (let n = 0; n < 100; n++) console.log("x".repeat(1000));`,
    );

    expect(end.logs.split("\n")[0]).toBe('a 1 {"b":[2]} null undefined {} () => 1');
    expect(end.logs.split("\n")[1]).toMatch(/^TypeError: bad/);
    expect(end.logs.length).toBe(LIMITS.logChars);
    expect(end.isLogCut).toBe(true);
  });

  test("an input that is no JSON, or too large, is an error of the call", async () => {
    const source = `
      const failed = (call) => call.then(() => "", ({ code }) => code);
      const loop = {}; loop.loop = loop;
      return [await failed(tools.look(loop)), await failed(tools.look(() => 1)), await failed(tools.look({ big: 1n })),
        await failed(tools.look({ text: "x".repeat(2000) }))];`;

    const { value, waves } = await runSource(isolate, source, { limits: { inputChars: 1_000 } });

    expect(value).toEqual(["TOOL_INPUT_INVALID", "TOOL_INPUT_INVALID", "TOOL_INPUT_INVALID", "PROGRAM_LIMIT"]);
    expect(waves).toEqual([]);
  });

  test("a value of 5 MB comes in whole", async () => {
    const rows = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: "x".repeat(80) })));

    const { value } = await runSource(
      isolate,
      "const rows = await tools.look({}); return [rows.length, rows.at(-1).id]",
      {
        answer: () => ({ isError: false, json: rows }),
      },
    );

    expect(value).toEqual([50_000, 49_999]);
  });

  test("an abort ends a program before it goes on", async () => {
    const abort = new AbortController();
    const running = runSource(isolate, "for (;;) await tools.look({})", {
      signal: abort.signal,
      answer: () => {
        abort.abort(new Error("enough"));
        return { isError: false, json: "1" };
      },
    });

    await expect(running).rejects.toThrow("enough");
  });
});

test("there are no more workers than cores: a program that waits for its calls gives its place to another, and goes on after it", async () => {
  const isolate = nodeWorker();
  const count = availableParallelism() + 2;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const source =
    "const a = await tools.look({ n: 1 }); const b = await tools.look({ n: 2 }); return [a, b, Math.random()]";
  const program = (waits: boolean) => async () => {
    const signal = new AbortController().signal;
    const running = await isolate.start({ source, tools: { look: "look" }, at: AT, seed: 7, limits: LIMITS, signal });
    for (let wave = 1; ; wave++) {
      const step = await running.next();
      if (step.type === "end") {
        await running.close();
        return step.text;
      }
      if (waits && wave === 2) await released;
      running.answer([{ isError: false, json: String(wave) }], AT);
    }
  };

  const waiting = Array.from({ length: count }, () => program(true)());
  const last = await program(false)();
  release();

  expect(await Promise.all(waiting)).toEqual(Array.from({ length: count }, () => last));
  expect(JSON.parse(last)).toEqual([1, 2, expect.any(Number)]);
});

test("the worker's source is made of its file", async () => {
  const text = (source: string) => source.replace(/=\s+`/, "= `");

  expect(text(readFileSync(WORKER_SOURCE_FILE, "utf8"))).toBe(text(await workerSource()));
});
