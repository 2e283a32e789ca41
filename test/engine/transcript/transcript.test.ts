// One reducer: a transcript cannot become invalid.
import { expect, test } from "vitest";
import { freeCallId } from "../../../src/engine/transcript/message-shape.js";
import { Transcript } from "../../../src/engine/transcript/transcript.js";
import {
  type Message,
  repairTranscript,
  type SessionEntry,
  type SessionRecord,
  type ToolResult,
  validateTranscript,
} from "../../../src/index.js";

let count = 0;
const entry = (record: SessionRecord): SessionEntry => {
  const id = `e${++count}`;
  return { v: 1, id, parent: null, at: 0, runId: "r", turn: 1, ...record };
};
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool-call", id, name: "t", arguments: {} })),
  finishReason: "tool-calls",
  provider: "p",
  model: "m",
});
const results = (...ids: string[]): Message => ({
  role: "tool",
  content: ids.map((id) => ({ type: "tool-result", toolCallId: id, name: "t", output: id, isError: false })),
});
const result = (toolCallId: string): ToolResult => ({
  toolCallId,
  name: "t",
  output: toolCallId,
  isError: false,
  status: "success",
  durationMs: 0,
});
const said = (message: Message) => entry({ type: "message", message: message as never });
const settled = (id: string) => entry({ type: "tool-result", result: result(id) });

function transcriptOf(...entries: SessionEntry[]): Transcript {
  const transcript = new Transcript();
  for (const one of entries) transcript.apply(one);
  return transcript;
}

test("results come in as calls settle and stand in call order", () => {
  const transcript = transcriptOf(
    said(user("go")),
    said(calls("a", "b", "c")),
    settled("c"),
    settled("a"),
    settled("b"),
  );

  expect(transcript.messages).toEqual([user("go"), calls("a", "b", "c"), results("a", "b", "c")]);
  expect(transcript.open).toBeNull();
  expect(validateTranscript(transcript.messages)).toEqual([]);
});

test.each<[string, SessionEntry[]]>([
  ["a result nobody asked for", [settled("a")]],
  ["a second result", [said(calls("a", "b")), settled("a"), settled("a")]],
  ["a result after the turn was closed", [said(calls("a")), settled("a"), settled("a")]],
  ["a user message while a call is open", [said(calls("a")), said(user("?"))]],
  ["an assistant message while a call is open", [said(calls("a")), said(calls("b"))]],
  ["an empty call id", [said(calls(""))]],
  ["a call id twice in a message", [said(calls("a", "a"))]],
  ["a call id used before", [said(calls("a")), settled("a"), said(calls("a"))]],
  ["a start of no call", [entry({ type: "tool-start", toolCallId: "a", inputDigest: "" })]],
  ["an entry of an unknown type", [entry({ type: "surprise" } as never)]],
  [
    "a view edit of what is not in the view",
    [entry({ type: "view-edit", stage: "s", from: "x", to: "y", replacement: [], report: {} as never })],
  ],
])("%s is refused, and the transcript stays as it was", (_what, entries) => {
  const last = entries.pop()!;
  const transcript = transcriptOf(...entries);
  const before = JSON.stringify(transcript);

  expect(() => transcript.apply(last)).toThrow(expect.objectContaining({ code: "TRANSCRIPT_INVALID" }));
  expect(JSON.stringify(transcript)).toBe(before);
});

test("a view edit shrinks the view and leaves the messages whole", () => {
  const entries = [said(user("old")), said(calls("a")), settled("a"), said(user("new"))];
  const transcript = transcriptOf(...entries);
  const summary = user("summary");

  transcript.apply(
    entry({
      type: "view-edit",
      stage: "snip",
      from: entries[0]!.id,
      to: entries[2]!.id,
      replacement: [summary as never],
      report: {} as never,
    }),
  );

  expect(transcript.view).toEqual([summary, user("new")]);
  expect(transcript.messages).toEqual([user("old"), calls("a"), results("a"), user("new")]);
  expect(transcript.viewEntryIds).toHaveLength(2);
});

test("a view edit that parts a call from its result is refused", () => {
  const entries = [said(user("old")), said(calls("a")), settled("a")];
  const transcript = transcriptOf(...entries);
  const edit = { stage: "snip", from: entries[0]!.id, to: entries[1]!.id, replacement: [], report: {} as never };

  expect(() => transcript.apply(entry({ type: "view-edit", ...edit }))).toThrow("invalid view");
  expect(transcript.view).toHaveLength(3);
});

test("the view is one array that only grows between edits", () => {
  const transcript = transcriptOf(said(user("1")));
  const { view } = transcript;

  transcript.apply(said(user("2")));

  expect(transcript.view).toBe(view);
  expect(view).toHaveLength(2);
});

test("validateTranscript names the place and the calls of each fault", () => {
  const issues = validateTranscript([
    calls("a"),
    user("?"),
    results("b"),
    calls("c", "c"),
    results("c", "c"),
    calls("d"),
  ]);

  expect(issues.map(({ index }) => index)).toEqual([1, 2, 3, 5]);
  expect(issues[1]!.message).toBe("results for [b] where the calls are []");
});

test("validateTranscript accepts an open last message when told so", () => {
  expect(validateTranscript([calls("a")])).toHaveLength(1);
  expect(validateTranscript([calls("a")], { allowOpen: true })).toEqual([]);
  expect(validateTranscript([calls("a"), user("?")], { allowOpen: true })).toHaveLength(1);
});

test.each<[string, Message[]]>([
  ["missing results", [calls("a", "b"), results("a"), user("?")]],
  ["no results at all", [calls("a"), calls("b")]],
  ["results in another order", [calls("a", "b"), results("b", "a")]],
  ["results in several messages", [calls("a", "b"), results("a"), results("b")]],
  ["results without calls", [user("?"), results("a"), user("!")]],
  ["repeated ids", [calls("a", "a"), results("a", "a"), calls("a"), results("a")]],
  ["empty ids", [calls("", ""), results("", "")]],
])("repairTranscript makes a valid transcript of one with %s", (_what, messages) => {
  const repaired = repairTranscript(messages);

  expect(validateTranscript(repaired)).toEqual([]);
  expect(repairTranscript(repaired)).toBe(repaired);
});

test("repairTranscript keeps the results it finds and says which were lost", () => {
  const repaired = repairTranscript([calls("a", "b"), results("b")]);

  expect(repaired[1]!.content).toMatchObject([
    { toolCallId: "a", isError: true, output: expect.stringContaining("lost") },
    { toolCallId: "b", isError: false, output: "b" },
  ]);
});

test("repairTranscript returns valid messages as they are", () => {
  const messages = [user("go"), calls("a"), results("a")];

  expect(repairTranscript(messages)).toBe(messages);
});

test("a free call id keeps what was asked for, or adds the next number", () => {
  const taken = new Set(["x", "x-2", "call-1"]);
  const isTaken = (id: string) => taken.has(id);

  expect(freeCallId("y", isTaken)).toBe("y");
  expect(freeCallId("x", isTaken)).toBe("x-3");
  expect(freeCallId("", isTaken)).toBe("call-2");
});

test("the thousandth use of one call id costs no more than the second", () => {
  const taken = new Set(["x"]);
  const suffixes = new Map<string, number>();
  let looks = 0;
  const isTaken = (id: string) => {
    looks++;
    return taken.has(id);
  };

  for (let use = 0; use < 1_000; use++) taken.add(freeCallId("x", isTaken, suffixes));

  expect(taken.size).toBe(1_001);
  expect(looks).toBeLessThanOrEqual(2_000);
});
