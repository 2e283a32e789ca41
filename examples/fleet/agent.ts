import { AgentEngine, defineTool, type ProviderRequest, type SessionStore } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

const lookUp = defineTool({
  name: "look_up_order",
  description: "What is known of an order.",
  input: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  permission: "read_only",
  execute: async ({ order }) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return `Order ${String(order)}: one lamp, 49 EUR, delivered broken.`;
  },
});

const refund = defineTool({
  name: "refund",
  description: "Pays the price of an order back.",
  input: { type: "object", properties: { order: { type: "string" }, amount: { type: "number" } } },
  permission: "execute",
  execute: ({ order, amount }) => `Paid ${String(amount)} EUR back for order ${String(order)}.`,
});

/** Plays the model, by what is on record: any worker can go on where another has stopped. Use a real provider instead. */
function script({ messages }: ProviderRequest) {
  const from = messages.findLastIndex(
    ({ role, ...rest }) => role === "user" && !("origin" in rest && rest.origin !== "user"),
  );
  const results = messages.slice(from).flatMap((message) => (message.role === "tool" ? message.content : []));
  const settings = { chunkSize: 4, chunkDelayMs: 20 };
  if (results.length < 3) return toolCall("look_up_order", { order: `A-${results.length + 1}` });
  if (results.length === 3) return toolCall("refund", { order: "A-3", amount: 49 });
  return results[3]!.isError
    ? text("I looked at three orders and paid nothing back.", settings)
    : text("I looked at three orders. The lamp of A-3 came broken: its 49 EUR are paid back.", settings);
}

/** The agent of every worker. What it knows is in the session store, which all of them share. */
export function createSupportAgent(sessions: SessionStore): AgentEngine {
  return new AgentEngine({
    provider: scripted([script], { loop: true, record: false }),
    systemPrompt: "You help customers with their orders.",
    tools: [lookUp, refund],
    permissions: createPermissionChecker({ rules: { allow: ["look_up_order"] } }),
    sessions,
  });
}
