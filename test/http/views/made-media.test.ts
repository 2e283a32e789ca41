// A picture that the model makes, as each kind of client gets it.
import { EventSchema } from "@ag-ui/core/schemas";
import { uiMessageChunkSchema, validateUIMessages } from "ai";
import { expect, test } from "vitest";
import { toAgUi, toSse, toUiMessageStream } from "../../../src/http/index.js";
import { eventsOfSession } from "../../../src/http/views/session-events.js";
import { scripted } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { newEngine } from "../agents.js";
import { allEvents } from "../loopback.js";

const PNG = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const draw = () => newEngine({ provider: scripted([["Here:", PNG, "Nice?"]]) }).stream("Draw.");

test("server-sent events have the part", async () => {
  const events = (await allEvents(toSse(draw()))).map(({ data }) => data);

  expect(events.filter(({ type }) => type === "media")).toMatchObject([{ part: PNG }]);
});

test("the AI SDK's client gets a file between two texts", async () => {
  const chunks = (await allEvents(toUiMessageStream(draw()))).map(({ data }) => data);

  const types = chunks.map(({ type }) => type);
  expect(types.slice(2, -3)).toEqual([
    ...["text-start", "text-delta", "text-end", "file", "text-start", "text-delta", "text-end"],
  ]);
  const file = chunks.find(({ type }) => type === "file")!;
  expect(file).toEqual({ type: "file", mediaType: "image/png", url: `data:image/png;base64,${PNG.data}` });
  expect((await uiMessageChunkSchema().validate!(file)).success).toBe(true);
  await validateUIMessages({ messages: [{ id: "1", role: "assistant", parts: [file] }] });
});

test("AG-UI's client gets a custom event in the words of its content parts, between two messages", async () => {
  const events = (await allEvents(toAgUi(draw()))).map(({ data }) => data);

  const types = events.map(({ type }) => type);
  const at = types.indexOf("CUSTOM");
  expect(types.slice(at - 1, at + 2)).toEqual(["TEXT_MESSAGE_END", "CUSTOM", "TEXT_MESSAGE_START"]);
  expect(events[at]).toEqual({
    type: "CUSTOM",
    name: "media",
    value: { type: "image", source: { type: "data", value: PNG.data, mimeType: "image/png" } },
  });
  for (const event of events) expect(EventSchema.safeParse(event).success).toBe(true);
});

test("a client whose events are gone gets the picture from the session", async () => {
  const sessions = createMemorySessionStore();
  const result = await newEngine({ provider: scripted([["Here:", PNG]]), sessions }).run("Draw.");
  const entries = [];
  for await (const entry of sessions.read(result.sessionId)) entries.push(entry);
  const { runId, sessionId } = result;

  const events = eventsOfSession({ type: "session", runId, sessionId, seq: 9, entries });

  expect(events.map(({ type }) => type)).toEqual(["turn-start", "text-delta", "media"]);
  expect(events[2]).toMatchObject({ part: PNG });
});
