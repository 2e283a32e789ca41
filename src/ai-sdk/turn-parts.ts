// The events of the runs of one turn, as the parts that the AI SDK reads: the open text, the open step, and the calls.
import type { PendingRequest } from "../contracts/approval.js";
import type { CompactionReport } from "../contracts/context.js";
import type { EngineEvent, EventOf } from "../contracts/event.js";
import type { JsonValue } from "../contracts/json.js";
import type { RunResult, RunStatus } from "../contracts/run.js";
import type { ToolCall, ToolResult } from "../contracts/tool-call.js";
import type { FinishReason, Usage } from "../contracts/usage.js";
import { ASK, type ShownNames } from "./common-tools.js";
import type { HarnessFinishReason, HarnessPart, HarnessUsage } from "./harness-v1.js";

/** A model call whose step has not been ended: its calls may still run, or wait for the host. */
export interface OpenStep {
  readonly finishReason: FinishReason;
  readonly usage: Usage | undefined;
}

export interface PartsOptions {
  readonly harnessId: string;
  readonly names: ShownNames;
  /** Tools with a row in the harness's `builtinTools`; others are shown as dynamic. */
  readonly isBuiltin: (toolName: string) => boolean;
  /** The calls that the host makes itself are shown when they wait for it, not when they begin. */
  readonly isHostCall: (tool: string) => boolean;
  /** The final answer is JSON: a text is shown once it is whole, so that none is shown twice. */
  readonly isJson: boolean;
  readonly emit: (part: HarnessPart) => void;
}

export class TurnParts {
  /** The step that is open; a turn that goes on in another process begins with one. */
  step: OpenStep | undefined;
  /** The outputs that the host has submitted, by call: its echo is that, and not the text that the model reads. */
  readonly submitted = new Map<string, unknown>();
  /** The calls of the open step that the present reader has been shown. */
  readonly callsShown = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #inputs = new Set<string>();
  /** The tools of the open step's calls that have no output, by call. */
  readonly #open = new Map<string, string>();
  /** Files that calls of sub-agents change, by call: nothing else shows them. */
  readonly #hidden = new Map<string, readonly string[]>();
  #part: { readonly type: "text" | "reasoning"; readonly id: string } | undefined;
  #count = 0;
  #runId = "";
  #held = "";
  #hasStarted = false;
  /** Whether something was shown since the last step ended. */
  #isStepOpen = false;

  constructor(private readonly options: PartsOptions) {}

