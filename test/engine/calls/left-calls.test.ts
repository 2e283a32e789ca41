// What a tool may keep for a call: entries in the session, and whatever `endCall` releases.
import { expect, test } from "vitest";
import { AgentEngine, type SessionEntry } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { resultsOf, tool } from "../kit.js";

test("a tool records entries in the main agent's session, also from a sub-agent, and none of the engine's own", async () => {
  const sessions = createMemorySessionStore();
  const keep = tool("keep", async ({ name }: { name: string }, { record }) =>
    record!(name, { n: 1 }).then(() => "kept"),
  );
  const task = tool("task", async (_input, { spawn }) => {
    const { text } = await spawn!({ name: "a", description: "d", systemPrompt: "child" }, "go");
    return text;
  });
  const provider = scripted([
    [
      toolCall("keep", { name: "mine" }, { id: "k" }),
      toolCall("keep", { name: "loopwright.own" }, { id: "own" }),
      toolCall("task", {}),
    ],
    toolCall("keep", { name: "below" }),
    text("child is done"),
    text("done"),
  ]);
  const permissions = { decide: () => ({ behavior: "allow" as const }) };
  const engine = new AgentEngine({ provider, tools: [keep, task], sessions, permissions });

  const result = await engine.run("go", { sessionId: "s" });

  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read("s")) entries.push(entry);
  const names = entries.flatMap((entry) => (entry.type === "custom" ? [entry.name] : []));
  expect([result.status, names]).toEqual(["completed", ["mine", "below"]]);
  expect(resultsOf(result).own).toMatchObject({ isError: true, output: expect.stringContaining("loopwright.") });
});

test("a call that was left open and is not entered again is ended before the next prompt's first turn", async () => {
  const ended: unknown[] = [];
  const asks = tool("asks", async (_input, { suspend }) => suspend({ kind: "question", reason: "Which?" }, 1), {
    permission: "none",
    endCall: async (call) => void ended.push(call),
  });
  const provider = scripted([
    toolCall("asks", {}, { id: "c" }),
    () => {
      ended.push("model call");
      return text("done");
    },
  ] as never);
  const engine = new AgentEngine({ provider, tools: [asks] });
  const { status } = await engine.run("go", { sessionId: "s" });

  await engine.run("never mind", { sessionId: "s" });

  expect([status, ended]).toEqual([
    "needs-approval",
    [{ toolCallId: "c", transcriptId: "s", sessionId: "s" }, "model call"],
  ]);
});

test("a tool that cannot release what it keeps is reported, and the run goes on", async () => {
  const asks = tool("asks", async (_input, { suspend }) => suspend({ kind: "question", reason: "Which?" }, 1), {
    permission: "none",
    endCall: () => Promise.reject(new Error("no disk")),
  });
  const engine = new AgentEngine({ provider: scripted([toolCall("asks", {}), text("done")]), tools: [asks] });
  const notices: string[] = [];
  engine.on("notice", ({ message }) => notices.push(message));
  await engine.run("go", { sessionId: "s" });

  expect(await engine.run("never mind", { sessionId: "s" })).toMatchObject({ status: "completed" });
  expect(notices.join()).toContain('"asks" did not release what it held for a call: no disk');
});
