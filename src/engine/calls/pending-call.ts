import type { Answer, PendingRequest } from "../../contracts/approval.js";
import { type HarnessError, RunError, ToolError } from "../../contracts/errors.js";
import type { HookPayloads } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionRequest } from "../../contracts/permission.js";
import type { SpawnSubagent } from "../../contracts/subagent.js";
import type {
  BaseTool,
  ResourceClaim,
  RootCall,
  SuspendRequest,
  ToolContext,
  ToolNotice,
} from "../../contracts/tool.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { copyJson } from "../../json/copy.js";
import type { Claimant } from "./claims.js";

/** What the calls of one message share. */
export interface CallScope {
  readonly runId: string;
  readonly turn: number;
  readonly agentPath: readonly string[];
  readonly sessionId: string;
  readonly transcriptId: string;
  /** Of a sub-agent's calls. */
  readonly rootCall?: RootCall;
  readonly app: unknown;
  readonly artifacts?: ArtifactStore;
  onProgress(call: CallRun, update: JsonValue): void;
  /** Called once, when the call has its result. */
  onSettled(call: CallRun): void;
  /** Called when the call was settled or voided from outside, while its code may still run. */
  onInterrupted(call: CallRun): void;
  /** Called when the call begins to wait for the host without an approver. */
  onSuspended(call: CallRun): void;
  spawnFor?(call: CallRun): SpawnSubagent | undefined;
  requestCompaction?(focus?: string): void;
  notify?<P extends ToolNotice>(point: P, payload: HookPayloads[P]): void;
}

/** A tool's wish to be suspended, and what it wants back when it is entered again. */
export interface Suspension {
  readonly request: SuspendRequest;
  readonly state: JsonValue;
}

/**
 * One tool call on its way to its result.
 *
 * Settling happens once; whoever comes first (the tool, its timeout, an abort, a restart) wins, and everything that
 * comes later is ignored. All that waits on behalf of the call is released by settling it.
 */
export class CallRun implements Claimant {
  order = -1;
  claims: readonly ResourceClaim[] | null = null;
  startedAs = 0;
  proceed: () => void = nothing;
  tool: BaseTool | undefined;
  /** The arguments as hooks and answers left them: what is digested and shown. */
  args: JsonValue;
  result: ToolResult | undefined;
  /** The question this call waits with. */
  pending: PendingRequest | undefined;
  suspension: Suspension | undefined;
  resumed: { readonly answer: Answer; readonly state: JsonValue } | undefined;
  /** What this call asked before this run, and the answers there are by now. Each is used once. */
  earlier: { readonly request: PendingRequest; readonly answer: Answer | undefined }[] | undefined;
  /** Why the host must be asked even if the gate allows: the call may have run before. */
  mustConfirm: string | undefined;
  /** When `execute` was entered; 0 before that. */
  startedAt = 0;
  /** Voided by a restart or a failed model call: it has no result and never gets one. */
  void = false;
  holdsSlot = false;
  /** The gate's yes depends on what an earlier call of the message may change. */
  provisional = false;
  /** What the `PreToolUse` hooks said of it, for a gate that is asked again. */
  hookSays: PermissionRequest["hook"];
  /** Whether an earlier call had to settle before this one could start. */
  waited = false;
  /** Whether its pipeline is at work: not waiting for another call. */
  working = false;
  /** Whether its batch still waits for it. */
  open = true;
  /** The pipeline's promise: pending while user code of this call may still run. */
  pipeline: Promise<void> | undefined;
  #controller: AbortController | undefined;
  #abortReason: HarnessError | undefined;
  #context: CallContext | undefined;
  #onOver: (() => void)[] | undefined;

  constructor(
    public call: ToolCall,
    readonly scope: CallScope,
  ) {
    this.args = call.arguments;
  }

  /** Whether the call needs no more work: it is answered, voided, or waits for the host. */
  get over(): boolean {
    return this.result !== undefined || this.void || this.pending !== undefined;
  }

  /** What every hook about this call is told. */
  get hookPayload(): HookPayloads["PreToolUse"] {
    return { toolName: this.call.name, toolInput: this.args, toolUseId: this.call.id };
  }

  get context(): ToolContext {
    this.#context ??= new CallContext(this);
    return this.#context;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  settle(result: ToolResult): void {
    if (this.result || this.void) return;
    this.pending = undefined;
    // The call may have been renamed while its result was on the way.
    const { id: toolCallId } = this.call;
    this.result = Object.freeze(result.toolCallId === toolCallId ? result : { ...result, toolCallId });
    this.scope.onSettled(this);
    this.#release();
  }

