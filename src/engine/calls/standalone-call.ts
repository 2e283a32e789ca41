// One call through the pipeline without an engine: no hooks, no gate, nobody to ask.
import type { HarnessError } from "../../contracts/errors.js";
import type { HookOutcome } from "../../contracts/hook.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { copyJson } from "../../json/copy.js";
import { Deadlines } from "../../time/deadlines.js";
import { followSignal, signalError } from "../../time/follow-signal.js";
import { abortCall } from "./abort-call.js";
import type { CallEnvironment } from "./call-environment.js";
import { runToolCall } from "./call-pipeline.js";
import { PendingCall } from "./pending-call.js";
import { DEFAULT_TOOL_TIMEOUT_MS } from "./tool-defaults.js";
import { errorResult, failureResult } from "./tool-result.js";

/** Runs one call of a registry. Never rejects; ends at once when the context's signal aborts. */
export async function runStandaloneCall(registry: Registry, call: ToolCall, context: ToolContext): Promise<ToolResult> {
  let own: ToolCall;
  try {
    await registry.ready?.();
    const { id, name, malformed } = call;
    own = { id, name, arguments: copyJson(call.arguments ?? {}, true), ...(malformed !== undefined && { malformed }) };
  } catch (error) {
    return failureResult(call, error, 0);
  }
  const deadlines = new Deadlines();
  const { signal } = context;
  return new Promise((resolve) => {
    const pending = new PendingCall(own, standaloneEnvironment(registry, context, deadlines, settled));
    let leaveSignal = () => {};
    const onAbort = () => {
      const reason = signalError(signal) ?? new Error("The call was aborted.");
      abortCall(pending, reason as HarnessError);
    };
    function settled(): void {
      deadlines.clear();
      leaveSignal();
      resolve(pending.result!);
    }
    if (signal.aborted) return onAbort();
    leaveSignal = followSignal(signal, onAbort);
    void runToolCall(pending);
  });
}

function standaloneEnvironment(
  registry: Registry,
  context: ToolContext,
  deadlines: Deadlines,
  onSettled: () => void,
): CallEnvironment {
  const { runId, turn, agentPath, sessionId, transcriptId, rootCall, app, artifacts } = context;
  return {
    runId,
    turn,
    agentPath,
    sessionId,
    transcriptId,
    rootCall,
    app,
    artifacts,
    deadlines,
    now: () => Date.now(),
    resolveCall: (call) => registry.resolve?.(call) ?? call,
    findTool: (name) => registry.get(name),
    toolNames: () => registry.list().map(({ name }) => name),
    timeoutMs: (tool) => (tool.timeoutMs === undefined ? DEFAULT_TOOL_TIMEOUT_MS : tool.timeoutMs),
    hasHook: () => false,
    runHook: () => Promise.reject<HookOutcome>(new Error("There are no hooks here.")),
    decide: toolsOwnOpinion,
    reportDecision: nothing,
    claim: nothing,
    async ask(call, { kind, reason }) {
      const code = kind === "approval" ? "PERMISSION_ASK" : "TOOL_FAILED";
      const message = `${reason} There is nobody to ask: run the tool through an engine.`;
      call.settle(errorResult(call.call, "denied", code, message));
      return undefined;
    },
    waitForStart: nothing,
    suspendFor: async () => {},
    releaseSlot: nothing,
    enter: (_call, work) => work(),
    markActive: nothing,
    markIdle: nothing,
    onProgress: (_call, update) => context.progress(update),
    onSettled,
    onInterrupted: nothing,
    onSuspended: nothing,
    spawnFor: () => context.spawn,
    backgroundFor: () => context.background,
    requestCompaction: context.requestCompaction,
    notify: context.notify,
    deliver: context.deliver,
    record: context.record,
  };
}

function nothing(): void {}

function toolsOwnOpinion({ tool, input, agentPath = [], sessionId = "" }: PermissionRequest): PermissionDecision {
  const own = typeof tool === "string" ? undefined : tool.checkPermission?.(input, { agentPath, sessionId });
  if (own?.behavior !== "deny" && own?.behavior !== "ask") return { behavior: "allow" };
  return { behavior: own.behavior, ...(own.reason !== undefined && { reason: own.reason }) };
}
