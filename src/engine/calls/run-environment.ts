import type { Answer, PendingRequest } from "../../contracts/approval.js";
import { ToolError } from "../../contracts/errors.js";
import type { HookOutcome, HookPayloads, HookPoint, ToolNotice } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { BackgroundSubagents, BaseTool, RootCall, SpawnSubagent, ToolContext } from "../../contracts/tool.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { copyJson } from "../../json/copy.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { RunState } from "../run/run-state.js";
import type { CallEnvironment, Question, ToolHookPoint } from "./call-environment.js";
import type { MessageCalls } from "./message-calls.js";
import type { PendingCall } from "./pending-call.js";
import { obtainAnswer } from "./permission/approval.js";
import { defaultGate } from "./permission/default-gate.js";
import { DEFAULT_TOOL_TIMEOUT_MS } from "./tool-defaults.js";

/** What a run gives the calls of one of its messages. */
export class RunEnvironment implements CallEnvironment {
  readonly turn: number;

  constructor(
    private readonly run: RunState,
    private readonly calls: MessageCalls,
  ) {
    this.turn = run.turn;
  }

  get runId(): string {
    return this.run.id;
  }
  get agentPath(): readonly string[] {
    return this.run.agentPath;
  }
  get sessionId(): string {
    return this.run.sessionId;
  }
  get transcriptId(): string {
    return this.run.transcriptId;
  }
  get rootCall(): RootCall | undefined {
    return this.run.setup.rootCall;
  }
  get app(): unknown {
    return this.run.setup.app;
  }
  get artifacts(): ArtifactStore | undefined {
    return this.run.config.artifacts;
  }
  get fitsMedia(): boolean {
    return this.run.config.fitMedia !== undefined;
  }
  get deadlines(): Deadlines {
    return this.run.deadlines;
  }

  now(): number {
    return this.run.config.runtime.now();
  }

  resolveCall(call: ToolCall): ToolCall {
    return this.run.registry.resolve?.(call) ?? call;
  }

  findTool(name: string): BaseTool | undefined {
    return this.run.registry.get(name);
  }

  toolNames(): readonly string[] {
    return this.run.registry.list().map(({ name }) => name);
  }

  timeoutMs(tool: BaseTool): number | null {
    const { toolTimeoutMs: most } = this.run.limits;
    if (tool.timeoutMs === undefined) return most ?? DEFAULT_TOOL_TIMEOUT_MS;
    return tool.timeoutMs === null || most === undefined ? tool.timeoutMs : Math.min(tool.timeoutMs, most);
  }

  hasHook(point: HookPoint): boolean {
    return this.run.config.hooks?.has(point) ?? false;
  }

  async runHook<P extends ToolHookPoint>(call: PendingCall, point: P, payload: HookPayloads[P]): Promise<HookOutcome> {
    const outcome = (await this.run.hooks.fire(point, payload, call.target.name)) ?? NOTHING_SAID;
    this.#queueContext(call, point, outcome);
    return outcome;
  }

