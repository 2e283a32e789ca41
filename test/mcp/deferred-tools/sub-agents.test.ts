// What a sub-agent may not use can neither be found nor called.
import { expect, test } from "vitest";
import { type BaseTool, type ProviderRequest, type SubagentDefinition, ToolRegistry } from "../../../src/index.js";
import { deferTools } from "../../../src/mcp/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { testEngine, tool } from "../../engine/kit.js";

const ran: string[] = [];
const quiet = (name: string, permission: BaseTool["permission"]) =>
  tool(
    name,
    async () => {
      ran.push(name);
      return `${name} ran`;
    },
    { permission },
  );

const TOOLS = [quiet("mcp__shop__delete_order", "execute"), quiet("mcp__shop__list_orders", "read_only")];

/** What a sub-agent of this definition is shown, and what it gets when it calls both deferred tools. */
async function asChild(definition: Partial<SubagentDefinition>, options: { late?: boolean } = {}) {
  ran.length = 0;
  const base = new ToolRegistry(options.late ? [] : TOOLS);
  base.register(
    tool(
      "task",
      async (_input, { spawn }) => {
        if (options.late) for (const each of TOOLS) base.register(each);
        return (await spawn!({ name: "scout", description: "d", systemPrompt: "scout", ...definition }, "Look.")).text;
      },
      { permission: "none", timeoutMs: null, spawns: { maxDepth: 1 } },
    ),
  );
  const requests: ProviderRequest[] = [];
  const child = (request: ProviderRequest) => {
    requests.push(request);
    if (request.messages.some(({ role }) => role === "tool")) return text("Found.");
    return [...TOOLS.map(({ name }) => toolCall("call_tool", { name })), toolCall("tool_search", { query: "orders" })];
  };
  const play = (request: ProviderRequest) => {
    if (request.system.some((section) => section.text === "scout")) return child(request);
    return request.messages.some(({ role }) => role === "tool") ? text("Done.") : toolCall("task");
  };
  const { engine } = testEngine(Array.from({ length: 4 }, () => play) as never, {
    tools: deferTools(base, { keep: ["task"] }),
  });
  await engine.run("go");
  await engine.close();
  const last = requests.at(-1)!.messages.findLast(({ role }) => role === "tool")!;
  const found = String((last.content.at(-1) as { output: unknown }).output);
  return { shown: requests[0]!.tools.map(({ name }) => name), ran: [...ran], found };
}

test("one without restrictions finds and calls what its parent does", async () => {
  const { shown, ran: called, found } = await asChild({});

  expect(shown).toEqual(["tool_search", "call_tool"]);
  expect(called).toEqual(TOOLS.map(({ name }) => name));
  expect(found).toContain("mcp__shop__delete_order");
});

test.each([
  ["readOnly", { readOnly: true }],
  ["tools", { tools: ["mcp__shop__list_orders"] }],
  ["tools by wildcard", { tools: ["mcp__shop__list*"] }],
  ["disallowedTools", { disallowedTools: ["mcp__shop__delete_order"] }],
])("one narrowed by %s neither finds nor calls the rest", async (_how, definition) => {
  const { shown, ran: called, found } = await asChild(definition);

  expect(shown).toEqual(["tool_search", "call_tool"]);
  expect(called).toEqual(["mcp__shop__list_orders"]);
  expect(found).toContain("mcp__shop__list_orders");
  expect(found).not.toContain("mcp__shop__delete_order");
});

test.each([
  ["none of the deferred tools", { tools: ["read_file"] }],
  ["no call_tool", { disallowedTools: ["call_tool"] }],
])("one that may use %s is not shown the two, and calls nothing through them", async (_how, definition) => {
  const { shown, ran: called } = await asChild(definition);

  expect(shown).toEqual([]);
  expect(called).toEqual([]);
});

test("one that began before the tools joined finds them", async () => {
  const { ran: called } = await asChild({ readOnly: true }, { late: true });

  expect(called).toEqual(["mcp__shop__list_orders"]);
});
