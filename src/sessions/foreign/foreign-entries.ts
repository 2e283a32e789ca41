// The entries of a session that was another program's: every call has its result, and every message its place.
import type { AssistantMessage, AssistantPart, Message } from "../../contracts/message.js";
import type { SessionEntry, SessionRecord } from "../../contracts/session.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import { freeCallId, toolCallsOf } from "../../engine/transcript/message-shape.js";
import type { ForeignPart, ForeignPast, ForeignStep } from "./foreign-past.js";

type Reply = Extract<ForeignStep, { kind: "assistant" }>;
type Result = Extract<ForeignStep, { kind: "result" }>;

/** The entries, and what was done to make them a transcript. */
export interface ForeignEntries {
  readonly entries: readonly SessionEntry[];
  /** Calls that had no result; theirs says so. */
  readonly closedCalls: number;
  /** Pieces of thinking that were left out. */
  readonly droppedThinking: number;
}

/** `model`: `provider/model` of the one that goes on, whose own thinking is kept. */
export function entriesOfPast({ steps, leftOut }: ForeignPast, model: string | undefined): ForeignEntries {
  const results = new ResultsByCall(steps);
  const writer = new EntryWriter(model, results);
  const byReply = new Map<string, Reply[]>();
  for (const step of steps) {
    if (step.kind === "assistant") byReply.set(step.reply, [...(byReply.get(step.reply) ?? []), step]);
  }
  for (const step of steps) {
    if (step.kind === "user") writer.write({ type: "message", message: userMessage(step) }, step);
    if (step.kind === "summary") writer.summarize(step);
    // The first piece of a reply brings the others along.
    const pieces = step.kind === "assistant" ? byReply.get(step.reply) : undefined;
    if (pieces?.[0] === step) writer.reply(pieces);
  }
  const lost = results.left;
  if (lost > 0) leftOut.add("result without a call", lost);
  if (writer.entries.length > 0)
    writer.write({ type: "run-end", status: "completed", usage: NOTHING }, { at: writer.at });
  return writer;
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };
const LOST = "The result of this call was not recorded. It may have had effects.";

function userMessage({ content, origin }: Extract<ForeignStep, { kind: "user" }>): Message & { role: "user" } {
  return { role: "user", content, ...(origin && { origin }) };
}

/** Each call takes the first result with its id that no other has taken. */
class ResultsByCall {
  readonly #waiting = new Map<string, Result[]>();

  constructor(steps: readonly ForeignStep[]) {
    for (const step of steps) {
      if (step.kind !== "result") continue;
      const waiting = this.#waiting.get(step.callId);
      if (waiting) waiting.push(step);
      else this.#waiting.set(step.callId, [step]);
    }
  }

  take(callId: string): Result | undefined {
    return this.#waiting.get(callId)?.shift();
  }

  get left(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }
}

class EntryWriter implements ForeignEntries {
  readonly entries: SessionEntry[] = [];
  closedCalls = 0;
  droppedThinking = 0;
  /** The time of the newest entry. */
  at = 0;
  #turn = 0;
  /** The entries that the view begins with, by the step they are from. */
  readonly #entryOfStep = new Map<string, string>();
  #viewFrom: string | undefined;
  readonly #callIds = new Set<string>();
  readonly #suffixes = new Map<string, number>();

  constructor(
    private readonly model: string | undefined,
    private readonly results: ResultsByCall,
  ) {}

  write(record: SessionRecord, { at, id: step }: Pick<ForeignStep, "at" | "id">): string {
    const id = `i${this.entries.length + 1}`;
    // Time does not run backwards in a session.
    this.at = Math.max(this.at, at);
    const parent = this.entries.at(-1)?.id ?? null;
    this.entries.push({ v: 1, id, parent, at: this.at, runId: "import", turn: this.#turn, ...record });
    if (step) this.#entryOfStep.set(step, id);
    if (record.type === "message") this.#viewFrom ??= id;
    return id;
  }

  reply(pieces: readonly Reply[]): void {
    const { provider, model } = pieces[0]!;
    const wanted: string[] = [];
    const content = pieces.flatMap(({ parts }) => parts.flatMap((part) => this.#part(part, pieces[0]!, wanted)));
    if (content.length === 0) return;
    this.#turn++;
    const usage = pieces.findLast((piece) => piece.usage !== undefined)?.usage;
    const message = { role: "assistant", content, provider, model, ...(usage && { usage }) } as const;
    const calls = toolCallsOf(message as unknown as AssistantMessage);
    const finishReason = calls.length > 0 ? "tool-calls" : "stop";
    this.write({ type: "message", message: { ...message, finishReason } }, pieces[0]!);
    for (const [index, call] of calls.entries()) {
      const result = this.results.take(wanted[index]!);
      if (!result) this.closedCalls++;
      this.write({ type: "tool-result", result: resultOf(call, result) }, result ?? pieces[0]!);
    }
  }

  /** The transcript keeps everything; the model reads the summary in place of what it is about. */
  summarize({ text, keptFrom, at }: Extract<ForeignStep, { kind: "summary" }>): void {
    const from = this.#viewFrom;
    const kept = keptFrom === undefined ? undefined : this.#entryOfStep.get(keptFrom);
    const before = this.entries.slice(0, kept === undefined ? undefined : this.#beginOfTurn(kept));
    const to = before.findLast(({ type }) => type === "message" || type === "tool-result");
    const summary = { role: "user", content: [{ type: "text", text }], origin: "summary" } as const;
    if (from === undefined || !to || text === "" || !before.some(({ id }) => id === from)) {
      if (text !== "") this.write({ type: "message", message: summary }, { at });
      return;
    }
    const report = { stage: "summarize", beforeTokens: 0, afterTokens: 0, removedTurns: 0, durationMs: 0, costUsd: 0 };
    const edit = { type: "view-edit", stage: "summarize", from, to: to.id, replacement: [summary], report } as const;
    this.#viewFrom = this.write(edit, { at });
  }

  /** A result stays with its call. */
  #beginOfTurn(id: string): number {
    const at = this.entries.findIndex((entry) => entry.id === id);
    return this.entries.slice(0, at + 1).findLastIndex(({ type }) => type !== "tool-result");
  }

  #part(part: ForeignPart, { provider, model }: Reply, wanted: string[]): AssistantPart[] {
    switch (part.kind) {
      case "text":
        return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
      case "thinking":
        if (part.data && this.model === `${provider}/${model}`)
          return [{ type: "reasoning", text: part.text, provider, providerData: part.data }];
        this.droppedThinking++;
        return [];
      case "call": {
        const id = freeCallId(part.id, (taken) => this.#callIds.has(taken), this.#suffixes);
        this.#callIds.add(id);
        wanted.push(part.id);
        const name = part.name.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
        return [{ type: "tool-call", id, name, arguments: part.input }];
      }
    }
  }
}

function resultOf({ id: toolCallId, name }: ToolCall, result: Result | undefined): ToolResult {
  const about = { toolCallId, name, durationMs: 0 };
  if (!result) {
    const details = { code: "TOOL_OUTCOME_UNKNOWN" };
    return { ...about, output: LOST, isError: true, status: "unknown", outcome: "unknown", details };
  }
  const { output, isError } = result;
  if (!isError) return { ...about, output, isError, status: "success" };
  return { ...about, output, isError, status: "failure", details: { code: "TOOL_FAILED" } };
}
