import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import { repairTranscript, validateTranscript } from "../../../src/engine/transcript/validate-transcript.js";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const calls = (...ids: string[]) =>
  ({
    role: "assistant",
    content: ids.map((id) => ({ type: "tool-call", id, name: "look", arguments: {} })),
  }) as unknown as Message;
const results = (...ids: string[]): Message => ({
  role: "tool",
  content: ids.map((toolCallId) => ({ type: "tool-result", toolCallId, name: "look", output: "x", isError: false })),
});

test("each call has one result, in call order, right after its message", () => {
  expect(validateTranscript([user("hi"), calls("a", "b"), results("a", "b"), user("more")])).toEqual([]);
  expect(validateTranscript([calls("a", "b"), results("b", "a")])).toHaveLength(1);
  expect(validateTranscript([calls("a"), user("too early"), results("a")])).toHaveLength(2);
  expect(validateTranscript([results("a")])).toMatchObject([{ index: 0 }]);
});

test("an id is neither empty nor used twice", () => {
  expect(validateTranscript([calls("a"), results("a"), calls("a"), results("a")])).toMatchObject([{ index: 2 }]);
  expect(validateTranscript([calls(""), results("")])).toMatchObject([{ index: 0 }]);
});

test("calls without results are an issue only where the session is not suspended", () => {
  expect(validateTranscript([user("hi"), calls("a")])).toMatchObject([{ index: 1 }]);
  expect(validateTranscript([user("hi"), calls("a")], { allowOpen: true })).toEqual([]);
});

test.each<[string, Message[]]>([
  ["a lost result", [user("hi"), calls("a", "b"), results("b"), user("go on")]],
  ["results in another order", [calls("a", "b"), results("b", "a")]],
  ["results in two messages", [calls("a", "b"), results("a"), results("b")]],
  ["a second result", [calls("a"), results("a", "a")]],
  ["a result without a call", [user("hi"), results("z"), user("hello?")]],
  ["an id that is used again", [calls("a"), results("a"), calls("a"), results("a")]],
  ["calls at the end", [user("hi"), calls("a")]],
])("%s is repaired", (_, messages) => {
  const repaired = repairTranscript(messages);

  expect(validateTranscript(repaired)).toEqual([]);
  expect(repaired.filter(({ role }) => role === "user")).toEqual(messages.filter(({ role }) => role === "user"));
});

test("valid messages are returned as they are", () => {
  const messages = [user("hi"), calls("a"), results("a")];

  expect(repairTranscript(messages)).toBe(messages);
});

test("missing results are added as errors that say what the caller says of them", () => {
  const result = { type: "tool-result", toolCallId: "a", name: "look", output: "It was left.", isError: true };

  expect(repairTranscript([user("hi"), calls("a")], "It was left.").at(-1)).toEqual({
    role: "tool",
    content: [result],
  });
});
