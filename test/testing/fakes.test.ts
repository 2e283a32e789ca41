import { expect, test } from "vitest";
import { RunAbortedError } from "../../src/contracts/errors.js";
import { FakeSuspension, fakeRuntime, fakeToolContext } from "../../src/testing/index.js";

test("a fake clock stands until it is advanced", () => {
  const runtime = fakeRuntime({ now: 1_000 });

  const times = [runtime.now(), runtime.now()];
  runtime.advance(250);
  times.push(runtime.now());

  expect(times).toEqual([1_000, 1_000, 1_250]);
  expect(fakeRuntime().now()).toBe(1_700_000_000_000);
});

test("a fake clock refuses to go back", () => {
  const runtime = fakeRuntime();

  for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => runtime.advance(ms)).toThrow(`advance(${ms})`);
  }
});

test("fake ids are counted and never repeat", () => {
  const runtime = fakeRuntime();

  expect([runtime.newId(), runtime.newId(), fakeRuntime().newId()]).toEqual(["id-1", "id-2", "id-1"]);
});

test("fake randomness depends on the seed alone and fills the whole range", () => {
  const draw = (seed: number) => {
    const { random } = fakeRuntime({ seed });
    return Array.from({ length: 10_000 }, random);
  };

  const numbers = draw(1);

  expect(draw(1)).toEqual(numbers);
  expect(draw(2)).not.toEqual(numbers);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
    expect(Math.abs(share - 1_000)).toBeLessThan(150);
  }
});

test("a fake context has all a tool may ask for", () => {
  const context = fakeToolContext();

  expect(context).toMatchObject({
    toolCallId: "call_1",
    runId: "run-1",
    turn: 1,
    agentPath: [],
    sessionId: "session-1",
    transcriptId: "session-1",
    app: undefined,
  });
  expect(context.signal.aborted).toBe(false);
});

test("overrides win over the defaults of a fake context", () => {
  const context = fakeToolContext({ sessionId: "mine", agentPath: ["child"], app: { user: 1 } });

  expect(context).toMatchObject({ sessionId: "mine", transcriptId: "mine", agentPath: ["child"], app: { user: 1 } });
});

test("what a tool tells a fake context is recorded in order", () => {
  const { progress, requestCompaction, ...context } = fakeToolContext();

  progress(1);
  progress({ done: true });
  requestCompaction?.("the tests");
  requestCompaction?.();

  expect(context.updates).toEqual([1, { done: true }]);
  expect(context.compactionRequests).toEqual(["the tests", undefined]);
});

test("suspend throws a FakeSuspension, and is recorded also when the tool catches it", () => {
  const context = fakeToolContext();
  const request = { kind: "question", reason: "which one?" } as const;

  expect(() => context.suspend(request, { step: 2 })).toThrow(FakeSuspension);

  expect(context.suspensions).toHaveLength(1);
  expect(context.suspensions[0]).toMatchObject({ request, state: { step: 2 } });
});

test("abort aborts the signal with a RunAbortedError, and so does a signal among the overrides", () => {
  const own = fakeToolContext();
  const controller = new AbortController();
  const outer = fakeToolContext({ signal: controller.signal });
  const both = fakeToolContext({ signal: controller.signal });

  own.abort("enough");
  both.abort();
  controller.abort("outside");

  expect(own.signal.reason).toBeInstanceOf(RunAbortedError);
  expect(own.signal.reason.message).toBe("The run was aborted: enough.");
  expect(outer.signal.reason).toBe("outside");
  expect(both.signal.reason).toBeInstanceOf(RunAbortedError);
});
