// What the first request of a coding agent holds before anybody has said much, by tool.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimateTokens } from "loopwright/compaction";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text } from "loopwright/providers/scripted";
import { report } from "../row.js";

const root = mkdtempSync(join(tmpdir(), "first-request-"));
const provider = scripted([text("Hello.")]);
const agent = await createCodingAgent({ root, provider });
await agent.engine.run("Hi.");
await agent.close();
rmSync(root, { recursive: true, force: true });

const { tools: shown, system, messages } = provider.requests[0]!;
// Models are not sent the schema of a tool's value.
const tools = shown.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const tokensOf = (value: unknown) => estimateTokens(JSON.stringify(value));
const byTool = tools.map((tool) => ({ name: tool.name, tokens: tokensOf(tool) })).sort((a, b) => b.tokens - a.tokens);
report([
  {
    what: `first request of a coding agent with ${tools.length} tools`,
    unit: "tokens",
    ours: tokensOf([tools, system, messages]),
    budgets: [{ max: 4_000 }],
  },
  ...byTool.slice(0, 8).map(({ name, tokens }) => ({ what: `of it: the tool ${name}`, unit: "tokens", ours: tokens })),
]);
