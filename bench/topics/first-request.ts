// What the first request of a coding agent holds before anybody has said much, by tool.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimateTokens } from "loopwright/compaction";
import { type CodingAgentOptions, createCodingAgent } from "loopwright/presets";
import { scripted, text } from "loopwright/providers/scripted";
import { report } from "../row.js";

/** The first request of an agent in an empty directory. Models are not sent the schema of a tool's value. */
async function firstRequest(options: Partial<CodingAgentOptions> = {}) {
  const root = mkdtempSync(join(tmpdir(), "first-request-"));
  const provider = scripted([text("Hello.")]);
  const agent = await createCodingAgent({ root, provider, home: null, ...options });
  await agent.engine.run("Hi.");
  await agent.close();
  rmSync(root, { recursive: true, force: true });
  const { tools: shown, system, messages } = provider.requests[0]!;
  const tools = shown.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { tools, all: [tools, system, messages] };
}

const { tools, all } = await firstRequest();
const off = { settings: false, skills: false, memory: false, mcp: false, subagents: false, compaction: false } as const;
const bare = await firstRequest(off);
const tokensOf = (value: unknown) => estimateTokens(JSON.stringify(value));
const byTool = tools.map((tool) => ({ name: tool.name, tokens: tokensOf(tool) })).sort((a, b) => b.tokens - a.tokens);
report([
  {
    what: `first request of a coding agent with ${tools.length} tools`,
    unit: "tokens",
    ours: tokensOf(all),
    budgets: [{ max: 4_000 }],
  },
  {
    what: `of one with the ${bare.tools.length} tools for files, commands, questions and the web alone`,
    unit: "tokens",
    ours: tokensOf(bare.all),
    budgets: [{ max: 3_000 }],
  },
  ...byTool.slice(0, 8).map(({ name, tokens }) => ({ what: `of it: the tool ${name}`, unit: "tokens", ours: tokens })),
]);
