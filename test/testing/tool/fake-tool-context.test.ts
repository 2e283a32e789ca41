import { expect, test } from "vitest";
import { RunAbortedError } from "../../../src/contracts/errors.js";
import { FakeSuspension, fakeToolContext } from "../../../src/testing/index.js";

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
