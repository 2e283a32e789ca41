import { expect, test } from "vitest";
import { alternating, withPreface } from "../../../../src/providers/openai/chat/message-order.js";

const user = (content: unknown) => ({ role: "user", content });
const call = { role: "assistant", content: null, tool_calls: [{ id: "a" }] };
const result = { role: "tool", tool_call_id: "a", content: "1" };

test("a preface stands before what the user says first", () => {
  expect(withPreface("Be brief.", [user("Hi"), user("there")])).toEqual([user("Be brief.\n\nHi"), user("there")]);
});

test("a preface stands alone before a history that the model begins", () => {
  expect(withPreface("Be brief.", [call, result])).toEqual([user("Be brief."), call, result]);
});

test("messages of one role become one, text beside parts", () => {
  const image = { type: "image_url", image_url: { url: "u" } };

  expect(alternating([user("a"), user([image]), user("b")])).toEqual([
    user([{ type: "text", text: "a" }, image, { type: "text", text: "b" }]),
  ]);
});

test("the model's text goes with the calls that follow it", () => {
  const said = { role: "assistant", content: "Wait." };

  expect(alternating([user("a"), said, call, result, result])).toEqual([
    user("a"),
    { ...call, content: "Wait." },
    result,
    result,
  ]);
});

test("calls are not joined with what the model says after them", () => {
  const messages = [call, { role: "assistant", content: "Done." }];

  expect(alternating(messages)).toEqual(messages);
});
