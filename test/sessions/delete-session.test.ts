import { expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, deleteSession } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { gate, talking } from "../http/agents.js";
import { collect } from "./kit.js";

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
