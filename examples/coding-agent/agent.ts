import { AgentEngine, type Approver, type ProviderAdapter } from "loopwright";
import { isReadOnlyCommand } from "loopwright/permissions";
import { createPrices } from "loopwright/providers";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { codingPermissions } from "./permissions.js";

const SYSTEM_PROMPT = `You are a careful programmer in a small repository. Look before you change anything, make the
smallest change that fixes the cause, never change a test to make it pass, and run the tests before you report.`;

/** Sees nothing of how a change was made, and can change nothing itself. */
const reviewer = defineSubagent({
  name: "reviewer",
  description: "Reviews a change with fresh eyes. Reads only. Say which files changed and what they should do now.",
  systemPrompt: `You review a change that another agent has made. Read the changed files, look for what the change breaks
or misses, and report in a few lines: what you checked, what is wrong, with path and line. Say so if nothing is.`,
  readOnly: true,
});

/** What an agent on one directory needs to know. */
export interface AgentParts {
  readonly provider: ProviderAdapter;
  /** The directory it may read and change. */
  readonly directory: string;
  /** Answers what the rules do not decide by themselves. */
  readonly approver: Approver;
  /** Asks nothing: the mode `bypassPermissions`. Default: no. */
  readonly yes?: boolean;
}

/** A coding agent on one directory: the engine, the directory as its tools see it, and how to let go of both. */
export async function createAgent({ provider, directory, approver, yes }: AgentParts) {
  const workspace = await createWorkspace({ root: directory });
  const engine = new AgentEngine({
    provider,
    // Commands that only read may run beside each other.
    tools: [
      ...builtinTools(workspace, { bash: { isReadOnlyCommand } }),
      ...createSubagentTools({ subagents: [reviewer] }),
    ],
    systemPrompt: SYSTEM_PROMPT,
    permissions: codingPermissions(workspace, { yes }),
    approver,
    artifacts: workspace.artifacts,
    prices: createPrices(),
    limits: { maxTurns: 50 },
  });

  return {
    engine,
    workspace,
    async close(): Promise<void> {
      await engine.close();
      await workspace.close();
    },
  };
}
