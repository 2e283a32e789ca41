import { expect, test } from "vitest";
import { AgentEngine, ToolRegistry } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { resultsOf, tool } from "../kit.js";

const named = (name: string) => tool(name, async () => `${name} ran`, { permission: "none" });
const outputsOf = (result: Parameters<typeof resultsOf>[0]) =>
  Object.values(resultsOf(result)).map(({ output }) => output);

test("extra tools are there for one run alone, beside the engine's", async () => {
  const provider = scripted([[toolCall("own", {}), toolCall("more", {})], text("done"), text("again")]);
  const engine = new AgentEngine({ provider, tools: [named("own")] });

  const result = await engine.run("go", { extraTools: [named("more")] });
  await engine.run("go");

  expect(outputsOf(result)).toEqual(["own ran", "more ran"]);
  expect(provider.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ["own", "more"],
    ["own", "more"],
    ["own"],
  ]);
});

test("a sub-agent has them whatever its definition names, and a registry may change meanwhile", async () => {
  const tools = new ToolRegistry([named("first")]);
  const add = tool("add", async () => (tools.register(named("late")) ? "added" : ""), { permission: "none" });
  tools.register(add);
  const provider = scripted([toolCall("add", {}), toolCall("late", {}), text("done"), text("ok")]);
  const engine = new AgentEngine({ provider, tools });

  const result = await engine.run("go", { extraTools: [named("more")] });
  const subagent = { name: "a", description: "d", systemPrompt: "s", tools: [] };
  await engine.run("go", { extraTools: [named("more")], subagent });

  expect(outputsOf(result)).toEqual(["added", "late ran"]);
  expect(provider.requests.at(-1)!.tools.map(({ name }) => name)).toEqual(["more"]);
});

test("one with the name of an engine's tool is refused", async () => {
  const engine = new AgentEngine({ provider: scripted([]), tools: [named("own")] });

  await expect(engine.run("go", { extraTools: [named("own")] })).rejects.toMatchObject({ code: "TOOL_DUPLICATE" });
  await expect(engine.run("go", { extraTools: {} as never })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});
