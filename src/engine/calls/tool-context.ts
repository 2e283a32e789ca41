import type { SuspendRequest } from "../../contracts/approval.js";
import { RunError, ToolError } from "../../contracts/errors.js";
import type { HookPayloads, ToolNotice } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { BackgroundSubagents, SpawnSubagent, ToolContext } from "../../contracts/tool.js";
import type { NestedCalls, RootCall } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { copyJson } from "../../json/copy.js";
import { recordInRoot } from "../run/record-in-root.js";
import { labelOfCalls, labelOfDelivery } from "./call-label.js";
import type { PendingCall } from "./pending-call.js";

/** Thrown to leave a tool whose call is suspended, by `context.suspend` or on behalf of a sub-agent. */
export class LeaveForSuspension extends RunError {
  constructor() {
    super("INTERNAL", {
      message: "The tool call is suspended until the host has answered. Do not catch this error.",
    });
  }
}

/** The view that a call's tool has of the call and of its run. */
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
    return this.#call.run.id;
  }
  get turn(): number {
    return this.#call.message.turn;
  }
  get agentPath(): readonly string[] {
    return this.#call.run.agentPath;
  }
  get sessionId(): string {
    return this.#call.run.sessionId;
  }
  get transcriptId(): string {
    return this.#call.run.transcriptId;
  }
  get rootCall(): RootCall {
    const { run, call } = this.#call;
    return run.setup.rootCall ?? { runId: run.id, toolCallId: call.id };
  }
  get app(): unknown {
    return this.#call.run.setup.app;
  }
  get label(): Label | undefined {
    return labelOfCalls(this.#call.run);
  }
  get artifacts(): ArtifactStore | undefined {
    return this.#call.run.config.artifacts;
  }
  get resumed(): ToolContext["resumed"] {
    return this.#call.resumed;
  }
  get spawn(): SpawnSubagent | undefined {
    const call = this.#call;
    const { spawn } = call.run.setup.children;
    return (definition, prompt, options) => spawn(call.run, call, definition, prompt, options);
  }
  get background(): BackgroundSubagents | undefined {
    const call = this.#call;
    const { background } = call.run.agent;
    return {
      start: async (definition, prompt, options) => {
        await call.message.whenRecorded(call);
        return background.start(call, definition, prompt, options);
      },
      list: () => background.list(),
      textOf: (id) => background.textOf(id),
      ended: (id) => background.ended(id),
      send: (id, text) => background.send(id, text),
      stop: (id) => background.stop(id),
    };
  }
  get calls(): NestedCalls | undefined {
    const { run } = this.#call;
    return run.setup.children.calls(run, this.#call);
  }
  get requestCompaction(): ToolContext["requestCompaction"] {
    const { inbox, config } = this.#call.run;
    if (!config.compaction) return undefined;
    return (focus) => {
      inbox.compactionRequest = focus === undefined ? {} : { focus };
    };
  }
  /** The text that hooks add to a notice reaches the model after the turn. */
  get notify(): ToolContext["notify"] {
    const { config, hooks, inbox } = this.#call.run;
    if (!config.hooks) return undefined;
    return async (point, payload) => {
      if (!config.hooks?.has(point)) return null;
      const outcome = await hooks.fireAside(point, payload, noticeSubject(payload));
      inbox.hookContext.push(...(outcome?.additionalContext ?? []));
      return outcome;
    };
  }
  get deliver(): ToolContext["deliver"] {
    const call = this.#call;
    const { lifetime, inbox } = call.run.agent;
    return (text, origin) => {
      if (typeof text !== "string" || text === "" || !DELIVERY_ORIGINS.includes(origin)) {
        const message = `deliver() takes a non-empty string and an origin, one of ${DELIVERY_ORIGINS.join(", ")}.`;
        throw new ToolError("TOOL_FAILED", { message });
      }
      if (lifetime.ended || lifetime.ending) return false;
      inbox.deliver(text, origin, labelOfDelivery(call));
      return true;
    };
  }
  get record(): ToolContext["record"] {
    const { run } = this.#call;
    return (name, data) => recordInRoot(run, name, data);
  }
  get progress(): (update: JsonValue) => void {
    const call = this.#call;
    return (update) => {
      if (call.isOver || call.message.isOrphan(call)) return;
      call.run.emit("tool-progress", { toolCallId: call.call.id, update });
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

/** The context of a call outside any run: its tool is offered the same as the caller. */
export class BareContext extends CallContext {
  readonly #caller: ToolContext;
  readonly #progress: ToolContext["progress"];

  constructor(call: PendingCall, caller: ToolContext) {
    super(call);
    this.#caller = caller;
    this.#progress = (update) => {
      if (!call.isOver) caller.progress(update);
    };
  }

  override get turn(): number {
    return this.#caller.turn;
  }
  override get label(): Label | undefined {
    return this.#caller.label;
  }
  override get spawn(): SpawnSubagent | undefined {
    return this.#caller.spawn;
  }
  override get background(): BackgroundSubagents | undefined {
    return this.#caller.background;
  }
  override get calls(): NestedCalls | undefined {
    return this.#caller.calls;
  }
  override get requestCompaction(): ToolContext["requestCompaction"] {
    return this.#caller.requestCompaction;
  }
  override get notify(): ToolContext["notify"] {
    return this.#caller.notify;
  }
  override get deliver(): ToolContext["deliver"] {
    return this.#caller.deliver;
  }
  override get record(): ToolContext["record"] {
    return this.#caller.record;
  }
  override get progress(): (update: JsonValue) => void {
    return this.#progress;
  }
}

const DELIVERY_ORIGINS: readonly string[] = ["reminder", "subagent", "skill"];

/** The text that matchers of a tool's notice are compared with: the name of the file, or of the MCP server, that it is about. */
function noticeSubject(payload: HookPayloads[ToolNotice]): string | undefined {
  if ("mcpServerName" in payload) return payload.mcpServerName;
  return "filePath" in payload ? payload.filePath.slice(payload.filePath.search(/[^/\\]*$/)) : undefined;
}

/** A recorded value must not change when the tool reuses its own objects. */
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
