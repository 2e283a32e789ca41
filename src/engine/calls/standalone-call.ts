// One call through the pipeline without an engine: no hooks, no gate, nobody to ask.
import type { HookOutcome } from "../../contracts/hook.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { copyJson } from "../../json/copy.js";
import { Deadlines } from "../../time/deadlines.js";
import { followSignal, signalError } from "../../time/follow-signal.js";
import type { CallHost } from "./call-environment.js";
import { runToolCall } from "./call-pipeline.js";
import { aborted } from "./execute-call.js";
import { CallRun, type CallScope } from "./pending-call.js";
import { failure, refusal } from "./tool-result.js";

const DEFAULT_TIMEOUT_MS = 60_000;

/** Runs one call of a registry. Never rejects; ends at once when the context's signal aborts. */
export async function runStandaloneCall(registry: Registry, call: ToolCall, context: ToolContext): Promise<ToolResult> {
  let kept: ToolCall;
  try {
    await registry.ready?.();
    const { id, name, malformed } = call;
    kept = { id, name, arguments: copyJson(call.arguments ?? {}, true), ...(malformed !== undefined && { malformed }) };
  } catch (error) {
    return failure(call, error, 0);
  }
  const deadlines = new Deadlines();
  const { signal } = context;
  return new Promise((resolve) => {
    const run = new CallRun(kept, scopeOf(context, settled));
    let leaveSignal = () => {};
    const onAbort = () => {
      const reason = signalError(signal) ?? new Error("The call was aborted.");
      run.interrupt(aborted(run, reason as never, 0), reason as never);
    };
    function settled(): void {
      deadlines.clear();
      leaveSignal();
      resolve(run.result!);
    }
    if (signal.aborted) return onAbort();
    leaveSignal = followSignal(signal, onAbort);
    void runToolCall(run, hostOf(registry, deadlines));
  });
}

function scopeOf(context: ToolContext, settled: () => void): CallScope {
  return {
    runId: context.runId,
    turn: context.turn,
    agentPath: context.agentPath,
    sessionId: context.sessionId,
    transcriptId: context.transcriptId,
    rootCall: context.rootCall,
    app: context.app,
    artifacts: context.artifacts,
    onProgress: (_call, update) => context.progress(update),
    onSettled: settled,
    onInterrupted: () => {},
    onSuspended: () => {},
    spawnFor: () => context.spawn,
    requestCompaction: context.requestCompaction,
    notify: context.notify,
  };
}

function hostOf(registry: Registry, deadlines: Deadlines): CallHost {
  return {
    deadlines,
    findTool: (name) => registry.get(name),
    toolNames: () => registry.list().map(({ name }) => name),
    timeoutMs: (tool) => (tool.timeoutMs === undefined ? DEFAULT_TIMEOUT_MS : tool.timeoutMs),
    now: () => Date.now(),
    hasHook: () => false,
    runHook: () => Promise.reject<HookOutcome>(new Error("There are no hooks here.")),
    decide: ownOpinion,
    onDecision: () => {},
    claim: () => {},
    async ask(call, { kind, reason }) {
      const code = kind === "approval" ? "PERMISSION_ASK" : "TOOL_FAILED";
      call.settle(
        refusal(call.call, "denied", code, `${reason} There is nobody to ask: run the tool through an engine.`),
      );
      return undefined;
    },
    mayStart: (call) => !call.over,
    freeSlot: () => {},
  };
}

function ownOpinion({ tool, input, agentPath = [], sessionId = "" }: PermissionRequest): PermissionDecision {
  const own = typeof tool === "string" ? undefined : tool.checkPermission?.(input, { agentPath, sessionId });
  if (own?.behavior !== "deny" && own?.behavior !== "ask") return { behavior: "allow" };
  return { behavior: own.behavior, ...(own.reason !== undefined && { reason: own.reason }) };
}
