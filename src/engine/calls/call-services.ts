// What a run does for its calls beside running them. Where it has no hooks, no compaction or may have no sub-agents, a
// tool's context has none either.
import type { HookPayloads } from "../../contracts/hook.js";
import type { SpawnSubagent } from "../../contracts/subagent.js";
import type { ToolNotice } from "../../contracts/tool.js";
import type { RunState } from "../run/run-state.js";
import type { RunCallHost } from "./call-scheduler.js";
import type { CallRun, CallScope } from "./pending-call.js";

export function spawnerFor(run: RunState, call: CallRun): SpawnSubagent | undefined {
  const { spawn } = run.setup;
  return spawn ? (definition, prompt) => spawn(run, call, definition, prompt) : undefined;
}

/** What hooks add to a notice, the model is told after the turn. */
export function notifierOf(run: RunState): CallScope["notify"] {
  const { hooks } = run.config;
  if (!hooks) return undefined;
  return (point, payload) => {
    if (!hooks.has(point)) return;
    void run.hooks.fireAside(point, payload, noticedName(payload)).then((outcome) => {
      run.contexts.push(...(outcome?.additionalContext ?? []));
    });
  };
}

export function compactionOf(run: RunState): CallScope["requestCompaction"] {
  if (!run.config.compaction) return undefined;
  return (focus) => {
    run.compactionRequest = focus === undefined ? {} : { focus };
  };
}

/** The pipeline of a call that timed out ends without its hooks; nobody waits for them here. */
export function tellOfTimeout(run: RunState, call: CallRun, host: RunCallHost): void {
  if (!host.hasHook("PostToolUseFailure")) return;
  const { output, durationMs } = call.result!;
  const { id: toolUseId, name: toolName } = call.call;
  const error = String(output);
  const payload = { toolName, toolInput: call.args, toolUseId, error, isInterrupt: false, durationMs };
  void run.hooks
    .fireAside("PostToolUseFailure", payload, toolName)
    .then((outcome) => host.takeContexts(call, "PostToolUseFailure", outcome!));
}

/** What matchers of a tool's notice are compared with: the name of the file it is about. */
function noticedName(payload: HookPayloads[ToolNotice]): string | undefined {
  return "filePath" in payload ? payload.filePath.slice(payload.filePath.search(/[^/\\]*$/)) : undefined;
}
