// The chunks of the AI SDK's UI message stream. One message per run; a turn is a step. A client drops the stream at the first
// chunk about a part it does not know, so a part is announced before anything is said of it.
//
// A resumed run continues the client's last message: calls that are entered again come before its first step, and so fall
// into the step they were asked in.
import type { PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { RunStatus } from "../../contracts/run.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { EventWriter } from "../byte-stream.js";
import { describeError } from "../describe-error.js";
import { isEngineEvent, isOfRoot, type RunSource, type RunStreamEvent } from "../run-source.js";
import { eventsOfSession } from "./session-events.js";
import {
  childKey,
  encode,
  errorTextOf,
  FINISH_REASONS,
  isChild,
  questionPart,
  subagentPart,
  type UiChunk,
} from "./ui-message-chunks.js";
import { unansweredQuestions } from "./unanswered-questions.js";

export class UiMessageWriter implements EventWriter {
  #hasStarted = false;
  #hasEnded = false;
  #isInStep = false;
  /** Whether any step has begun in this stream. */
  #hasSteps = false;
  /** The text or reasoning part that is open. */
  #open: { readonly type: "text" | "reasoning"; readonly id: string } | null = null;
  #lastPart = 0;
  /** Calls of the main agent that have no result yet, by id. */
  readonly #calls = new Set<string>();
  readonly #announced = new Set<string>();
  /** Calls whose arguments are still arriving, by id, with the name of the tool. */
  readonly #inputs = new Map<string, string>();
  /** The content of the current step: its calls, and the results that are in. */
  readonly #stepCalls = new Set<string>();
  readonly #stepResults = new Map<string, ToolResult>();
  readonly #asked = new Map<string, PendingRequest>();
  /** The id of the tool part for a sub-agent's call, by its run and call id. */
  readonly #childParts = new Map<string, string>();
  #usage: Pick<EventOf<"usage">, "usage" | "costUsd"> | null = null;

  constructor(private readonly run: RunSource) {}

  async event(event: RunStreamEvent): Promise<string> {
    return encode(await this.#chunks(event));
  }

  end(error?: unknown): string {
    const chunks = this.#hasEnded ? [] : this.#endOf(error === undefined ? "other" : "error", error);
    return `${encode(chunks)}data: [DONE]\n\n`;
  }

  async #chunks(event: RunStreamEvent): Promise<UiChunk[]> {
    if (this.#hasEnded) return [];
    if (event.type === "reset") return this.#hasStarted ? this.#failed(event.code, event.message) : [];
    if (event.type === "session") return eventsOfSession(event).flatMap((one) => this.#engineChunks(one));
    if (!isEngineEvent(event)) return [];
    if (event.type === "run-end" && isOfRoot(event)) return this.#finish(event);
    return this.#engineChunks(event);
  }

  #engineChunks(event: EngineEvent): UiChunk[] {
    const start = this.#start(event);
    return [...start, ...(isOfRoot(event) ? this.#rootChunks(event) : this.#childChunks(event))];
  }

  #start({ runId, sessionId }: EngineEvent): UiChunk[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    return [{ type: "start", messageMetadata: { runId, sessionId } }];
  }

  #rootChunks(event: EngineEvent): UiChunk[] {
    switch (event.type) {
      case "turn-start":
        return this.#startStep();
      case "turn-end":
        return this.#endStep();
      case "text-delta":
        return this.#delta("text", event.text);
      case "reasoning-delta":
        return this.#delta("reasoning", event.text);
      case "media": {
        const { mediaType, data } = event.part;
        return [...this.#closePart(), { type: "file", mediaType, url: `data:${mediaType};base64,${data}` }];
      }
      case "model-call-end":
        return this.#closePart();
      case "model-restart":
        return this.#resetStep();
      case "tool-input-delta":
        return [...this.#closePart(), ...this.#input(event)];
      case "tool-call-start":
        return [...this.#closePart(), ...this.#call(event.call)];
      case "tool-call-end":
        this.#stepResults.set(event.result.toolCallId, event.result);
        return this.#result(event.result, event.result.toolCallId);
      case "approval-requested":
        return this.#question(event.request, event.request.toolCallId);
      case "approval-answered":
        return this.#answered(event);
      case "usage":
        this.#usage = event;
        return [];
      case "notice":
        return [{ type: "data-notice", data: { code: event.code, message: event.message }, transient: true }];
      default:
        return [];
    }
  }

  #childChunks(event: EngineEvent): UiChunk[] {
    const { runId } = event;
    switch (event.type) {
      case "run-start":
        return [subagentPart(event, { status: "running" })];
      case "run-end":
        return [subagentPart(event, { status: event.status })];
      case "tool-call-start":
        return [subagentPart(event, { tool: event.call.name, input: event.call.arguments })];
      case "approval-requested": {
        const { request } = event;
        this.#childParts.set(childKey(runId, request.toolCallId), request.id);
        return [...this.#announce(request.id, request.tool, request.input), ...this.#question(request, request.id)];
      }
      case "approval-answered":
        this.#childParts.set(childKey(runId, event.request.toolCallId), event.request.id);
        return this.#answered(event);
      case "tool-call-end": {
        const part = this.#childParts.get(childKey(runId, event.result.toolCallId));
        return part === undefined ? [] : this.#result(event.result, part, this.#hasSteps);
      }
      default:
        return [];
    }
  }

  #startStep(): UiChunk[] {
    const before = this.#endStep();
    this.#isInStep = true;
    this.#hasSteps = true;
    this.#stepCalls.clear();
    this.#stepResults.clear();
    return [...before, { type: "start-step" }];
  }

  #endStep(): UiChunk[] {
    const before = [...this.#closePart(), ...this.#dropInputs()];
    if (!this.#isInStep) return before;
    this.#isInStep = false;
    return [...before, { type: "finish-step" }];
  }

  /** The model call begins again: what it has said is void, and calls are announced again if they are still asked for. */
  #resetStep(): UiChunk[] {
    this.#open = null;
    this.#inputs.clear();
    for (const id of this.#stepCalls) {
      this.#announced.delete(id);
      this.#calls.delete(id);
    }
    this.#stepCalls.clear();
    return [{ type: "reset-step" }];
  }

  /** A piece of a call's arguments. */
  #input({ toolCallId, tool: toolName, json: inputTextDelta }: EventOf<"tool-input-delta">): UiChunk[] {
    if (this.#announced.has(toolCallId)) return [];
    const delta = { type: "tool-input-delta", toolCallId, inputTextDelta };
    if (this.#inputs.has(toolCallId)) return [delta];
    this.#inputs.set(toolCallId, toolName);
    return [{ type: "tool-input-start", toolCallId, toolName }, delta];
  }

  /** Calls whose arguments never came to an end. */
  #dropInputs(): UiChunk[] {
    const chunks = [...this.#inputs].map(([toolCallId, toolName]) => {
      return { type: "tool-input-error", toolCallId, toolName, input: {}, errorText: "The call was cut off." };
    });
    this.#inputs.clear();
    return chunks;
  }

  /** A call; with its result, if it has ended before its model call began again. */
  #call({ id, name, arguments: input }: ToolCall): UiChunk[] {
    const announced = this.#announce(id, name, input);
    const result = announced.length > 0 ? this.#stepResults.get(id) : undefined;
    return result ? [...announced, ...this.#result(result, id)] : announced;
  }

  #delta(type: "text" | "reasoning", delta: string): UiChunk[] {
    const chunks: UiChunk[] = [];
    if (this.#open?.type !== type) {
      chunks.push(...this.#closePart());
      this.#open = { type, id: `${type}-${++this.#lastPart}` };
      chunks.push({ type: `${type}-start`, id: this.#open.id });
    }
    chunks.push({ type: `${type}-delta`, id: this.#open.id, delta });
    return chunks;
  }

  #closePart(): UiChunk[] {
    if (!this.#open) return [];
    const { type, id } = this.#open;
    this.#open = null;
    return [{ type: `${type}-end`, id }];
  }

  #announce(toolCallId: string, toolName: string, input: unknown): UiChunk[] {
    if (this.#announced.has(toolCallId)) return [];
    this.#announced.add(toolCallId);
    this.#inputs.delete(toolCallId);
    this.#stepCalls.add(toolCallId);
    this.#calls.add(toolCallId);
    return [{ type: "tool-input-available", toolCallId, toolName, input }];
  }

  /** `isNews`: it belongs to this stream, and is announced if it was not. */
  #result({ name, output, status, isError }: ToolResult, toolCallId: string, isNews = this.#hasSteps): UiChunk[] {
    const known = this.#announced.has(toolCallId);
    if (!known && !isNews) return [];
    const before = known ? [] : this.#announce(toolCallId, name, {});
    this.#calls.delete(toolCallId);
    if (status === "denied") return [...before, { type: "tool-output-denied", toolCallId }];
    if (isError) return [...before, { type: "tool-output-error", toolCallId, errorText: errorTextOf(output) }];
    return [...before, { type: "tool-output-available", toolCallId, output }];
  }

  #question(request: PendingRequest, toolCallId: string): UiChunk[] {
    this.#asked.set(request.id, request);
    if (request.kind !== "approval") return [questionPart(request, false)];
    const before = this.#announce(toolCallId, request.tool, request.input);
    this.#calls.delete(toolCallId);
    return [...before, { type: "tool-approval-request", approvalId: request.id, toolCallId, reason: request.reason }];
  }

  #answered({ request }: EventOf<"approval-answered">): UiChunk[] {
    this.#asked.delete(request.id);
    if (request.kind !== "approval") return [questionPart(request, true)];
    if (isChild(request)) return this.#announce(request.id, request.tool, request.input);
    return [];
  }

  async #finish(event: EventOf<"run-end">): Promise<UiChunk[]> {
    const { status, error } = event;
    const start = this.#start(event);
    if (status === "failed" || status === "output-invalid") return [...start, ...this.#endOf(status, error)];
    const waiting = status === "needs-approval" ? await this.#waiting() : [];
    return [...start, ...waiting, ...this.#endOf(status)];
  }

  /** The open rest: questions that no event of this run reported, and calls that wait behind them. */
  async #waiting(): Promise<UiChunk[]> {
    const chunks: UiChunk[] = [];
    for (const request of await unansweredQuestions(this.run, this.#asked)) {
      if (this.#asked.has(request.id)) continue;
      const part = isChild(request) ? request.id : request.toolCallId;
      chunks.push(...this.#announce(part, request.tool, request.input), ...this.#question(request, part));
    }
    // A client sends approvals by itself only when no call of the step is open. These are entered again when the run goes on.
    const questioned = new Set([...this.#asked.values()].map(({ toolCallId }) => toolCallId));
    for (const toolCallId of this.#calls) {
      if (questioned.has(toolCallId)) continue;
      chunks.push({ type: "tool-output-available", toolCallId, output: "Waiting for an approval." });
    }
    return chunks;
  }

  #failed(code: string, message: string): UiChunk[] {
    const chunks = [...this.#endStep(), { type: "error", errorText: `${code}: ${message}` }];
    this.#hasEnded = true;
    return chunks;
  }

  #endOf(status: RunStatus | "other" | "error", error?: unknown): UiChunk[] {
    const chunks = this.#endStep();
    this.#hasEnded = true;
    if (error !== undefined) chunks.push({ type: "error", errorText: describeError(error).message });
    if (status === "aborted") return [...chunks, { type: "abort" }];
    const finishReason = status === "error" ? status : (FINISH_REASONS[status as RunStatus] ?? "other");
    const { usage, costUsd } = this.#usage ?? {};
    const messageMetadata = { status, ...(usage && { usage, costUsd }) };
    return [...chunks, { type: "finish", finishReason, messageMetadata }];
  }
}
