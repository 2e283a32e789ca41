import { expect, test } from "vitest";
import type { PendingRequest } from "../../../src/contracts/approval.js";
import type { ToolResult } from "../../../src/contracts/tool-call.js";
import { OpenTurn, openQuestions } from "../../../src/engine/transcript/open-turn.js";

const call = (id: string) => ({ id, name: "look", arguments: {} });
const question = (id: string, toolCallId: string) =>
  ({ id, toolCallId, kind: "question" }) as unknown as PendingRequest;
const ids = (requests: readonly PendingRequest[]) => requests.map(({ id }) => id);

test("questions are listed in the order of their calls until each is answered or its call has a result", () => {
  const turn = new OpenTurn([call("a"), call("b"), call("c")]);
  turn.ask({ request: question("q3", "c"), state: undefined });
  turn.ask({ request: question("q1", "a"), state: undefined });
  turn.ask({ request: question("q2", "b"), state: undefined });
  expect(ids(openQuestions(turn))).toEqual(["q1", "q2", "q3"]);

  turn.answer({ id: "q2", value: 1 });
  turn.results[0] = { toolCallId: "a" } as ToolResult;

  expect(ids(openQuestions(turn))).toEqual(["q3"]);
  expect(turn.answerTo("q2")).toEqual({ id: "q2", value: 1 });
  expect(openQuestions(null)).toEqual([]);
});

test("a question that is asked again has no answer any more", () => {
  const turn = new OpenTurn([call("a")]);
  turn.ask({ request: question("q", "a"), state: undefined });
  turn.answer({ id: "q", value: 1 });

  turn.ask({ request: question("q", "a"), state: undefined });

  expect(ids(openQuestions(turn))).toEqual(["q"]);
});

test("an approval is used up by the start of its call, a tool's own question is not", () => {
  const turn = new OpenTurn([call("a")]);
  turn.ask({ request: question("approval", "a"), state: undefined });
  turn.ask({ request: question("own", "a"), state: { step: 1 } });

  turn.markStarted("a");

  expect(turn.wasStarted("a")).toBe(true);
  expect(turn.isUsedUp("approval")).toBe(true);
  expect(turn.isUsedUp("own")).toBe(false);
});

test("a call that suspends itself has left its tool", () => {
  const turn = new OpenTurn([call("a"), call("b")]);
  turn.markStarted("a");
  turn.ask({ request: question("own", "a"), state: { step: 1 } });
  turn.markStarted("b");
  turn.askFromBelow("b", question("below", "b"));

  expect(turn.wasStarted("a")).toBe(false);
  expect(turn.wasStarted("b")).toBe(false);
  expect(ids(turn.askedFromBelow("b"))).toEqual(["below"]);
});

test("a call is found by its id", () => {
  expect(new OpenTurn([call("a")]).indexOf("a")).toBe(0);
  expect(new OpenTurn([call("a"), call("b")]).indexOf("b")).toBe(1);
  expect(new OpenTurn([call("a"), call("b")]).indexOf("c")).toBe(-1);
});
