import type { RunState } from "./run-state.js";

/** Tells observers that a run has begun; of a sub-agent, also which one it is and for which call of the main agent. */
export function announceStart(run: RunState, { resumed }: { readonly resumed: boolean }): void {
  if (run.agentPath.length === 0) {
    run.emit("run-start", { resumed });
    return;
  }
  const { rootCall, spawnedBy } = run.setup;
  const { toolCallId } = rootCall ?? {};
  run.emit("run-start", {
    resumed,
    subagent: {
      id: run.transcriptId,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(spawnedBy && { parent: spawnedBy }),
    },
  });
}
