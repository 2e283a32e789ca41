// A cassette is a file of JSON lines: a head, and what the run got from outside, as it got it. A line that is cut off at
// the end is dropped: the process that wrote it has died.

import { ConfigurationError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import { parseJson } from "../../json/parse-json.js";

/** The provider's names, so that messages are recorded under the same ones. */
export interface CassetteHead {
  readonly type: "cassette";
  readonly v: 1;
  readonly provider: Omit<ProviderAdapter, "stream" | "prices">;
}

/**
 * The moment of an item: its place among everything, the turn of the event loop it came in, and the time of that turn in
 * milliseconds since the epoch.
 */
export interface Moment {
  readonly n: number;
  readonly tick: number;
  readonly at: number;
}

/** A request to the model. `keeps` messages are those of the request before it. */
export interface RequestLine {
  readonly type: "request";
  readonly request: number;
  readonly keeps: number;
  readonly messages: readonly JsonValue[];
  /** The differences from the request before it: system prompt, tools, settings. */
  readonly changes: JsonObject;
}

/** A response, once it was over. */
export interface ResponseLine {
  readonly type: "response";
  readonly request: number;
  readonly events: readonly (Moment & { readonly event: JsonObject })[];
  /** Absent when the engine left it before its message ended. Without a moment when it left then. */
  readonly end?: { readonly moment?: Moment | undefined; readonly error?: RecordedError | undefined } | undefined;
}

/** An answer of a tool, an approver, a context source or an artifact store. */
export interface OutcomeLine {
  readonly type: "outcome";
  /** Its owner, such as `execute look` with the id of the call. */
  readonly of: string;
  /** Absent when it was there at once. */
  readonly moment?: Moment | undefined;
  readonly input?: JsonValue | undefined;
  /** The calls on the tool's context meanwhile, in order. */
  readonly effects?: readonly (Moment & { readonly method: string; readonly args: JsonValue })[] | undefined;
  readonly value?: JsonValue | undefined;
  readonly error?: RecordedError | undefined;
  /** The tool has run a sub-agent, which is replayed itself. */
  readonly isLive?: true | undefined;
}

/** Ids or random numbers, in order. */
export interface RuntimeLine {
  readonly type: "newId" | "random";
  /** The time when the first of them was asked for: what the clock said from then on. */
  readonly at: number;
  readonly values: readonly (number | string)[];
}

/** An error as it is written. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly details?: JsonValue | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
}

export type CassetteLine = CassetteHead | RequestLine | ResponseLine | OutcomeLine | RuntimeLine;

/** @throws ConfigurationError `OPTION_INVALID` for what is not a cassette, or is damaged before its end */
export function readCassette(text: string, file: string): CassetteLine[] {
  const rows = text.replace(/^\ufeff/, "").split("\n");
  const lines: CassetteLine[] = [];
  for (const [at, row] of rows.entries()) {
    if (row.trim() === "") continue;
    const line = parseJson(row) as CassetteLine | undefined;
    if (line) lines.push(line);
    else if (at < rows.length - 1) throw notACassette(file, `line ${at + 1} is not JSON`);
  }
  const [head] = lines;
  if (head?.type !== "cassette") throw notACassette(file, "its first line is not the head of a cassette");
  if (head.v !== 1) throw notACassette(file, `it has version ${String(head.v)}, and this version reads 1`);
  return lines;
}

function notACassette(file: string, why: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `"${file}" is not a cassette that can be replayed: ${why}. Record it again with recordRun().`,
    details: { option: "file" },
  });
}
