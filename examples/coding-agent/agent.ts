import { fileURLToPath } from "node:url";
import { AgentEngine, type Approver, type FactStore, type ProviderAdapter } from "loopwright";
import { createMemoryTools, factSource } from "loopwright/memory";
import { isReadOnlyCommand } from "loopwright/permissions";
import { createPrices } from "loopwright/providers";
import { createSkillTool, loadSkills } from "loopwright/skills";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { codingPermissions } from "./permissions.js";

const SYSTEM_PROMPT = `You are a careful programmer in a small repository. Look before you change anything, make the
smallest change that fixes the cause, never change a test to make it pass, and run the tests before you report.`;

/** The demo's own, so they are trusted. */
const SKILLS = fileURLToPath(new URL("../skills", import.meta.url));

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
  /** What it remembers beyond a session. */
  readonly facts: FactStore;
  /** Asks nothing: the mode `bypassPermissions`. Default: no. */
  readonly yes?: boolean;
}

/** A coding agent on one directory: the engine, the directory as its tools see it, and how to let go of both. */
export async function createAgent({ provider, directory, approver, facts, yes }: AgentParts) {
  const workspace = await createWorkspace({ root: directory, readRoots: [SKILLS] });
  const skills = await loadSkills({ dirs: [SKILLS], trustProject: true });
  const engine = new AgentEngine({
    provider,
    tools: [
      // Commands that only read may run beside each other.
      ...builtinTools(workspace, { bash: { isReadOnlyCommand } }),
      createSkillTool(skills),
      ...createMemoryTools(facts),
      ...createSubagentTools({ subagents: [reviewer] }),
    ],
    systemPrompt: SYSTEM_PROMPT,
    contextSources: [skills.source, factSource(facts)],
    permissions: skills.gate(codingPermissions(workspace, { yes })),
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
