// Images and files that a model makes: they are a part of its message, of the events and of the session, whatever becomes of the run.
import { expect, test } from "vitest";
import { sizeOf } from "../../src/engine/model/message-builder.js";
import { estimateMessageTokens } from "../../src/engine/run/usage-meter.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { AgentEngine, latestMedia, type Message, type ProviderEvent } from "../../src/index.js";
import { scripted, toolCall } from "../../src/providers/scripted/index.js";
import { issuesOf, listen, ofType, played, testEngine, tool } from "./kit.js";

const PNG = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const WAV = { type: "file", mediaType: "audio/wav", data: "UklGRg==", name: "a.wav" } as const;
const end: ProviderEvent = { type: "message-end", finishReason: "stop" };
const look = tool("look", async () => "seen", { permission: "read_only" });

test("an image between two texts and two calls keeps its place, and is an event", async () => {
  const { engine } = testEngine([["One", PNG, toolCall("look"), "two", WAV, toolCall("look")], "Done."], {
    tools: [look],
  });

  const { events, result } = await played(engine.stream("Draw."));

  const said = result.messages()[1] as Extract<Message, { role: "assistant" }>;
  expect(said.content.map(({ type }) => type)).toEqual(["text", "image", "tool-call", "text", "file", "tool-call"]);
  expect(said.content[1]).toEqual(PNG);
  expect(ofType(events, "media").map(({ part }) => part)).toEqual([PNG, WAV]);
  expect(issuesOf(result)).toEqual([]);
  expect(latestMedia(result.messages())).toEqual([PNG, WAV]);
});

test("an answer that is nothing but an image completes the run", async () => {
  const { engine, provider } = testEngine([[PNG]]);

  const result = await engine.run("Draw.");

  expect(result).toMatchObject({ status: "completed", text: "", turns: 1 });
  expect(latestMedia(result.messages())).toEqual([PNG]);
  provider.assertExhausted();
});

test("an image does not save an answer from the schema it has to fit", async () => {
  const { engine } = testEngine([[PNG], ['{"a":1}']], {
    output: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  });

  const result = await engine.run("Draw.");

  expect(result).toMatchObject({ status: "completed", output: { a: 1 }, turns: 2 });
});

test("what the provider wants back stays with the part, and not with what is taken from it", async () => {
  const signed = { ...PNG, providerData: { signature: "s" } };
  const { engine, provider } = testEngine([[signed], "Done."]);

  await engine.run("Draw.", { sessionId: "s" });
  const result = await engine.run("And now?", { sessionId: "s" });

  expect(provider.requests[1]!.messages[1]!.content).toEqual([signed]);
  expect(latestMedia(result.messages().slice(0, 2))).toEqual([PNG]);
  expect(latestMedia(result.messages())).toEqual([]);
});

test.each([
  ["not base64", { ...PNG, data: "no base64!" }],
  ["base64 that is cut off", { ...PNG, data: "iVBORw0KGg" }],
  ["padding in the middle", { ...PNG, data: "iVBO=w==" }],
  ["nothing", { ...PNG, data: "" }],
  ["no type", { type: "image", data: PNG.data }],
  ["a text", { type: "text", text: "hi" }],
  ["null", null],
])("an image that is %s is reported and skipped", async (_, part) => {
  const events = [{ type: "message-start" }, { type: "media", part }, { type: "text-delta", text: "Hi." }, end];
  const { engine } = testEngine([{ events: events as ProviderEvent[] }]);
  const notices = listen(engine, "notice");

  const result = await engine.run("Draw.");

  expect(result).toMatchObject({ status: "completed", text: "Hi." });
  expect(latestMedia(result.messages())).toEqual([]);
  expect(notices).toMatchObject([{ code: "PROVIDER_NONSENSE", message: expect.stringContaining('"media"') }]);
});

test("a broken stream takes its image along, and the next one brings it once", async () => {
  const { engine } = testEngine([{ text: "Again.", restartAfter: [PNG] }]);

  const { events, result } = await played(engine.stream("Draw."));

  expect(events.map(({ type }) => type).filter((type) => type === "media" || type === "model-restart")).toEqual([
    "media",
    "model-restart",
  ]);
  expect(latestMedia(result.messages())).toEqual([]);
  expect(result.text).toBe("Again.");
});

test("a run that is aborted behind an image keeps it, and goes on with it in another process", async () => {
  const sessions = createMemorySessionStore();
  const provider = scripted([[PNG, { text: "never said", chunkDelayMs: 60_000 }]]);
  const run = new AgentEngine({ provider, sessions }).stream("Draw.", { sessionId: "s" });
  for await (const event of run) if (event.type === "media") run.abort("enough");
  const { status, messages } = await run.result;

  const next = scripted(["Done."]);
  const result = await new AgentEngine({ provider: next, sessions }).run("And now?", { sessionId: "s" });

  expect(status).toBe("aborted");
  expect(messages()[1]).toMatchObject({ content: [PNG], finishReason: "aborted" });
  expect(next.requests[0]!.messages[1]!.content).toEqual([PNG]);
  expect(result.status).toBe("completed");
});

test("an image counts as one in estimates, and by its size in what a response may hold", () => {
  const data = "A".repeat(4_000_000);
  const message = (content: unknown) => ({ role: "assistant", content }) as unknown as Message;
  const large = { type: "image", mediaType: "image/png", data };
  const result = { type: "tool-result", toolCallId: "1", name: "look", output: [large], isError: false };

  expect(estimateMessageTokens(message([large]))).toBeLessThan(1_600);
  expect(estimateMessageTokens(message([large]))).toBeGreaterThan(1_400);
  expect(estimateMessageTokens({ role: "tool", content: [result] } as unknown as Message)).toBeLessThan(1_700);
  expect(sizeOf({ type: "media", part: large as never })).toBeGreaterThan(4_000_000);
});

test("images without end are cut off at the limit of a response", async () => {
  const flood = Array.from({ length: 5 }, () => ({ ...PNG, data: "A".repeat(1_000) }));
  const { engine } = testEngine([flood], { limits: { maxResponseBytes: 3_000 }, retry: false });

  expect(await engine.run("Draw.")).toMatchObject({ status: "failed", error: { code: "RESPONSE_TOO_LARGE" } });
});

test("a history of the host may hold what a model has made", async () => {
  const { engine, provider } = testEngine(["Done."]);

  await engine.run("And now?", {
    history: [
      { role: "user", content: "Draw." },
      { role: "assistant", content: [PNG], finishReason: "stop", provider: "another", model: "m" },
    ],
  });

  expect(provider.requests[0]!.messages[1]!.content).toEqual([PNG]);
});