  add(event: EngineEvent): void {
    if (event.agentPath.length > 0) {
      this.#addHidden(event);
      return;
    }
    this.#runId = event.runId;
    switch (event.type) {
      case "model-call-start":
        this.begin(event.model);
        break;
      case "turn-start":
        this.endStep();
        break;
      case "text-delta":
        if (this.options.isJson) this.#held += event.text;
        else this.#write("text", event);
        break;
      case "reasoning-delta":
        this.#write("reasoning", event);
        break;
      case "model-restart":
        this.#held = "";
        this.#endPart();
        for (const id of this.#inputs) this.#emit({ type: "tool-input-end", id });
        this.#inputs.clear();
        break;
      case "model-call-end":
        this.#endPart();
        this.step = event;
        break;
      case "tool-input-delta":
        this.#writeInput(event);
        break;
      case "tool-call-start":
        this.#endPart();
        if (!this.options.isHostCall(event.call.name)) this.showCall(event.call);
        break;
      case "tool-call-end":
        this.#showResult(event.result);
        break;
      case "compaction":
        this.compaction(event.report, "auto");
        break;
      case "media":
        this.#emit({ type: "raw", rawValue: event.part });
        break;
    }
  }

  /** The first part of a turn. */
  begin(modelId: string): void {
    if (!this.#hasStarted) this.#emit({ type: "stream-start", modelId });
    this.#hasStarted = true;
  }

  /** Shows a call, once. */
  showCall({ id, name, arguments: input }: ToolCall): void {
    if (this.#shown.has(id)) return;
    this.emitCall(id, name, input, { providerExecuted: true });
  }

  /** Shows a call, also one that another reader has seen. `calls`: how many the step has, for a host that gathers questions. */
  emitCall(id: string, name: string, input: JsonValue, how: { providerExecuted?: true; calls?: number }): void {
    this.#endPart();
    if (this.#inputs.delete(id)) this.#emit({ type: "tool-input-end", id });
    this.#shown.add(id);
    this.callsShown.add(id);
    if (how.providerExecuted) this.#open.set(id, name);
    this.#emit({
      type: "tool-call",
      toolCallId: id,
      ...this.options.names.shown(name),
      input: JSON.stringify(this.options.names.input(name, input)),
      ...(how.providerExecuted && { providerExecuted: true, ...this.#dynamic(name) }),
      ...(how.calls !== undefined && { stepToolCallCount: how.calls }),
    });
  }

  /** Asks whether a call may be made. A page sends the answer only when every other call of the step has an output. */
  askApproval({ id: approvalId, tool, input }: PendingRequest, toolCallId: string): void {
    if (!this.callsShown.has(toolCallId)) this.emitCall(toolCallId, tool, input, { providerExecuted: true });
    this.#open.delete(toolCallId);
    for (const [id, name] of this.#open) {
      const isWaiting = this.#shown.has(id) || this.#inputs.has(id);
      this.#emitResult(id, name, isWaiting ? "Waiting for an approval." : "The call was cut off.");
    }
    this.#emit({ type: "tool-approval-request", approvalId, toolCallId });
  }

  /** The host has answered a question that was a call of its own. */
  endQuestion(toolCallId: string, output: unknown): void {
    this.#emit({ type: "tool-result", toolCallId, toolName: ASK, result: jsonOf(output) });
  }

  compaction(report: CompactionReport, trigger: "auto" | "manual"): void {
    const { stage, removedTurns, beforeTokens: tokensBefore, afterTokens: tokensAfter } = report;
    const turns = removedTurns === 1 ? "1 turn" : `${removedTurns} turns`;
    const summary = `Stage "${stage}" took ${turns} out of the context.`;
    this.#emit({ type: "compaction", trigger, summary, tokensBefore, tokensAfter });
  }

  endStep(): void {
    this.#endPart();
    if (this.#held !== "") this.#say(this.#held);
    this.callsShown.clear();
    this.#open.clear();
    if (!this.step && !this.#isStepOpen) return;
    const { finishReason = "stop", usage } = this.step ?? {};
    this.step = undefined;
    this.#emit({ type: "finish-step", finishReason: finished(finishReason), usage: usageOf(usage) });
  }

  /** The last parts of a turn that has come to its end. `total`: of all its runs. */
  finish(result: RunResult | undefined, status: RunStatus, total: Usage): void {
    const { text = "", output, finishReason, costUsd = null, runId = "" } = result ?? {};
    // A run that had ended before anybody read it has nothing to show but its answer.
    if (!this.#hasStarted) this.#held = text;
    this.#runId = runId;
    this.begin("");
    if (this.options.isJson && status === "completed") this.#held = JSON.stringify(output);
    this.endStep();
    this.#emit({
      type: "finish",
      finishReason: status === "completed" ? finished(finishReason) : { unified: "other", raw: status },
      totalUsage: usageOf(total),
      harnessMetadata: { [this.options.harnessId]: { status, runId, costUsd } },
    });
  }

  #addHidden(event: EngineEvent): void {
    if (event.type === "tool-call-start") {
      const { kind, paths } = event.description ?? {};
      if (kind === "edit" || kind === "delete") this.#hidden.set(event.call.id, [kind, ...(paths ?? [])]);
    }
    if (event.type !== "tool-call-end") return;
    const { result } = event;
    if (this.#shown.has(result.toolCallId)) this.#showResult(result);
    const [kind, ...paths] = this.#hidden.get(result.toolCallId) ?? [];
    if (result.isError || this.#shown.has(result.toolCallId)) return;
    for (const path of paths) {
      this.#emit({ type: "file-change", event: kind === "delete" ? "delete" : "modify", path });
    }
  }

  #showResult({ toolCallId: id, name, output, isError }: ToolResult): void {
    // One that the host never got, as it was refused here.
    if (!this.#shown.has(id)) this.emitCall(id, name, {}, { providerExecuted: true });
    this.#emitResult(id, name, output, isError);
  }

  #emitResult(toolCallId: string, name: string, output: unknown, isError = false): void {
    this.#open.delete(toolCallId);
    this.#emit({
      type: "tool-result",
      toolCallId,
      toolName: this.options.names.shown(name).toolName,
      result: jsonOf(this.submitted.get(toolCallId) ?? output),
      ...(isError && { isError }),
      ...(!this.options.isHostCall(name) && this.#dynamic(name)),
    });
    this.submitted.delete(toolCallId);
  }

  #write(type: "text" | "reasoning", { text }: EventOf<"text-delta" | "reasoning-delta">): void {
    if (this.#part?.type !== type) {
      this.#endPart();
      this.#part = { type, id: this.#newId() };
      this.#emit({ type: `${type}-start`, id: this.#part.id });
    }
    this.#emit({ type: `${type}-delta`, id: this.#part.id, delta: text });
  }

  #say(delta: string): void {
    const id = this.#newId();
    this.#held = "";
    this.#emit({ type: "text-start", id });
    this.#emit({ type: "text-delta", id, delta });
    this.#emit({ type: "text-end", id });
  }

  #newId(): string {
    return `${this.#runId}:${++this.#count}`;
  }

  #endPart(): void {
    if (this.#part) this.#emit({ type: `${this.#part.type}-end`, id: this.#part.id });
    this.#part = undefined;
  }

  #writeInput({ toolCallId: id, tool, json }: EventOf<"tool-input-delta">): void {
    const { names } = this.options;
    if (!names.isVerbatim(tool) || this.#shown.has(id)) return;
    if (!this.#inputs.has(id)) {
      this.#endPart();
      this.#inputs.add(id);
      this.#open.set(id, tool);
      const who = this.options.isHostCall(tool) ? {} : { providerExecuted: true, ...this.#dynamic(tool) };
      this.#emit({ type: "tool-input-start", id, toolName: names.shown(tool).toolName, ...who });
    }
    this.#emit({ type: "tool-input-delta", id, delta: json });
  }

  #dynamic(name: string): { dynamic?: true } {
    return this.options.isBuiltin(this.options.names.shown(name).toolName) ? {} : { dynamic: true };
  }

  #emit(part: HarnessPart): void {
    this.#isStepOpen = part.type !== "finish-step" && part.type !== "stream-start";
    this.options.emit(part);
  }
}

function jsonOf(output: unknown): NonNullable<JsonValue> {
  return JSON.parse(JSON.stringify(output ?? "") ?? '""') as NonNullable<JsonValue>;
}

const UNIFIED: Partial<Record<FinishReason, HarnessFinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content-filter",
  "tool-calls": "tool-calls",
  error: "error",
};

function finished(reason: FinishReason | undefined): HarnessFinishReason {
  return { unified: UNIFIED[reason ?? "stop"] ?? "other", raw: reason };
}

function usageOf(usage: Usage | undefined): HarnessUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage ?? {};
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens === undefined ? undefined : inputTokens - cached,
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0),
      reasoning: reasoningTokens,
    },
  };
}
