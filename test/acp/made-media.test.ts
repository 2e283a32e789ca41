import { expect, test } from "vitest";
import { replay } from "../../src/acp/updates/replay.js";
import { SessionView } from "../../src/acp/updates/session-view.js";
import { AgentEngine, type SessionEntry } from "../../src/index.js";
import { scripted } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";

const PNG = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const WAV = { type: "file", mediaType: "audio/wav", data: "UklGRg==" } as const;
const PDF = { type: "file", mediaType: "application/pdf", data: "JVBERi0=", name: "a b.pdf" } as const;
const BLOCKS = [
  { type: "text", text: "Here:" },
  { type: "image", mimeType: "image/png", data: PNG.data },
  { type: "audio", mimeType: "audio/wav", data: WAV.data },
  { type: "resource", resource: { uri: "attachment:a%20b.pdf", mimeType: "application/pdf", blob: PDF.data } },
];

test("an editor is shown what the model makes, while it makes it and when the session is opened again", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([["Here:", PNG, WAV, PDF]]), sessions });
  const view = new SessionView({
    cwd: "/",
    contextWindow: () => undefined,
    textOf: async () => null,
    showsNotices: false,
    showsCompaction: false,
  });

  const live = [];
  const run = engine.stream("Draw.");
  for await (const event of run) live.push(...(await view.updatesOf(event)));
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(run.sessionId)) entries.push(entry);
  const again = [
    ...replay(
      entries.map((entry) => ({ entry })),
      "/",
    ),
  ].filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");

  const chunks = live.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  expect(chunks.map((update) => "content" in update && update.content)).toEqual(BLOCKS);
  expect(new Set(chunks.map((update) => "messageId" in update && update.messageId)).size).toBe(1);
  expect(again.map((update) => "content" in update && update.content)).toEqual(BLOCKS);
});
