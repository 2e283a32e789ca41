import type { JsonValue } from "../../contracts/json.js";
import type { NestedCall } from "../../contracts/nested-calls.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { toolCallsOf } from "./message-shape.js";
import { PROGRAM_START, Transcript } from "./transcript.js";

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

/** The record of the calls that one call's tool makes. */
export class WaveTranscript extends Transcript {
  /** The data that the tool has had kept at the beginning. */
  start: { readonly at: number; readonly data: JsonValue } | null = null;
  readonly waves: Wave[] = [];
  readonly #ids = new Map<string, number>();
  #last: readonly ToolCall[] = [];

  override apply(entry: SessionEntry): void {
    super.apply(entry);
    if (entry.type === "custom" && entry.name === PROGRAM_START) {
      const { data = null } = Object(entry.data) as { readonly data?: JsonValue };
      this.start ??= { at: entry.at, data };
    } else if (entry.type === "message" && entry.message.role === "assistant") {
      this.#last = toolCallsOf(entry.message);
      for (const { id } of this.#last) this.#ids.set(id, this.#ids.size + 1);
      const calls = this.#last.map(({ name, arguments: input }) => Object.freeze({ name, input }));
      this.waves.push({ calls, results: new Array(calls.length).fill(undefined) });
    } else if (entry.type === "tool-result") {
      const index = this.#last.findIndex(({ id }) => id === entry.result.toolCallId);
      this.waves.at(-1)!.results[index] = { result: entry.result, at: entry.at };
    }
  }

  /** The number of a call among all of the record, from 1. */
  numberOf(toolCallId: string): number {
    return this.#ids.get(toolCallId) ?? 0;
  }
}
