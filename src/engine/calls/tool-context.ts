import type { SuspendRequest } from "../../contracts/approval.js";
import { RunError, ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BackgroundSubagents, RootCall, SpawnSubagent, ToolContext } from "../../contracts/tool.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { copyJson } from "../../json/copy.js";
import type { PendingCall } from "./pending-call.js";

/** Thrown to leave a tool whose call is suspended, by `context.suspend` or on behalf of a sub-agent. */
export class LeaveForSuspension extends RunError {
  constructor() {
    super("INTERNAL", {
      message: "The tool call is suspended until the host has answered. Do not catch this error.",
    });
  }
}

/** What a call's tool sees of it and of its environment. */
export class CallContext implements ToolContext {
  readonly #call: PendingCall;

  constructor(call: PendingCall) {
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get toolCallId(): string {
    return this.#call.call.id;
  }
  get runId(): string {
    return this.#call.environment.runId;
  }
  get turn(): number {
    return this.#call.environment.turn;
  }
  get agentPath(): readonly string[] {
    return this.#call.environment.agentPath;
  }
  get sessionId(): string {
    return this.#call.environment.sessionId;
  }
  get transcriptId(): string {
    return this.#call.environment.transcriptId;
  }
  get rootCall(): RootCall {
    const { environment, call } = this.#call;
    return environment.rootCall ?? { runId: environment.runId, toolCallId: call.id };
  }
  get app(): unknown {
    return this.#call.environment.app;
  }
  get artifacts(): ArtifactStore | undefined {
    return this.#call.environment.artifacts;
  }
  get resumed(): PendingCall["resumed"] {
    return this.#call.resumed;
  }
  get spawn(): SpawnSubagent | undefined {
    return this.#call.environment.spawnFor(this.#call);
  }
  get background(): BackgroundSubagents | undefined {
    return this.#call.environment.backgroundFor(this.#call);
  }
  get requestCompaction(): ToolContext["requestCompaction"] {
    return this.#call.environment.requestCompaction;
  }
  get notify(): ToolContext["notify"] {
    return this.#call.environment.notify;
  }
  get deliver(): ToolContext["deliver"] {
    return this.#call.environment.deliver;
  }
  get record(): ToolContext["record"] {
    return this.#call.environment.record;
  }
  get progress(): (update: JsonValue) => void {
    const call = this.#call;
    return (update) => {
      if (!call.isOver) call.environment.onProgress(call, update);
    };
  }
  get whenCutOff(): ToolContext["whenCutOff"] {
    const call = this.#call;
    return (soFar) => {
      call.soFar = soFar;
    };
  }
  get suspend(): ToolContext["suspend"] {
    const call = this.#call;
    return (request, state = null) => {
      if (!isSuspendRequest(request)) {
        throw new ToolError("TOOL_FAILED", {
          message: `Tool "${call.target.name}" called context.suspend() without a kind ("approval", "question", "elicitation") or a reason. Pass both.`,
        });
      }
      if (!call.isOver) call.suspension ??= { request: copyOf(request), state: ownState(call, state) };
      throw new LeaveForSuspension();
    };
  }
}

/** What is recorded must not change when the tool reuses its own objects. */
function copyOf({ kind, reason, input }: SuspendRequest): SuspendRequest {
  return { kind, reason, ...(input !== undefined && { input: copyJson(input, true) }) };
}

/** State goes into the session with each question. Unit: characters of JSON. */
const MAX_STATE_CHARS = 1_000_000;

function ownState({ target }: PendingCall, state: JsonValue): JsonValue {
  const own = copyJson(state, true);
  const size = JSON.stringify(own).length;
  if (size <= MAX_STATE_CHARS) return own;
  const message = `Tool "${target.name}" suspended itself with ${size} characters of state; at most ${MAX_STATE_CHARS} are kept. Keep the rest elsewhere.`;
  throw new ToolError("TOOL_FAILED", { message });
}

function isSuspendRequest(request: unknown): request is SuspendRequest {
  if (typeof request !== "object" || request === null) return false;
  const { kind, reason } = request as { kind?: unknown; reason?: unknown };
  return typeof reason === "string" && (kind === "approval" || kind === "question" || kind === "elicitation");
}
