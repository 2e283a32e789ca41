import { expect, test } from "vitest";
import { replay } from "../../src/acp/updates/replay.js";
import { SessionView } from "../../src/acp/updates/session-view.js";
import { AgentEngine, type ProviderAdapter, type SessionEntry } from "../../src/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";

const CALL = { id: "srv_1", name: "web_search", input: { query: "loops" }, trust: "untrusted" } as const;
const FOUND = { id: "srv_1", name: "web_search", output: "Two loops.", trust: "untrusted" } as const;
const FAILED = {
  id: "srv_2",
  name: "web_fetch",
  input: {},
  output: "gone",
  isError: true,
  trust: "untrusted",
} as const;

const searching: ProviderAdapter = {
  id: "vendor",
  model: "searching",
  async *stream() {
    yield { type: "message-start" };
    for (const serverTool of [CALL, FOUND, FAILED])
      yield { type: "reasoning-end", providerData: { block: serverTool.id }, serverTool };
    yield { type: "text-delta", text: "Found." };
    yield { type: "message-end", finishReason: "stop" };
  },
};

test("an editor is shown what the vendor's server does, while it does it and when the session is opened again", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: searching, sessions });
  const view = new SessionView({
    cwd: "/",
    contextWindow: () => undefined,
    textOf: async () => null,
    showsNotices: false,
    showsCompaction: false,
  });

  const live = [];
  const run = engine.stream("Search.");
  for await (const event of run) live.push(...(await view.updatesOf(event)));
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(run.sessionId)) entries.push(entry);
  const again = [
    ...replay(
      entries.map((entry) => ({ entry })),
      "/",
    ),
  ];

  const isTool = ({ sessionUpdate }: { sessionUpdate: string }) => sessionUpdate.startsWith("tool_call");
  const text = (said: string) => [{ type: "content", content: { type: "text", text: expect.stringContaining(said) } }];
  expect(live.filter(isTool)).toMatchObject([
    { sessionUpdate: "tool_call", title: "web_search", kind: "other", rawInput: CALL.input, status: "in_progress" },
    { sessionUpdate: "tool_call_update", status: "completed", content: text("Two loops.") },
    { sessionUpdate: "tool_call", title: "web_fetch", status: "failed", content: text("gone") },
  ]);
  const plain = (updates: readonly object[]) => updates.map((update) => ({ ...update, toolCallId: "" }));
  expect(plain(again.filter(isTool))).toEqual(plain(live.filter(isTool)));
});
