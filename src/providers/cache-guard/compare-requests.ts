// Compares one request with the one before, the cheap way first: the same object is the same bytes.
import type { ProviderRequest } from "../../contracts/provider.js";

/** A change at the beginning of a request. */
export interface CacheBreak {
  readonly sessionId: string;
  /** The transcript that sent the request, when it is known. */
  readonly transcriptId?: string;
  readonly segment: "system" | "tools" | "messages";
  /** The place of the section, tool or message, counted from 0. */
  readonly index: number;
  /** The first byte that differs, in the JSON of the whole segment. */
  readonly at: number;
  /** The old and the new text: some characters from that byte on. */
  readonly before: string;
  readonly after: string;
  /** E.g. `tool "search" has changed`. */
  readonly cause: string;
  /** About how much of the earlier request can no longer be read from a cache. */
  readonly tokensLost: number;
}

/** A remembered request: the objects themselves. */
export interface SentRequest {
  readonly epoch: string | undefined;
  readonly segments: Readonly<Record<Segment, readonly object[]>>;
}

type Segment = CacheBreak["segment"];

const SEGMENTS: readonly Segment[] = ["system", "tools", "messages"];

const EXCERPT_CHARS = 60;

/** A request as it is now: its arrays grow. */
export function snapshot({ system, tools, messages, epoch }: ProviderRequest): SentRequest {
  return { epoch: epoch?.id, segments: { system: [...system], tools: [...tools], messages: [...messages] } };
}

/** The first difference, unless the request begins with all of the one before. */
export function compareRequests(before: SentRequest, request: ProviderRequest): CacheBreak | undefined {
  for (const segment of SEGMENTS) {
    const [earlier, now] = [before.segments[segment], request[segment] as readonly object[]];
    const index = firstDifference(earlier, now, segment);
    if (index === undefined) continue;
    const [was, is] = [textOf(earlier[index]), textOf(now[index])];
    const offset = commonLength(was, is);
    // The JSON of an array: a bracket, and a comma behind each item.
    const preceding = earlier.slice(0, index).reduce((bytes: number, item) => bytes + byteLength(textOf(item)) + 1, 1);
    const { sessionId, epoch } = request;
    return {
      sessionId,
      ...(epoch && { transcriptId: epoch.transcriptId }),
      segment,
      index,
      at: preceding + byteLength(was.slice(0, offset)),
      before: was.slice(offset, offset + EXCERPT_CHARS),
      after: is.slice(offset, offset + EXCERPT_CHARS),
      cause: describe(segment, index, earlier[index], now[index]),
      tokensLost: tokensAfter(before, segment, index, offset),
    };
  }
  return undefined;
}

/** Tools and system stand in front of the messages, so that they may not grow either. */
function firstDifference(before: readonly object[], now: readonly object[], segment: Segment): number | undefined {
  for (let at = 0; at < before.length; at++) {
    if (before[at] !== now[at] && textOf(before[at]) !== textOf(now[at])) return at;
  }
  return segment !== "messages" && now.length > before.length ? before.length : undefined;
}

function describe(segment: Segment, index: number, before: object | undefined, now: object | undefined): string {
  const named = (before ?? now) as { readonly name?: unknown; readonly id?: unknown; readonly role?: unknown };
  const what =
    segment === "tools"
      ? `tool "${String(named.name)}"`
      : segment === "system"
        ? `section "${String(named.id)}" of the system prompt`
        : `message ${index} (${String(named.role)})`;
  return `${what} ${now === undefined ? "is gone" : before === undefined ? "is new" : "has changed"}`;
}

/** Vendors put tools first, then the system prompt; here it only counts what comes after the first difference. */
function tokensAfter(before: SentRequest, segment: Segment, index: number, offset: number): number {
  let chars = -offset;
  for (const name of SEGMENTS.slice(SEGMENTS.indexOf(segment))) {
    for (const item of before.segments[name].slice(name === segment ? index : 0)) chars += textOf(item).length;
  }
  return Math.max(0, Math.ceil(chars / 4));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : (JSON.stringify(value) ?? "");
}

function commonLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
