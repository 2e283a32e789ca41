// Shows: an agent with 300 tools, of which the model is shown two. It finds the one it needs and calls it; the gate sees that tool.
// Run:   npx tsx examples/33-many-tools.ts
// Expect: a prompt that stays small, a search that finds the refund among 300 tools, and an approval that names it.
import assert from "node:assert/strict";
import { AgentEngine, defineTool, ToolRegistry } from "loopwright";
import { deferTools, mcpToolNames } from "loopwright/mcp";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const ACTIONS = ["create", "get", "list", "update", "delete", "search", "archive", "export", "share", "refund"];
const SUBJECTS = [
  "order",
  "invoice",
  "customer",
  "ticket",
  "product",
  "report",
  "campaign",
  "contract",
  "shipment",
  "user",
];
const SERVERS = ["shop", "office", "support"];

const registry = new ToolRegistry();
for (const server of SERVERS) {
  const tools = ACTIONS.flatMap((action) => SUBJECTS.map((subject) => `${action}_${subject}`));
  for (const [tool, name] of mcpToolNames(server, tools)) {
    const [action, subject] = tool.split("_");
    registry.register(
      defineTool({
        name,
        description: `Use this to ${action} one ${subject} of the ${server}.`,
        input: z.object({ id: z.string().describe(`Which ${subject}.`) }),
        permission: "execute",
        execute: async ({ id }) => `${action} ${subject} ${id}: done`,
      }),
    );
  }
}

const provider = scripted([
  toolCall("tool_search", { query: "give the buyer in the shop the money for an order back" }),
  toolCall("call_tool", { name: "mcp__shop__refund_order", arguments: { id: "1001" } }),
  text("The money is on its way."),
]);
const engine = new AgentEngine({
  provider,
  tools: deferTools(registry),
  permissions: createPermissionChecker({ rules: { deny: ["mcp__shop__delete_order"] } }),
  approver: ({ tool, input }) => {
    console.log("asked:", tool, JSON.stringify(input));
    return { decision: "allow" };
  },
});

const result = await engine.run("Order 1001 came broken. Give the customer the money back.");
const [first, second] = provider.requests;
const found = String(second?.lastToolResult?.output);
console.log(
  `${registry.list().length} tools, of which the model is shown ${first?.tools.map(({ name }) => name).join(" and ")}`,
);
console.log(
  found
    .split("\n")
    .filter((line) => line.startsWith("mcp__"))
    .slice(0, 3)
    .join("\n"),
);
console.log(result.text);

assert.equal(registry.list().length, 300);
assert.deepEqual(
  first?.tools.map(({ name }) => name),
  ["tool_search", "call_tool"],
);
assert.ok(JSON.stringify([first?.tools, first?.messages]).length < 4_000);
assert.match(found, /\nmcp__shop__refund_order\n/);
assert.equal(provider.requests[2]?.lastToolResult?.output, "refund order 1001: done");
