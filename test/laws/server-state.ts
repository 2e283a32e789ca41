// A session whose conversation a server may keep: what the laws and the program that gets killed have in common.

import { createCompactionPipeline, serverCompaction, sessionMemory } from "../../src/compaction/index.js";
import { AgentEngine, defineTool, type ProviderAdapter, type SessionStore } from "../../src/index.js";
import { anthropic } from "../../src/providers/anthropic/index.js";
import { openai } from "../../src/providers/openai/index.js";
import type { Vendor } from "./keeping-server.js";

export type State = "client" | "server";

/** Every third answer ends a prompt; the others call the tool. */
export function answerTo(answers: number) {
  if (answers % 3 === 2) return { text: `Answer ${answers}.` };
  return {
    text: `Step ${answers}.`,
    toolCalls: [{ id: `call_${answers}`, name: "look", arguments: { page: answers } }],
  };
}

export function providerOf(vendor: Vendor, baseURL: string, state: State): ProviderAdapter {
  if (vendor === "anthropic") return anthropic({ model: "claude-opus-5", apiKey: "k", baseURL, state });
  return openai({ model: "gpt-5.1", api: "responses", apiKey: "k", baseURL, state });
}

/** With a window, the vendor's server sums up what does not fit into it. */
export function engineOf(provider: ProviderAdapter, sessions: SessionStore, contextWindow?: number): AgentEngine {
  const look = defineTool({
    name: "look",
    description: "Looks at a page.",
    permission: "read_only",
    input: { type: "object", properties: { page: { type: "number" } } },
    execute: async (input) => `Page ${JSON.stringify(input)} 日本語 🙂`,
  });
  const stages = [serverCompaction(), sessionMemory()];
  const compaction = createCompactionPipeline({ contextWindow, keepTurns: 2, stages });
  return new AgentEngine({ provider, sessions, tools: [look], ...(contextWindow !== undefined && { compaction }) });
}
