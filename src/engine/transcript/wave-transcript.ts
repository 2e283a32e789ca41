import { ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Message } from "../../contracts/message.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { NestedCall, ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { toolCallsOf } from "./message-shape.js";
import { invalidEntry, PROGRAM_PROVIDER, PROGRAM_START, Transcript } from "./transcript.js";

/** A result, and when it was recorded. */
export interface RecordedResult {
  readonly result: ToolResult;
  readonly at: number;
}

/** Calls that a tool has made together: one message of the record. */
export interface Wave {
  readonly calls: readonly NestedCall[];
  /** By call order; a hole is a call without a result. */
  readonly results: (RecordedResult | undefined)[];
}

/** Whether each of its calls has a result. */
export function isAnswered({ results }: Wave): boolean {
  return results.every((each) => each !== undefined);
}

/** Calls that an error lists. */
const MAX_SHOWN_CALLS = 50;

/** Such as `pay (success), look (open)`. */
export function shownCalls(made: readonly { readonly name: string; readonly status: string }[]): string {
  const shown = made.slice(0, MAX_SHOWN_CALLS).map(({ name, status }) => `${name} (${status})`);
  return shown.join(", ") + (made.length > shown.length ? `, and ${made.length - shown.length} more` : "");
}

/** A tool does not repeat its record after `repeated` waves, or `flaw` says what is wrong with the record itself. */
export function divergence(tool: string, waves: readonly Wave[], repeated: number, flaw?: string): ToolError {
  const at = waves.slice(0, repeated).reduce((sum, { calls }) => sum + calls.length, 1);
  const done = waves.flatMap(({ calls, results }) =>
    calls.map(({ name }, index) => ({ name, status: results[index]?.result.status ?? "open" })),
  );
  const why =
    flaw === undefined
      ? `Entered again, "${tool}" did not make the calls that it had made before (from call ${at} on).`
      : `The record of the calls that "${tool}" has made is broken, so it cannot go on: ${flaw}`;
  const message = `${why} Nothing was run again. On record: ${shownCalls(done) || "nothing"}. Check what was done before you repeat it.`;
  return new ToolError("PROGRAM_DIVERGED", { message, details: { call: at, done: done.slice(0, MAX_SHOWN_CALLS) } });
}

/** The call whose tool makes the calls of a record. */
export interface WaveMaker {
  readonly tool: string;
  readonly toolCallId: string;
}

/** The id of a call that a call's tool makes. `wave` begins with 1. */
export function nestedCallId(toolCallId: string, wave: number, index: number): string {
  return `${toolCallId}.${wave}.${index + 1}`;
}

/** The record of the calls that one call's tool makes. It refuses entries that this tool's calls cannot have left. */
export class WaveTranscript extends Transcript {
  /** The data that the tool has had kept at the beginning. */
  start: { readonly at: number; readonly data: JsonValue } | null = null;
  readonly waves: Wave[] = [];
  readonly #ids = new Map<string, number>();
  #last: readonly ToolCall[] = [];

  /** `maker` is asked with each entry. */
  constructor(private readonly maker: () => WaveMaker) {
    super();
  }

  /** @throws SessionError `TRANSCRIPT_INVALID` */
  override apply(entry: SessionEntry): void {
    super.apply(entry);
    if (entry.type === "custom" && entry.name === PROGRAM_START) this.#begin(entry.data, entry.at);
    else if (entry.type === "message") this.#addWave(entry.message);
    else if (entry.type === "tool-result") this.#answer(entry.result, entry.at);
  }

  #begin(kept: JsonValue, at: number): void {
    const { tool, data = null } = Object(kept) as { readonly tool?: JsonValue; readonly data?: JsonValue };
    if (tool !== this.maker().tool) throw invalidEntry(`a start of ${JSON.stringify(tool)}`);
    this.start ??= { at, data };
  }

  #addWave(message: Message): void {
    const { tool, toolCallId } = this.maker();
    if (message.role !== "assistant" || message.provider !== PROGRAM_PROVIDER || message.model !== tool)
      throw invalidEntry(`a message that is not by "${tool}"`);
    this.#last = toolCallsOf(message);
    for (const [index, { id }] of this.#last.entries()) {
      if (id !== nestedCallId(toolCallId, this.waves.length + 1, index)) throw invalidEntry(`a call of the id "${id}"`);
      this.#ids.set(id, this.#ids.size + 1);
    }
    const calls = this.#last.map(({ name, arguments: input }) => Object.freeze({ name, input }));
    this.waves.push({ calls, results: new Array(calls.length).fill(undefined) });
  }

  #answer(result: ToolResult, at: number): void {
    const index = this.#last.findIndex(({ id }) => id === result.toolCallId);
    const { id, name } = this.#last[index]!;
    if (result.name !== name) throw invalidEntry(`a result of "${result.name}" for "${id}", a call of "${name}"`);
    if (result.isError !== (result.status !== "success")) throw invalidEntry(`a result of no known status for "${id}"`);
    this.waves.at(-1)!.results[index] = { result, at };
  }

  /** The number of a call among all of the record, from 1. */
  numberOf(toolCallId: string): number {
    return this.#ids.get(toolCallId) ?? 0;
  }
}