  /** Takes the id that the same call has in the model's new stream. */
  rename(call: ToolCall): void {
    this.call = call;
    if (this.result) this.result = Object.freeze({ ...this.result, toolCallId: call.id });
  }

  /** Settles from outside: the tool is told through its signal, and nobody waits for it. */
  interrupt(result: ToolResult, reason: HarnessError): void {
    if (this.result || this.void) return;
    this.settle(result);
    this.#abort(reason);
    this.scope.onInterrupted(this);
  }

  /** Takes the call back as if it had never been asked for. */
  cancel(reason: HarnessError): void {
    if (this.void) return;
    this.void = true;
    this.#abort(reason);
    this.#release();
    this.scope.onInterrupted(this);
  }

  suspend(request: PendingRequest): void {
    if (this.over) return;
    this.pending = request;
    this.scope.onSuspended(this);
    this.#release();
  }

  /** Resolves with the promise's value, or with `undefined` as soon as the call is over. */
  unlessOver<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.onOver(() => resolve(undefined));
      promise.then(resolve, reject);
    });
  }

  /** Calls `release` as soon as the call is over; at once if it is. */
  onOver(release: () => void): void {
    if (this.over) {
      release();
      return;
    }
    this.#onOver ??= [];
    this.#onOver.push(release);
  }

  #abort(reason: HarnessError): void {
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  #release(): void {
    const waiting = this.#onOver;
    this.#onOver = undefined;
    if (waiting) for (const release of waiting) release();
    this.proceed();
  }
}

function nothing(): void {}

/** Thrown by `context.suspend` to leave a tool. */
class LeaveForSuspension extends RunError {
  constructor() {
    super("INTERNAL", { message: "The tool call is suspended until the host has answered. Let this error pass." });
  }
}

class CallContext implements ToolContext {
  readonly #run: CallRun;

  constructor(run: CallRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }
  get toolCallId(): string {
    return this.#run.call.id;
  }
  get runId(): string {
    return this.#run.scope.runId;
  }
  get turn(): number {
    return this.#run.scope.turn;
  }
  get agentPath(): readonly string[] {
    return this.#run.scope.agentPath;
  }
  get sessionId(): string {
    return this.#run.scope.sessionId;
  }
  get transcriptId(): string {
    return this.#run.scope.transcriptId;
  }
  get rootCall(): RootCall {
    const { scope, call } = this.#run;
    return scope.rootCall ?? { runId: scope.runId, toolCallId: call.id };
  }
  get app(): unknown {
    return this.#run.scope.app;
  }
  get artifacts(): ArtifactStore | undefined {
    return this.#run.scope.artifacts;
  }
  get resumed(): CallRun["resumed"] {
    return this.#run.resumed;
  }
  get spawn(): SpawnSubagent | undefined {
    return this.#run.scope.spawnFor?.(this.#run);
  }
  get requestCompaction(): ((focus?: string) => void) | undefined {
    return this.#run.scope.requestCompaction;
  }
  get notify(): ToolContext["notify"] {
    return this.#run.scope.notify;
  }
  get progress(): (update: JsonValue) => void {
    const run = this.#run;
    return (update) => {
      if (!run.over) run.scope.onProgress(run, update);
    };
  }
  get suspend(): ToolContext["suspend"] {
    const run = this.#run;
    return (request, state = null) => {
      if (!isSuspendRequest(request)) {
        throw new ToolError("TOOL_FAILED", {
          message: `Tool "${run.call.name}" called context.suspend() without a kind ("approval", "question", "elicitation") and a reason.`,
        });
      }
      if (!run.over) run.suspension ??= { request: copyOf(request), state: copyJson(state, true) };
      throw new LeaveForSuspension();
    };
  }
}

/** What is recorded must not change when the tool goes on with its own. */
function copyOf({ kind, reason, input }: SuspendRequest): SuspendRequest {
  return { kind, reason, ...(input !== undefined && { input: copyJson(input, true) }) };
}

function isSuspendRequest(request: unknown): request is SuspendRequest {
  if (typeof request !== "object" || request === null) return false;
  const { kind, reason } = request as { kind?: unknown; reason?: unknown };
  return typeof reason === "string" && (kind === "approval" || kind === "question" || kind === "elicitation");
}
