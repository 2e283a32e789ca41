import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { replay } from "../../src/acp/updates/replay.js";
import { SessionView } from "../../src/acp/updates/session-view.js";
import { createCompactionPipeline, micro } from "../../src/compaction/index.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { AgentEngine, defineTool, type EngineEvent, type SessionEntry } from "../../src/index.js";
import { createRemoteTool, type ToolHost } from "../../src/mcp/client/remote-tool.js";
import { PageText } from "../../src/observability/page/page-text.js";
import { pageEntryOf } from "../../src/observability/page/read-entry.js";
import { callLine } from "../../src/program/terminal/transcript/call-summary.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

const trim = defineTool({
  name: "trim_track",
  description: "Trims a track.",
  input: z.object({ file: z.string(), old_text: z.string(), new_text: z.string() }),
  permission: "read_write",
  describe: ({ file }) => ({ title: `Trim ${file ?? "a track"}`, kind: "edit", paths: [file], line: 3 }),
  execute: async () => "trimmed ".repeat(400),
});
const broken = defineTool({
  name: "broken",
  description: "Describes itself wrongly.",
  input: z.object({ what: z.string() }),
  permission: "none",
  describe: () => {
    throw new Error("boom");
  },
  execute: async () => "ok ".repeat(400),
});
const host = {
  server: "tracker",
  toolTimeoutMs: null,
  changeOf: () => "same",
  accept: () => {},
  target: () => {
    throw new Error("No server here.");
  },
} as unknown as ToolHost;
const definition = {
  name: "issue",
  description: "d",
  inputSchema: { type: "object" },
  title: "Show issue",
  isReadOnly: true,
};

/** What every view makes of a run with a call of a host's own tool, of a server's, and of one whose `describe` is broken. */
async function shown() {
  const cwd = tmpdir();
  const options = {
    cwd,
    contextWindow: () => 1,
    textOf: async () => null,
    showsNotices: false,
    showsCompaction: false,
  };
  const sessions = createMemorySessionStore();
  const issue = await createRemoteTool(host, "mcp__tracker__issue", {
    ...definition,
    isDestructive: false,
    digest: "d",
  });
  const engine = new AgentEngine({
    provider: scripted([
      toolCall("trim_track", { file: "a.wav", old_text: "x", new_text: "y" }),
      toolCall("mcp__tracker__issue", { id: 7 }),
      toolCall("broken", { what: "this" }),
      text("Done."),
    ]),
    tools: [trim, issue, broken],
    sessions,
    permissions: { decide: () => ({ behavior: "allow" }) },
    compaction: createCompactionPipeline({ stages: [micro({ keepResults: 0 })], keepTurns: 1 }),
  });
  const events: EngineEvent[] = [];
  engine.on("tool-call-start", (event) => events.push(event));
  const { sessionId } = await engine.run("Go.");
  await engine.compact(sessionId);
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(sessionId)) entries.push(entry);
  const view = new SessionView(options);
  return { cwd, entries, events, live: (await Promise.all(events.map((event) => view.updatesOf(event)))).flat() };
}

test("a tool of the host and of a server look as they say in an editor, a terminal, a page and notes", async () => {
  const { cwd, entries, events, live } = await shown();

  const inEditor = [
    {
      title: "Trim a.wav",
      kind: "edit",
      locations: [{ path: join(cwd, "a.wav"), line: 3 }],
      content: [{ type: "diff" }],
    },
    { title: "tracker: Show issue", kind: "read", locations: [] },
    { title: "broken", kind: "other", locations: [], content: [] },
  ];
  expect(live).toMatchObject(inEditor);
  const stored = entries.map((entry) => ({ entry }));
  expect([...replay(stored, cwd)].filter(({ sessionUpdate }) => sessionUpdate === "tool_call")).toMatchObject(inEditor);

  const lines = events.map((event) => {
    if (event.type !== "tool-call-start") throw new Error("Only starts were asked for.");
    return callLine({ ...event.call, description: event.description });
  });
  expect(lines).toEqual([
    { verb: "Trim", subject: "a.wav" },
    { verb: "tracker:", subject: "Show issue" },
    { verb: "broken", subject: "this" },
  ]);

  const page = entries.map((entry) => pageEntryOf(entry, new PageText(null)));
  const titles = page.flatMap((entry) =>
    entry.type === "assistant" ? entry.parts.flatMap((part) => (part.type === "call" ? [part.title] : [])) : [],
  );
  expect(titles).toEqual(["Trim a.wav", "tracker: Show issue", undefined]);

  const notes = JSON.stringify(entries.filter(({ type }) => type === "view-edit"));
  expect(notes).toContain("the result of trim_track a.wav (");
});
