// All that is untrusted on a page goes through here once: without secrets, and bounded in length, depth and number.
import type { JsonValue } from "../../contracts/json.js";
import { firstCharacters } from "../../text/cut.js";
import { redact } from "../redact.js";
import { redactJson } from "../redact-json.js";

/** The longest text. Unit: characters. */
export const MAX_TEXT_CHARS = 200_000;
/** Names, reasons and the like. Unit: characters. */
const MAX_SHORT_CHARS = 2_000;
/** All texts of a page together; what comes later is cut much shorter. Unit: characters. */
const MAX_PAGE_CHARS = 100_000_000;
const CROWDED_TEXT_CHARS = 500;
/** The end of a text that was cut may be half a secret: longer than what a token can be and not yet look like one. */
const EDGE_CHARS = 64;
const MAX_DEPTH = 40;
const MAX_ITEMS = 10_000;

/** Cleans texts for one page, and counts them. */
export class PageText {
  #chars = 0;

  /** `more`: further shapes of secrets; `null` leaves secrets in. */
  constructor(private readonly more: readonly RegExp[] | null) {}

  /** A text without secrets, cut with a note where it is too long. */
  long(value: unknown): string {
    const text = asText(value);
    const room = this.#chars > MAX_PAGE_CHARS ? CROWDED_TEXT_CHARS : MAX_TEXT_CHARS;
    const clean = this.#bounded(text, room);
    this.#chars += clean.length;
    return clean;
  }

  /** A name, reason or label. */
  short(value: unknown): string {
    return this.#bounded(asText(value), MAX_SHORT_CHARS);
  }

  /** A JSON value without secrets, its texts cut, of bounded depth and size. */
  json(value: unknown): JsonValue {
    const state = { left: MAX_ITEMS };
    const bounded = this.#boundedJson(value, MAX_DEPTH, state);
    return this.more === null ? bounded : redactJson(bounded, this.more);
  }

  #bounded(text: string, room: number): string {
    if (text.length <= room) return this.#clean(text);
    const head = this.#clean(firstCharacters(text, room + EDGE_CHARS));
    return `${firstCharacters(head, Math.min(room, Math.max(0, head.length - EDGE_CHARS)))}\n… [cut here: ${text.length - room} more characters]`;
  }

  #clean(text: string): string {
    return this.more === null ? text : redact(text, this.more);
  }

  #boundedJson(value: unknown, depth: number, state: { left: number }): JsonValue {
    if (typeof value === "string") return this.long(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (typeof value === "boolean" || value === null || value === undefined) return value ?? null;
    if (typeof value !== "object") return String(value);
    if (depth === 0 || state.left <= 0) return "…";
    if (Array.isArray(value)) {
      const items: JsonValue[] = [];
      for (const item of value) {
        if (state.left-- <= 0) return [...items, `… [${value.length - items.length} more]`];
        items.push(this.#boundedJson(item, depth - 1, state));
      }
      return items;
    }
    const fields: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (state.left-- <= 0) {
        fields.push(["…", "[more]"]);
        break;
      }
      fields.push([this.short(key), this.#boundedJson(item, depth - 1, state)]);
    }
    return Object.fromEntries(fields);
  }
}

/** A text field, which may be any value: the session may have been made by another program. */
function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "[not JSON]";
  }
}
