import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { AgentEngine, defineTool } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, deleteSession } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { createArtifactStore } from "../../src/workspace/index.js";
import { gate, talking } from "../http/agents.js";
import { collect, temporaryDirectory } from "./kit.js";

const helper = defineSubagent({ name: "helper", description: "Helps.", systemPrompt: "Help.", tools: [] });
const asked = toolCall("task", { subagent_type: "helper", prompt: "Help." });

test("the sessions of its sub-agents go with it, of all its branches, and those of no other session", async () => {
  const sessions = createMemorySessionStore();
  const turns = [
    asked,
    text("Helped."),
    text("1"),
    asked,
    text("Helped."),
    text("2"),
    asked,
    text("Helped."),
    text("3"),
  ];
  const engine = new AgentEngine({
    provider: scripted(turns),
    tools: createSubagentTools({ subagents: [helper] }),
    sessions,
  });
  await engine.run("a", { sessionId: "one" });
  await engine.run("b", { sessionId: "one", after: null });
  await engine.run("c", { sessionId: "two" });
  expect(await collect(sessions.list({ prefix: "sub-" }))).toHaveLength(3);

  await deleteSession(engine, "one");

  expect((await collect(sessions.list())).map(({ id }) => id)).toEqual(["two"]);
  expect(await collect(sessions.list({ prefix: "sub-" }))).toHaveLength(1);
  await deleteSession(engine, "one");
  await expect(deleteSession(engine, "")).rejects.toMatchObject({ code: "OPTION_INVALID" });
});

test("a run under way is aborted first; SESSION_BUSY while another engine runs it, and nothing is deleted", async () => {
  const sessions = createMemorySessionStore();
  const held = gate();
  const engine = new AgentEngine({ provider: talking(2, () => held.opened), sessions });
  const begun = new Promise((resolve) => engine.on("turn-start", resolve));
  const run = engine.stream("Go.", { sessionId: "s" });
  await begun;
  const other = new AgentEngine({ provider: scripted([]), sessions });
  const before = (await collect(sessions.read("s"))).length;

  await expect(deleteSession(other, "s")).rejects.toMatchObject({ code: "SESSION_BUSY" });
  expect((await collect(sessions.read("s"))).length).toBe(before);

  await deleteSession(engine, "s");
  held.open();
  expect((await run.result).status).toBe("aborted");
  expect(await collect(sessions.list())).toEqual([]);
});

test("its artifacts go with it", async () => {
  const dir = temporaryDirectory();
  const artifacts = createArtifactStore({ dir, keep: true });
  const dump = defineTool({
    name: "dump",
    description: "Says much.",
    permission: "none",
    maxResultChars: 100,
    execute: () => "x".repeat(1_000),
  });
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: scripted([toolCall("dump"), text("Done.")]),
    tools: [dump],
    sessions,
    artifacts,
  });
  await engine.run("Go.", { sessionId: "used" });
  const kept = () => readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(kept()).not.toEqual([]);

  await deleteSession(engine, "used");

  expect(kept()).toEqual([]);
});
