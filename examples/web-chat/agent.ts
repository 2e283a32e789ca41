import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AgentEngine, type ProviderAdapter } from "loopwright";
import { createPermissionChecker, isReadOnlyCommand } from "loopwright/permissions";
import { createPrices } from "loopwright/providers";
import { createFileSessionStore } from "loopwright/sessions";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const SYSTEM_PROMPT = `You are a careful programmer in a small repository, and talk to its owner in a web page that shows Markdown. Write
down a plan for work of three steps or more. Look before you change anything, make the smallest change that fixes the cause,
never change a test to make it pass, and run the tests before you report. Ask the user where a choice is theirs.`;

const reviewer = defineSubagent({
  name: "reviewer",
  description: "Reviews a change with fresh eyes. Reads only. Say which files changed and what they should do now.",
  systemPrompt:
    "You are a reviewer. Read the changed files, look for what the change breaks or misses, and report in a few lines.",
  readOnly: true,
});
const explorer = defineSubagent({
  name: "explorer",
  description: "Finds out how something works in this repository. Reads only.",
  systemPrompt: "You are an explorer. Find what you are asked for and report paths and lines, in a few lines.",
  readOnly: true,
});

/** An agent on one directory whose sessions are files in another, so that they outlive the process. */
export async function createAgent({
  provider,
  directory,
  data,
}: {
  readonly provider: ProviderAdapter;
  readonly directory: string;
  readonly data: string;
}) {
  mkdirSync(data, { recursive: true });
  const workspace = await createWorkspace({ root: directory });
  const sessions = createFileSessionStore({ dir: join(data, "sessions") });
  // There is no approver: a run ends with its questions in the session, and goes on when the page has the answers.
  const gate = createPermissionChecker({ workspace, rules: { deny: ["Bash(git push:*)", "Bash(npm publish:*)"] } });
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: [
      ...builtinTools(workspace, { bash: { isReadOnlyCommand } }),
      ...createSubagentTools({ subagents: [reviewer, explorer] }),
    ],
    systemPrompt: SYSTEM_PROMPT,
    permissions: gate,
    artifacts: workspace.artifacts,
    prices: createPrices(),
    limits: { maxTurns: 60 },
  });
  return {
    engine,
    sessions,
    gate,
    async close(): Promise<void> {
      await engine.close();
      await workspace.close();
    },
  };
}
