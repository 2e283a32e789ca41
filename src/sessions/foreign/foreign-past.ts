// The session that a reader of a foreign format finds, in one shape for all formats.
import type { ContentPart } from "../../contracts/content.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { MessageOrigin } from "../../contracts/message.js";
import type { Usage } from "../../contracts/usage.js";
import { type Fields, fieldsOf, isObject, stringOf } from "../../json/is-object.js";
import { parseJson } from "../../json/parse-json.js";
import { bytesOf } from "../../text/base64.js";

/** The formats that are read. */
export const FOREIGN_FORMATS = ["claude-code", "codex", "pi", "opencode"] as const;
/** The program that a session is from. */
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

/** A piece of what a model said, in order. */
export type ForeignPart =
  | { readonly kind: "text"; readonly text: string }
  /** `data`: what its vendor wants back with it. */
  | { readonly kind: "thinking"; readonly text: string; readonly data?: JsonObject | undefined }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: JsonValue };

/** One step of a session that led to where it stands. `at`: milliseconds since the epoch. */
export type ForeignStep = { readonly at: number; readonly id?: string | undefined } & (
  | { readonly kind: "user"; readonly content: readonly ContentPart[]; readonly origin?: MessageOrigin | undefined }
  /** Pieces with the same `reply` are of one message, also where results stand between them. */
  | {
      readonly kind: "assistant";
      readonly reply: string;
      readonly parts: readonly ForeignPart[];
      readonly provider: string;
      readonly model: string;
      readonly usage?: Usage | undefined;
    }
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly output: string | readonly ContentPart[];
      readonly isError: boolean;
    }
  /** The model reads this instead of what came before: of all of it, or of what came before the step `keptFrom`. */
  | { readonly kind: "summary"; readonly text: string; readonly keptFrom?: string | undefined }
);

/** A session of another program. */
export interface ForeignPast {
  readonly format: ForeignFormat;
  readonly id: string;
  readonly steps: readonly ForeignStep[];
  /** The parts that were not taken, counted by kind. */
  readonly leftOut: Untaken;
}

/** Counts what is not taken. */
export class Untaken {
  readonly counts = new Map<string, number>();

  /** A kind that a file names is shown, so it is short and plain. */
  add(kind: string, count = 1): void {
    const name = kind.replace(/[^\w .:-]/g, "?").slice(0, 60);
    this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }
}

/** The objects of a text with one on each line; other lines are counted. A byte order mark and any line ending are read. */
export function jsonLinesOf(text: string, leftOut: Untaken): Fields[] {
  return text.split(/\r?\n/).flatMap((line): Fields[] => {
    const trimmed = line.replace(/^\ufeff/, "").trim();
    if (trimmed === "") return [];
    const value = parseJson(trimmed);
    if (isObject(value)) return [value];
    leftOut.add("not JSON");
    return [];
  });
}

/** Milliseconds since the epoch of a date in any of the formats' spellings; 0 for none. */
export function timeIn(value: unknown): number {
  const time = typeof value === "number" ? value : Date.parse(String(value));
  return Number.isFinite(time) ? time : 0;
}

/** The entries that led to the newest one of a tree, oldest first. A ring, which no program writes, ends them. */
export function pathTo(
  leaf: Fields | undefined,
  byId: ReadonlyMap<string, Fields>,
  parentOf: (entry: Fields) => string,
): Fields[] {
  const path: Fields[] = [];
  const seen = new Set<Fields>();
  for (let entry = leaf; entry && !seen.has(entry); entry = byId.get(parentOf(entry))) {
    seen.add(entry);
    path.push(entry);
  }
  return path.reverse();
}

/** Content as text and images; pieces of another kind are counted. `read` knows how the format writes an image. */
export function foreignContent(
  content: unknown,
  leftOut: Untaken,
  read: (block: Fields) => { readonly mediaType: unknown; readonly data: unknown },
): ContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return (Array.isArray(content) ? content : []).flatMap((block: unknown): ContentPart[] => {
    const fields = fieldsOf(block);
    if (typeof fields.text === "string") return fields.text === "" ? [] : [{ type: "text", text: fields.text }];
    const { mediaType, data } = read(fields);
    if (
      typeof mediaType === "string" &&
      typeof data === "string" &&
      /^image\/[\w.+-]+$/.test(mediaType) &&
      bytesOf(data)
    )
      return [{ type: "image", mediaType, data }];
    leftOut.add(`content ${stringOf(fields.type) || "of no type"}`);
    return [];
  });
}

/** The parts of a `data:` address. */
export function mediaInUrl(url: unknown): { readonly mediaType: unknown; readonly data: unknown } {
  const [, mediaType, data] = /^data:([^;,]+);base64,([\s\S]*)$/.exec(stringOf(url)) ?? [];
  return { mediaType, data };
}

/** Output as one string where that is all it is. */
export function foreignOutput(content: readonly ContentPart[]): string | readonly ContentPart[] {
  return content.every((part) => part.type === "text") ? content.map(({ text }) => text).join("\n") : content;
}

/** Arguments that were kept as text. */
export function foreignInput(value: unknown): JsonValue {
  if (typeof value !== "string") return (value ?? {}) as JsonValue;
  const read = parseJson(value);
  return (read === undefined ? { input: value } : read) as JsonValue;
}

/** Tokens as the formats count them: what is not a number counts as 0. */
export function usageOfTokens(tokens: {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
}): Usage | undefined {
  const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);
  const cacheReadTokens = count(tokens.cacheRead);
  const cacheWriteTokens = count(tokens.cacheWrite);
  const inputTokens = count(tokens.input) + cacheReadTokens + cacheWriteTokens;
  if (inputTokens + count(tokens.output) === 0) return undefined;
  return { inputTokens, outputTokens: count(tokens.output), cacheReadTokens, cacheWriteTokens };
}