  /** What hooks want the model to know after this turn. */
  #queueContext(call: PendingCall, point: ToolHookPoint, outcome: HookOutcome): void {
    const { inbox } = this.run;
    if (!call.isVoid) inbox.hookContext.push(...outcome.additionalContext);
    if (point !== "PreToolUse" && outcome.blocked && outcome.reason) inbox.hookContext.push(outcome.reason);
  }

  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision> {
    const { mode } = this.run.setup;
    const { gate } = this.run.config;
    const own = gate === defaultGate ? request : { ...request, input: copyForGate(request.input) };
    // What is spread and then added to gets a hidden class of its own each time.
    return gate.decide(mode ? Object.assign({}, own, { mode }) : own);
  }

  reportDecision(call: PendingCall, decision: PermissionDecision, by?: string): void {
    if (!this.run.hasListeners("permission-decision")) return;
    const { id: toolCallId } = call.call;
    const { name: tool } = call.target;
    this.run.emit("permission-decision", {
      toolCallId,
      tool,
      input: call.args,
      decision,
      ...(this.run.setup.mode && { mode: this.run.setup.mode }),
      ...(by !== undefined && { by }),
    });
  }

  claim(call: PendingCall): void {
    this.run.scheduler.claim(call);
  }

  /** The message is recorded first: a question is about a call that is in the session. */
  async ask(call: PendingCall, question: Question): Promise<Answer | undefined> {
    await this.calls.whenRecorded(call);
    return call.isOver ? undefined : obtainAnswer(this.run, call, question);
  }

  /** Recorded where the call is: the agent that is suspended knows what for, and so does the host. */
  async suspendFor(call: PendingCall, questions: readonly PendingRequest[]): Promise<void> {
    await this.calls.whenRecorded(call);
    if (call.isOver) return;
    const via = call.call.id;
    for (const request of questions) this.run.recorder.record({ type: "pending", request, via });
    call.suspend(questions[0]!);
  }

  waitForStart(call: PendingCall): void | Promise<void> {
    return this.run.scheduler.waitForStart(call);
  }

  releaseSlot(call: PendingCall): void {
    this.run.scheduler.releaseSlot(call);
  }

  enter<T>(call: PendingCall, work: () => T): T {
    const { observers } = this.run.setup.sink;
    return observers.isEmpty ? work() : observers.aroundTool(this.run.id, call.call.id, work);
  }

  markActive(call: PendingCall): void {
    this.calls.markActive(call);
  }

  markIdle(call: PendingCall): void {
    this.calls.markIdle(call);
  }

  onProgress(call: PendingCall, update: JsonValue): void {
    if (!this.calls.isOrphan(call)) this.run.emit("tool-progress", { toolCallId: call.call.id, update });
  }

  onSettled(call: PendingCall): void {
    this.calls.onSettled(call);
  }

  onInterrupted(call: PendingCall): void {
    this.calls.onInterrupted(call);
    if (call.result?.status === "timeout") this.#reportTimeout(call);
  }

  /** The pipeline of a call that timed out ends without its hooks; nobody waits for them here. */
  #reportTimeout(call: PendingCall): void {
    const point = "PostToolUseFailure";
    if (!this.hasHook(point)) return;
    const { output, durationMs } = call.result!;
    const payload = { ...call.hookPayload, error: String(output), isInterrupt: false, durationMs };
    void this.run.hooks
      .fireAside(point, payload, call.target.name)
      .then((outcome) => this.#queueContext(call, point, outcome ?? NOTHING_SAID));
  }

  onSuspended(call: PendingCall): void {
    this.calls.onSuspended(call);
  }

  spawnFor(call: PendingCall): SpawnSubagent | undefined {
    const { spawn } = this.run.setup.children;
    return (definition, prompt, options) => spawn(this.run, call, definition, prompt, options);
  }

  backgroundFor(call: PendingCall): BackgroundSubagents {
    const { background } = this.run;
    return {
      start: async (definition, prompt, options) => {
        await this.calls.whenRecorded(call);
        return background.start(call, definition, prompt, options);
      },
      list: () => background.list(),
      textOf: (id) => background.textOf(id),
      ended: (id) => background.ended(id),
      send: (id, text) => background.send(id, text),
      stop: (id) => background.stop(id),
    };
  }

  get requestCompaction(): ToolContext["requestCompaction"] {
    const { run } = this;
    if (!run.config.compaction) return undefined;
    return (focus) => {
      run.inbox.compactionRequest = focus === undefined ? {} : { focus };
    };
  }

  get deliver(): ToolContext["deliver"] {
    const { run } = this;
    return (text, origin) => {
      if (typeof text !== "string" || text === "" || !DELIVERY_ORIGINS.includes(origin)) {
        const message = `deliver() takes a non-empty string and an origin, one of ${DELIVERY_ORIGINS.join(", ")}.`;
        throw new ToolError("TOOL_FAILED", { message });
      }
      if (run.lifetime.ended || run.lifetime.ending) return false;
      run.inbox.deliver(text, origin);
      return true;
    };
  }

  get record(): ToolContext["record"] {
    return async (name, data) => {
      if (typeof name !== "string" || name === "" || name.startsWith("loopwright.")) {
        const message = 'record() takes a name that is not empty and does not begin with "loopwright.".';
        throw new ToolError("TOOL_FAILED", { message });
      }
      let root = this.run;
      while (root.setup.parent) root = root.setup.parent;
      const { lifetime, recorder } = root;
      if (lifetime.ended || lifetime.ending)
        throw new ToolError("TOOL_FAILED", { message: "The run has ended, so its session takes no more records." });
      recorder.record({ type: "custom", name, data: copyJson(data, true) });
      if (!(await root.commit()))
        throw recorder.failure ?? new ToolError("TOOL_FAILED", { message: "record() could not write to the session." });
    };
  }

  /** What hooks add to a notice reaches the model after the turn. */
  get notify(): ToolContext["notify"] {
    const { run } = this;
    const { hooks } = run.config;
    if (!hooks) return undefined;
    return async (point, payload) => {
      if (!hooks.has(point)) return null;
      const outcome = await run.hooks.fireAside(point, payload, noticeSubject(payload));
      run.inbox.hookContext.push(...(outcome?.additionalContext ?? []));
      return outcome;
    };
  }
}

/** A gate of the host's cannot change what will be executed. What is not JSON, as a schema may make, is passed as it is. */
function copyForGate(input: JsonValue): JsonValue {
  if (typeof input !== "object" || input === null) return input;
  try {
    return isPlainJson(input) ? copyJson(input, true) : input;
  } catch {
    return input;
  }
}

/** Whether a copy is the same: instances of classes, which schemas make, would lose their kind. */
function isPlainJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint" && typeof value !== "function";
  if (Array.isArray(value)) return value.every(isPlainJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainJson);
}

/** The outcome of a dispatcher that has hooks at a point, and then has none. */
const NOTHING_SAID: HookOutcome = {
  continue: true,
  blocked: false,
  additionalContext: [],
  systemMessages: [],
  updatedPermissions: [],
  failures: [],
};

const DELIVERY_ORIGINS: readonly string[] = ["reminder", "subagent", "skill"];

/** What matchers of a tool's notice are compared with: the name of the file, or of the MCP server, that it is about. */
function noticeSubject(payload: HookPayloads[ToolNotice]): string | undefined {
  if ("mcpServerName" in payload) return payload.mcpServerName;
  return "filePath" in payload ? payload.filePath.slice(payload.filePath.search(/[^/\\]*$/)) : undefined;
}
