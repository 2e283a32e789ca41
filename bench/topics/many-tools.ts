// What 500 tools cost a request when they are found instead of shown, and what finding one costs.
import { AgentEngine, defineTool, type ProviderRequest, ToolRegistry } from "loopwright";
import { estimateTokens } from "loopwright/compaction";
import { deferTools } from "loopwright/mcp";
import { scripted, text } from "loopwright/providers/scripted";
import { fakeToolContext } from "loopwright/testing";
import { interleave } from "../measure.js";
import { isQuick, report } from "../row.js";

const ACTIONS = ["create", "get", "list", "update", "delete", "search", "archive", "export", "share", "approve"];
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
const SERVERS = ["shop", "office", "support", "sales", "finance"];

const registry = new ToolRegistry();
for (const server of SERVERS) {
  for (const action of ACTIONS) {
    for (const subject of SUBJECTS) {
      registry.register(
        defineTool({
          name: `mcp__${server}__${action}_${subject}`,
          description: `Use this to ${action} one ${subject}. Returns the ${subject} as it is afterwards, with its history.`,
          input: {
            type: "object",
            properties: {
              id: { type: "string", description: `The id of the ${subject}.` },
              note: { type: "string", description: "Why, for the record." },
            },
            required: ["id"],
          },
          permission: "execute",
          execute: async () => "done",
        }),
      );
    }
  }
}
const deferred = deferTools(registry);

async function promptTokens(tools: typeof deferred): Promise<number> {
  const provider = scripted([text("Hello.")]);
  await new AgentEngine({ provider, tools }).run("Hi.");
  const { tools: shown, messages } = provider.requests[0] as ProviderRequest;
  return estimateTokens(JSON.stringify([shown, messages]));
}

const search = { id: "1", name: "tool_search", arguments: { query: "what did the buyer send back" } };
await deferred.execute(search, fakeToolContext());
const measured = await interleave(
  { search: async () => void (await deferred.execute(search, fakeToolContext())) },
  { rounds: isQuick ? 3 : 15, warmups: 2 },
);

report([
  {
    what: "first request with 500 tools that are found, not shown (floor: with all of them shown)",
    unit: "tokens",
    ours: await promptTokens(deferred),
    floor: await promptTokens(registry as typeof deferred),
    budgets: [{ max: 1_000 }],
  },
  { what: "a search among 500 tools", unit: "ms", ours: measured.search, budgets: [{ max: 20 }] },
]);
