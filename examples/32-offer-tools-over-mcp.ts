// Shows: tools offered to any MCP client, through a gate; and a whole agent offered as one tool.
// Run:   npx tsx examples/32-offer-tools-over-mcp.ts
// Expect: a sum, a refusal that says why, and the agent's answer, all as a client sees them.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AgentEngine, defineTool, ToolRegistry } from "loopwright";
import { serveMcp } from "loopwright/mcp";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  permission: "none",
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});
const erase = defineTool({
  name: "erase",
  description: "Erases everything.",
  permission: "execute",
  execute: () => "erased",
});
const registry = new ToolRegistry([add, erase]);
const gate = createPermissionChecker({ rules: { deny: ["erase"] } });

// On a port of this machine; `transport: "stdio"` makes a program of it that clients start themselves.
const tools = await serveMcp(registry, { gate, transport: {} });

const provider = scripted([toolCall("add", { a: 20, b: 22 }), text("It is 42.")]);
const engine = new AgentEngine({ provider, tools: registry, permissions: gate });
const agent = await serveMcp(engine, { agent: { name: "mathematician", description: "Answers." }, transport: {} });

async function ask(url: string | undefined, name: string, input: Record<string, unknown>): Promise<string> {
  const client = new Client({ name: "example", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url ?? "")));
  const { content } = await client.callTool({ name, arguments: input });
  await client.close();
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

const answers = [
  await ask(tools.url, "add", { a: 1, b: 2 }),
  await ask(tools.url, "erase", {}),
  await ask(agent.url, "mathematician", { prompt: "How much is 20 + 22?" }),
];
await Promise.all([tools.close(), agent.close()]);
await engine.close();

for (const answer of answers) console.log(answer);
assert.equal(answers[0], "3");
assert.match(answers[1] ?? "", /^PERMISSION_DENIED/);
assert.match(answers[2] ?? "", /^It is 42\./);
