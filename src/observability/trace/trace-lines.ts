// The lines of a trace, per stage. Text of a model, a tool or a human is cleaned of secrets, then cut.
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { Message } from "../../contracts/message.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";
import { contentSize, contentText, money, ms, number, quantity, type TraceText, tokens } from "./trace-text.js";

/** Unit: characters. */
const MAX_LINE_CHARS = 600;
/** Messages of one request that are shown. */
const MAX_SAID = 8;
/** Runs that are remembered at once: a host's call that waits for an answer leaves one that no event ends. */
const MAX_RUNS = 1_000;

/** A run as far as it has been traced. */
interface TracedRun {
  readonly id: string;
  readonly path: readonly string[];
  readonly startedAt: number;
  /** It has begun with `run-start`. A call that a host makes outside any run has not. */
  hasBegun: boolean;
  /** The model call under way: who is asked, since when, and what has come. */
  model: { readonly name: string; readonly at: number; isSent: boolean; firstMs: number | null } | null;
  textChars: number;
  reasoningChars: number;
  media: number;
  /** Calls whose tool has started. */
  readonly started: Map<string, string>;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** The lines of a trace. */
export class TraceLines {
  readonly #runs = new Map<string, TracedRun>();
  /** Messages that were shown: a request that is sent again shows its prompt once. */
  readonly #said = new WeakSet<Message>();

  constructor(
    private readonly now: () => number,
    private readonly text: TraceText,
    /** Whether each line says which run it is of. */
    private readonly hasIds: boolean,
  ) {}

  /** The model has sent something. */
  chunk(runId: string): void {
    const model = this.#runs.get(runId)?.model;
    if (model && model.firstMs === null) model.firstMs = this.now() - model.at;
  }

