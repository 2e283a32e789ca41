import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FUNCTION, PATH, required } from "../json/check-options.js";
import { builtinTools } from "../tools/builtin-tools.js";
import type { WebSearchOptions } from "../tools/web/web-search.js";
import type { Agent } from "./agent.js";
import { openAgent } from "./open-agent.js";
import { type AgentOptions, checkAgentOptions } from "./options.js";
import { contextTools, factTools, readingSubagentTools, skillTools } from "./preset-tools.js";
import { RESEARCH_PROMPT } from "./prompts.js";

/** Options of `createResearchAgent()`. */
export interface ResearchAgentOptions<Context = unknown> extends AgentOptions<Context> {
  /** Asks a search service of the host's choice. */
  readonly search: WebSearchOptions["search"];
  /** A directory whose files belong to the question. Default: an empty one for notes, removed when the agent is closed. */
  readonly root?: string | undefined;
}

/**
 * An agent that searches the web, reads pages and reports with sources.
 *
 * Searching runs without approval. So does reading a page, unless the agent has a `root`: an address can carry out what
 * stands in its files, so then pages ask. It writes notes into a directory of its own; in a `root` that asks, too. It runs no
 * programs. Settings, skills, agents and servers are not read unless their options are `true`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function createResearchAgent<Context = unknown>(options: ResearchAgentOptions<Context>): Promise<Agent> {
  checkAgentOptions("createResearchAgent()", options, { search: required(FUNCTION), root: PATH });
  const { search, root } = options;
  const own =
    root === undefined && !options.workspace ? await mkdtemp(join(tmpdir(), "loopwright-research-")) : undefined;
  const removeOwn = async () => own && rm(own, { recursive: true, force: true });
  const { settings = false, skills = false, mcp = false, subagents = [] } = options;
  const alone = { ...options, settings, skills, mcp, subagents };
  try {
    return await openAgent(root ?? own, alone, {
      systemPrompt: RESEARCH_PROMPT,
      rules: { allow: own === undefined ? ["web_search"] : ["web_search", "web_fetch", "write_file", "edit_file"] },
      tools: (parts) => {
        parts.closers.add({ close: removeOwn });
        return [
          ...parts.workspaces.tools(({ workspace }) =>
            builtinTools(workspace, { names: TOOLS, webFetch: {}, webSearch: { search } }),
          ),
          ...contextTools(parts, options),
          ...skillTools(parts),
          ...factTools(parts),
          ...readingSubagentTools(parts, options),
        ];
      },
    });
  } catch (error) {
    await removeOwn();
    throw error;
  }
}

const TOOLS = [
  "web_search",
  "web_fetch",
  "read_file",
  "write_file",
  "edit_file",
  "glob",
  "grep",
  "list_dir",
  "todo_write",
  "ask_user",
] as const;
