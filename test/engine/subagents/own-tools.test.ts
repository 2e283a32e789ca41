import { expect, test } from "vitest";
import { AgentEngine, type BaseTool, defineTool, type SubagentDefinition } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";

const tool = (name: string, permission: BaseTool["permission"], says = name) =>
  defineTool({ name, description: name, input: { type: "object" }, permission, execute: async () => says });

/** What a sub-agent is offered, what its tool `shared` says, and what its parent reads of its end. */
async function offered(definition: Partial<SubagentDefinition>) {
  const provider = scripted([
    toolCall("task", { prompt: "Go.", subagent_type: "worker" }),
    ({ tools }) => (tools.some(({ name }) => name === "shared") ? toolCall("shared", {}) : text("Nothing.")),
    ({ lastToolResult }) => text(String(lastToolResult?.output)),
    text("Done."),
  ]);
  const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "Work.", ...definition });
  const tools = [tool("shared", "read_only", "the parent's"), ...createSubagentTools({ subagents: [worker] })];
  const engine = new AgentEngine({ provider, tools });
  const result = await engine.run("Go.");
  await engine.close();
  const [, child] = provider.requests;
  return { tools: child?.tools.map(({ name }) => name), provider, result };
}

test("a sub-agent's own tools join its parent's, of whose tools with the same name it has the parent's", async () => {
  const ownTools = async () => [tool("own", "read_only"), tool("shared", "read_only", "its own")];

  const { tools, provider } = await offered({ ownTools });

  expect(tools).toEqual(["shared", "own"]);
  expect(provider.requests[2]?.lastToolResult).toMatchObject({ output: "the parent's" });
});

test("`disallowedTools` and `readOnly` hold for own tools; `tools` does not choose among them", async () => {
  const ownTools = () => [tool("reads", "read_only"), tool("writes", "read_write"), tool("spoken", "read_only")];

  const { tools } = await offered({ ownTools, tools: ["shared"], readOnly: true, disallowedTools: ["spoken"] });

  expect(tools).toEqual(["shared", "reads"]);
});

test.each([
  ["rejects", () => Promise.reject(new Error("The server is down."))],
  [
    "throws",
    () => {
      throw new Error("The server is down.");
    },
  ],
])("when ownTools %s, the sub-agent fails, and its parent reads why", async (_, ownTools) => {
  const { provider } = await offered({ ownTools });

  expect(provider.requests[1]?.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining("The server is down."),
  });
});

test("a fork with tools of its own is refused", () => {
  const fork = { name: "f", description: "d", systemPrompt: "", kind: "fork" as const, ownTools: () => [] };

  expect(() => defineSubagent(fork)).toThrow(/is a fork with ownTools/);
});