  /** The request, once for each model call: the messages that are new, and its size. */
  ofRequest(runId: string, { messages, tools }: ProviderRequest): readonly string[] {
    const run = this.#runs.get(runId);
    if (!run?.model || run.model.isSent) return [];
    run.model.isSent = true;
    const said = newestOf(messages).filter((message) => !this.#said.has(message));
    for (const message of said) this.#said.add(message);
    const shown = said.slice(-MAX_SAID).map(({ origin = "prompt", content }) => {
      return this.#line(run, origin, `${this.text.text(contentText(content))} (${contentSize(content)})`);
    });
    const what = `${run.model.name}: ${quantity(messages.length, "message")}, ${quantity(tools.length, "tool")}`;
    return [...shown, this.#line(run, "request", what)];
  }

  /** A tool's function is called, once for each call: a tool that is a generator is entered many times. */
  ofExecution(runId: string, toolCallId: string): readonly string[] {
    const run = this.#runs.get(runId);
    const name = run?.started.get(toolCallId);
    if (!run || name === undefined) return [];
    run.started.delete(toolCallId);
    return [this.#line(run, "execute", this.text.call(name, toolCallId))];
  }

  ofEvent(event: EngineEvent): readonly string[] {
    const run = this.#runOf(event);
    const line = (stage: string, text: string) => [this.#line(run, stage, text, event.at)];
    switch (event.type) {
      case "run-start": {
        run.hasBegun = true;
        const how = event.resumed ? "resumed" : "started";
        return line("run", `${how} at ${new Date(event.at).toISOString()}, run ${run.id}, session ${event.sessionId}`);
      }
      case "turn-start":
        return line("turn", `${event.turn}`);
      case "model-call-start":
        run.model = {
          name: this.text.name(`${event.provider}/${event.model}`),
          at: event.at,
          isSent: false,
          firstMs: null,
        };
        this.#forgetReply(run);
        return [];
      case "text-delta":
        run.textChars += event.text.length;
        return [];
      case "reasoning-delta":
        run.reasoningChars += event.text.length;
        return [];
      case "media":
        run.media++;
        return [];
      case "server-tool": {
        const { id, name, input, output } = event.use;
        return line(
          input === undefined ? "found" : "server",
          `${this.text.call(name, id)} ${this.text.content(input ?? output)}`,
        );
      }
      case "model-restart": {
        this.#forgetReply(run);
        const { code, message } = event.error;
        return line("retry", `${event.attempt} in ${event.delayMs} ms, after ${code}: ${this.text.text(message)}`);
      }
      case "model-call-end":
        return line("response", this.#response(run, event));
      case "tool-call-start": {
        const { call, target = call } = event;
        run.started.set(call.id, target.name);
        const via = target === call ? "" : ` through ${this.text.name(call.name)}`;
        const input = call.malformed ?? target.arguments;
        return line("call", `${this.text.call(target.name, call.id)}${via} ${this.text.content(input)}`);
      }
      case "hook-outcome": {
        const { point, outcome, durationMs, toolCallId, reason } = event;
        const of = toolCallId === undefined ? "" : ` for ${this.text.name(toolCallId)}`;
        return line("hook", `${point} ${outcome} after ${ms(durationMs)}${of}${this.text.because(reason)}`);
      }
      case "permission-decision": {
        const { behavior, reason, rule, source } = event.decision;
        const from = rule?.source ?? source;
        const by = [
          event.by === undefined ? "" : ` by ${this.text.name(event.by)}`,
          rule === undefined ? "" : ` by the rule ${this.text.name(rule.rule)}`,
          from === undefined ? "" : ` (${from})`,
          event.mode === undefined ? "" : `, mode ${event.mode}`,
        ];
        return line(
          "decision",
          `${behavior} ${this.text.call(event.tool, event.toolCallId)}${by.join("")}${this.text.because(reason)}`,
        );
      }
      case "approval-requested": {
        const { kind, tool, toolCallId, reason } = event.request;
        // The decision before has said why there has to be an approval.
        const about = kind === "approval" ? "" : this.text.because(reason);
        return line("question", `${kind} for ${this.text.call(tool, toolCallId)}${about}`);
      }
      case "approval-answered": {
        const { answer, request } = event;
        const by = answer.by === undefined ? "" : ` by ${this.text.name(answer.by)}`;
        const what = "decision" in answer ? `${answer.decision}${by}${this.text.because(answer.reason)}` : `given${by}`;
        return line("answer", `${this.text.call(request.tool, request.toolCallId)} ${what}`);
      }
      case "tool-call-end": {
        const { toolCallId } = event.result;
        run.started.delete(toolCallId);
        const lines = line("result", this.#result(event.result, event.target));
        if (!run.hasBegun) this.#runs.delete(run.id);
        return lines;
      }
      case "compaction": {
        const { stage, beforeTokens, afterTokens, removedTurns, durationMs, skippedStages = [] } = event.report;
        const skipped = skippedStages.map((one) => `, not ${one.stage}: ${this.text.text(one.reason)}`).join("");
        const size = `${number(beforeTokens)} to ${number(afterTokens)} tokens`;
        return line(
          "compact",
          `${stage}: ${size}, ${quantity(removedTurns, "turn")} less, ${ms(durationMs)}${skipped}`,
        );
      }
      case "epoch":
        return line("epoch", this.text.text(event.cause));
      case "notice":
        return line("notice", `${event.code}: ${this.text.text(event.message)}`);
      case "turn-end":
        return line("turn", `${event.turn} is over: ${event.transition}`);
      case "run-end": {
        const { status, error, turn } = event;
        this.#runs.delete(run.id);
        const why = error === undefined ? "" : `, ${error.code}: ${this.text.text(error.message)}`;
        return line("end", `${status} after ${quantity(turn, "turn")}, ${tokens(run)}${money(run.costUsd)}${why}`);
      }
      default:
        return [];
    }
  }

  #runOf({ runId, agentPath, at }: EngineEvent): TracedRun {
    const known = this.#runs.get(runId);
    if (known) return known;
    const nothing = {
      textChars: 0,
      reasoningChars: 0,
      media: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
    };
    const run = {
      id: runId,
      path: agentPath,
      startedAt: at,
      hasBegun: false,
      model: null,
      started: new Map(),
      ...nothing,
    };
    this.#runs.set(runId, run);
    if (this.#runs.size > MAX_RUNS) this.#runs.delete(this.#runs.keys().next().value!);
    return run;
  }

  #forgetReply(run: TracedRun): void {
    run.textChars = run.reasoningChars = run.media = 0;
  }

  #response(run: TracedRun, { finishReason, usage, costUsd, at }: EventOf<"model-call-end">): string {
    const { model, textChars, reasoningChars, media } = run;
    run.inputTokens += usage.inputTokens;
    run.outputTokens += usage.outputTokens;
    run.costUsd = costUsd === null || run.costUsd === null ? null : run.costUsd + costUsd;
    const what = [
      finishReason,
      textChars > 0 && `text of ${quantity(textChars, "character")}`,
      reasoningChars > 0 && `reasoning of ${quantity(reasoningChars, "character")}`,
      media > 0 && quantity(media, "picture or file", "pictures or files"),
      `${tokens(usage)}${usage.cacheReadTokens ? ` (${number(usage.cacheReadTokens)} from the cache)` : ""}${usage.estimated ? ", estimated" : ""}`,
      model && `${ms(at - model.at)}${model.firstMs === null ? "" : `, the first piece after ${ms(model.firstMs)}`}`,
    ];
    run.model = null;
    return `${what.filter(Boolean).join(", ")}${money(costUsd)}`;
  }

  #result(
    { toolCallId, name, status, durationMs, output, details, isError, artifact }: ToolResult,
    target = name,
  ): string {
    const kept = artifact === undefined ? "" : `, the whole in an artifact of ${quantity(artifact.bytes, "byte")}`;
    const code = (details as { code?: unknown } | null | undefined)?.code;
    const what = `${this.text.call(target, toolCallId)} ${status} after ${ms(durationMs)}, ${contentSize(output)}${kept}`;
    if (!isError) return what;
    return `${what}: ${typeof code === "string" ? `${this.text.name(code)} ` : ""}${this.text.text(contentText(output))}`;
  }

  #line(run: TracedRun, stage: string, text: string, at = this.now()): string {
    const time = `+${((at - run.startedAt) / 1_000).toFixed(3)}s`.padStart(9);
    const id = this.hasIds ? ` ${run.id.slice(-8)}` : "";
    const path = run.path.length === 0 ? "" : `[${run.path.map((name) => this.text.name(name)).join(" > ")}] `;
    const line = `${time}${id} ${stage.padEnd(9)} ${path}${text}`;
    return clip(withoutControls(line).replaceAll(/\s*\n\s*/g, " "), MAX_LINE_CHARS);
  }
}

/** The messages since the model or a tool last said something. */
function newestOf(messages: readonly Message[]): Extract<Message, { role: "user" }>[] {
  const newest: Extract<Message, { role: "user" }>[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role !== "user") break;
    newest.unshift(message);
  }
  return newest;
}
