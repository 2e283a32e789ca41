// The chunks of the AI SDK's UI message stream. One message per run; a turn is a step. A client drops the stream at the first
// chunk about a part it does not know, so a part is announced before anything is said of it.
//
// A resumed run continues the client's last message: calls that are entered again come before its first step, and so fall
// into the step they were asked in. Sub-agents are seen by what they do, not by what they write.

import type { PendingRequest } from "../../contracts/approval.js";
import { isHarnessError } from "../../contracts/errors.js";
import type { EventOf } from "../../contracts/event.js";
import type { ServerToolUse } from "../../contracts/message.js";
import type { RunStatus } from "../../contracts/run.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { textOfOutput } from "../../engine/transcript/message-shape.js";
import { describeError, describeFailure } from "../describe-error.js";
import type { RunSource } from "../run-source.js";
import { RunFold, rowOf, type ShownPart, type ViewRows } from "./run-fold.js";
import type { RunProtocol } from "./run-writer.js";
import {
  childKey,
  FINISH_REASONS,
  isChild,
  partOf,
  questionPart,
  subagentPart,
  type UiChunk,
} from "./ui-message-chunks.js";

export class UiMessageProtocol implements RunProtocol {
  readonly fold = new RunFold<UiChunk>(
    (change, agent) => rowOf(agent.isRoot ? this.#rootRows : this.#childRows, change, agent),
    ({ isRoot }, toolCallId) => isRoot && this.#announced.has(toolCallId),
  );
  /** Calls of the main agent that have no result yet, by id. */
  readonly #calls = new Set<string>();
  readonly #announced = new Set<string>();
  /** The content of the current step: its calls, and the results that are in. */
  readonly #stepCalls = new Set<string>();
  readonly #stepResults = new Map<string, ToolResult>();
  /** The id of the tool part for a sub-agent's call, by its run and call id. */
  readonly #childParts = new Map<string, string>();
  /** The message that the run goes on with, where the client has not read it. */
  #begun: Awaited<ReturnType<NonNullable<RunSource["begun"]>>>;

  readonly #rootRows: ViewRows<UiChunk> = {
    run: ({ runId, sessionId }) => {
      const { id: messageId, chunks = [] } = this.#begun ?? {};
      return [{ type: "start", ...(messageId && { messageId }), messageMetadata: { runId, sessionId } }, ...chunks];
    },
    "step-start": () => this.#startStep(),
    "step-end": () => [{ type: "finish-step" }],
    "part-start": ({ part }) => [{ type: `${part.type}-start`, id: partId(part) }],
    "part-delta": ({ part, delta }) => [{ type: `${part.type}-delta`, id: partId(part), delta }],
    "part-end": ({ part }) => [{ type: `${part.type}-end`, id: partId(part) }],
    media: ({ part: { mediaType, data } }) => [{ type: "file", mediaType, url: `data:${mediaType};base64,${data}` }],
    "server-tool": ({ use }) => this.#serverTool(use),
    restart: () => this.#resetStep(),
    "input-start": ({ toolCallId, tool }) => [{ type: "tool-input-start", toolCallId, toolName: tool }],
    "input-delta": ({ toolCallId, json }) => [{ type: "tool-input-delta", toolCallId, inputTextDelta: json }],
    "input-cut": ({ toolCallId, tool }) => this.#cutInput(toolCallId, tool),
    call: ({ call, within }) => this.#call(call, within),
    "tool-call-end": ({ result }) => {
      this.#stepResults.set(result.toolCallId, result);
      return this.#result(result, result.toolCallId);
    },
    "approval-requested": ({ request }) => this.#question(request, request.toolCallId),
    "approval-answered": ({ request }) => this.#answered(request),
    compaction: ({ report: { stage, beforeTokens, afterTokens } }) => [
      { type: "data-compaction", data: { stage, beforeTokens, afterTokens } },
    ],
    notice: (event) => [{ type: "data-notice", data: describeFailure(event), transient: true }],
  };
  readonly #childRows: ViewRows<UiChunk> = {
    "run-start": (_, agent) => [subagentPart(agent, { status: "running" })],
    "run-end": ({ status }, agent) => [subagentPart(agent, { status })],
    call: ({ call }, agent) => [subagentPart(agent, { tool: call.name, input: call.arguments })],
    "approval-requested": ({ request }, { runId }) => {
      this.#childParts.set(childKey(runId, request.toolCallId), request.id);
      return [...this.#announce(request.id, request.tool, request.input), ...this.#question(request, request.id)];
    },
    "approval-answered": ({ request }, { runId }) => {
      this.#childParts.set(childKey(runId, request.toolCallId), request.id);
      return this.#answered(request);
    },
    "tool-call-end": ({ result }, { runId }) => {
      const part = this.#childParts.get(childKey(runId, result.toolCallId));
      return part === undefined ? [] : this.#result(result, part);
    },
  };

  constructor(private readonly run: RunSource) {}

  async prepare(): Promise<void> {
    this.#begun ??= await this.run.begun?.();
  }

