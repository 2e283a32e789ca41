import { expect, test } from "vitest";
import { isContentPart, isMessage, textOfMessage } from "../../../src/engine/transcript/message-shape.js";

const TEXT = { type: "text", text: "hi" };
const IMAGE = { type: "image", mediaType: "image/png", data: "AA==" };
const CALL = { type: "tool-call", id: "1", name: "look", arguments: {} };
const RESULT = { type: "tool-result", toolCallId: "1", name: "look", output: "x", isError: false };

test.each([
  { role: "user", content: [TEXT, IMAGE] },
  { role: "assistant", content: [TEXT, { type: "reasoning", text: "hm" }, IMAGE, CALL] },
  { role: "tool", content: [RESULT, { ...RESULT, output: [TEXT, IMAGE] }] },
])("$role messages are recognised", (message) => {
  expect(isMessage(message)).toBe(true);
});

test.each([
  null,
  "hi",
  { role: "user" },
  { role: "user", content: "hi" },
  { role: "user", content: [CALL] },
  { role: "system", content: [TEXT] },
  { role: "assistant", content: [{ ...IMAGE, data: 7 }] },
  { role: "assistant", content: [{ type: "video", text: "hi" }] },
  { role: "assistant", content: [{ ...CALL, arguments: undefined }] },
  { role: "tool", content: [{ ...RESULT, output: 3 }] },
  { role: "tool", content: [null] },
])("%j is not a message", (value) => {
  expect(isMessage(value)).toBe(false);
});

test("an image needs its type and its data", () => {
  expect(isContentPart(IMAGE)).toBe(true);
  expect(isContentPart({ ...IMAGE, data: undefined })).toBe(false);
  expect(isContentPart({ ...IMAGE, mediaType: 1 })).toBe(false);
});

test("the text of a message is its text parts, joined", () => {
  const content = [{ type: "text", text: "a" }, CALL, { type: "text", text: "b" }] as never;

  expect(textOfMessage({ role: "assistant", content } as never)).toBe("ab");
});
