import { AgentEngine, type Approver, type PermissionGate, type ProviderAdapter } from "loopwright";
import { createPrices } from "loopwright/providers";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const SYSTEM_PROMPT = `You are a careful programmer in a small repository. Look before you change anything, make the
smallest change that mends the cause, never change a test to make it pass, and run the tests before you report.`;

/** What an agent on one folder needs to know. */
export interface AgentParts {
  readonly provider: ProviderAdapter;
  /** The folder it may read and change. */
  readonly folder: string;
  /** Decides each tool call. */
  readonly gate: PermissionGate;
  /** Answers what the gate does not decide by itself. */
  readonly approver: Approver;
}

/** A coding agent on one folder: the engine, the folder as its tools see it, and how to let go of both. */
export async function createAgent({ provider, folder, gate, approver }: AgentParts) {
  const workspace = await createWorkspace({ root: folder });
  const engine = new AgentEngine({
    provider,
    tools: builtinTools(workspace),
    systemPrompt: SYSTEM_PROMPT,
    permissions: gate,
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