  async finish({ status, error }: EventOf<"run-end">): Promise<UiChunk[]> {
    if (status === "failed" || status === "output-invalid" || isHarnessError(error, "USAGE_LIMIT"))
      return this.#endOf(status, error);
    const waiting = status === "needs-approval" ? await this.#waiting() : [];
    return [...waiting, ...this.#endOf(status)];
  }

  failed({ code, message }: { readonly code: string; readonly message: string }): UiChunk[] {
    return [...this.fold.close(), { type: "error", errorText: `${code}: ${message}` }];
  }

  steered(): UiChunk[] {
    return [...this.fold.close(), { type: "finish", finishReason: "other" }];
  }

  cutOff(error: unknown): UiChunk[] {
    return this.#endOf(error === undefined ? "other" : "error", error);
  }

  /** A tool that the vendor's server has run: the client is not to run it, and does not wait for it. */
  #serverTool({ id: toolCallId, name: toolName, input, output, isError }: ServerToolUse): UiChunk[] {
    const theirs = { toolCallId, providerExecuted: true };
    const isNew = !this.#announced.has(toolCallId);
    if (isNew) this.#announced.add(toolCallId);
    const call = isNew ? [{ type: "tool-input-available", ...theirs, toolName, input: input ?? {} }] : [];
    if (output === undefined) return call;
    if (isError) return [...call, { type: "tool-output-error", ...theirs, errorText: output }];
    return [...call, { type: "tool-output-available", ...theirs, output }];
  }

  #startStep(): UiChunk[] {
    this.#stepCalls.clear();
    this.#stepResults.clear();
    return [{ type: "start-step" }];
  }

  /** The model call begins again: what it has said is void, and calls are announced again if they are still asked for. */
  #resetStep(): UiChunk[] {
    for (const id of this.#stepCalls) {
      this.#announced.delete(id);
      this.#calls.delete(id);
    }
    this.#stepCalls.clear();
    return [{ type: "reset-step" }];
  }

  /** A call without its end, unless a question or a result has announced it. */
  #cutInput(toolCallId: string, toolName: string): UiChunk[] {
    if (this.#announced.has(toolCallId)) return [];
    return [{ type: "tool-input-error", toolCallId, toolName, input: {}, errorText: "The call was cut off." }];
  }

  /** A call; with its result, if it has ended before its model call began again. */
  #call({ id, name, arguments: input }: ToolCall, within: string | undefined): UiChunk[] {
    const announced = this.#announce(id, name, input, within);
    const result = this.#stepResults.get(id);
    return result ? [...announced, ...this.#result(result, id)] : announced;
  }

  #announce(toolCallId: string, toolName: string, input: unknown, within?: string): UiChunk[] {
    if (this.#announced.has(toolCallId)) return [];
    this.#announced.add(toolCallId);
    this.#stepCalls.add(toolCallId);
    this.#calls.add(toolCallId);
    const about = within !== undefined && { providerMetadata: { loopwright: { within } } };
    return [{ type: "tool-input-available", toolCallId, toolName, input, ...about }];
  }

  /** A sub-agent's call is a part of its own here, whatever it is within. */
  #announceAsked(request: PendingRequest, toolCallId: string): UiChunk[] {
    const within = isChild(request) ? undefined : request.within?.toolCallId;
    return this.#announce(toolCallId, request.tool, request.input, within);
  }

  /** The result of a call; one that belongs to this stream is announced if it was not. */
  #result({ name, output, status, isError }: ToolResult, toolCallId: string): UiChunk[] {
    if (!this.#announced.has(toolCallId) && !this.fold.hasTurns) return [];
    const before = this.#announce(toolCallId, name, {});
    this.#calls.delete(toolCallId);
    if (status === "denied") return [...before, { type: "tool-output-denied", toolCallId }];
    if (isError) return [...before, { type: "tool-output-error", toolCallId, errorText: textOfOutput(output) }];
    return [...before, { type: "tool-output-available", toolCallId, output }];
  }

  #question(request: PendingRequest, toolCallId: string): UiChunk[] {
    if (request.kind !== "approval") return [questionPart(request, false)];
    const before = this.#announceAsked(request, toolCallId);
    this.#calls.delete(toolCallId);
    return [...before, { type: "tool-approval-request", approvalId: request.id, toolCallId, reason: request.reason }];
  }

  #answered(request: PendingRequest): UiChunk[] {
    const part = isChild(request) ? this.#announce(request.id, request.tool, request.input) : [];
    return request.kind === "approval" ? part : [...part, questionPart(request, true)];
  }

  /** The open rest: questions that no event of this run reported, and calls that wait behind them. */
  async #waiting(): Promise<UiChunk[]> {
    const { asked } = this.fold;
    const chunks: UiChunk[] = [];
    for (const request of await this.fold.unanswered(this.run)) {
      if (asked.has(request.id)) continue;
      asked.set(request.id, request);
      const part = partOf(request);
      chunks.push(...this.#announceAsked(request, part), ...this.#question(request, part));
    }
    // A client sends approvals by itself only when no call of the step is open. These are entered again when the run goes on.
    const questioned = new Set([...asked.values()].map(partOf));
    for (const toolCallId of this.#calls) {
      if (questioned.has(toolCallId)) continue;
      chunks.push({ type: "tool-output-available", toolCallId, output: "Waiting for an approval." });
    }
    return chunks;
  }

  #endOf(status: RunStatus | "other" | "error", error?: unknown): UiChunk[] {
    const chunks = this.fold.close();
    if (error !== undefined) chunks.push({ type: "error", errorText: describeError(error).message });
    if (status === "aborted") return [...chunks, { type: "abort" }];
    const finishReason = status === "error" ? status : (FINISH_REASONS[status as RunStatus] ?? "other");
    const { usage, costUsd } = this.fold.usage ?? {};
    const messageMetadata = { status, ...(usage && { usage, costUsd }) };
    return [...chunks, { type: "finish", finishReason, messageMetadata }];
  }
}

function partId({ type, number }: ShownPart): string {
  return `${type}-${number}`;
}
