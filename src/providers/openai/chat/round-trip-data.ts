// Additions of a server to an answer that must go back with it, unread: OpenRouter's reasoning details, Copilot's
// opaque reasoning, and the signatures that Google puts on tool calls. It is kept with the message's reasoning, as data of the provider.

import type { JsonValue } from "../../../contracts/json.js";
import type { AssistantMessage } from "../../../contracts/message.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { MAX_KEPT_CHARS } from "../../shared/failures/too-many.js";

/** The data that goes back with one message. */
export interface RoundTripData {
  /** The message's `reasoning_details`. */
  readonly details: readonly JsonValue[] | undefined;
  /** The message's `reasoning_opaque`. */
  readonly opaque: string | undefined;
  /** The `extra_content` of calls, by their place among the message's calls. */
  readonly extras: { readonly [place: string]: JsonValue } | undefined;
}

/** Collects what goes back of one answer while it arrives. */
export class RoundTripCollector {
  readonly #details: Record<string, JsonValue>[] = [];
  readonly #extras: Record<string, JsonValue> = {};
  #opaque = "";
  #chars = 0;

  /** Takes the `reasoning_opaque` of one delta. */
  addOpaque(said: unknown): void {
    if (typeof said === "string" && this.#fits(said)) this.#opaque += said;
  }

  /** Takes the `reasoning_details` of one delta: pieces of one text become one again, the rest stays as it is. */
  addDetails(said: unknown): void {
    if (!Array.isArray(said)) return;
    for (const detail of said) {
      if (!isObject(detail) || !this.#fits(detail)) continue;
      const last = this.#details.at(-1);
      if (last && goesOn(last, detail)) join(last, detail);
      else this.#details.push({ ...detail } as Record<string, JsonValue>);
    }
  }

  /** Takes the `extra_content` of a call. */
  addExtra(place: number, said: unknown): void {
    if (isObject(said) && this.#fits(said)) this.#extras[place] = said as JsonValue;
  }

  /** All of it as `providerData`; `undefined` when nothing goes back. */
  get all(): { [name: string]: JsonValue } | undefined {
    const hasExtras = Object.keys(this.#extras).length > 0;
    const kept = {
      ...(this.#details.length > 0 && { details: this.#details }),
      ...(this.#opaque !== "" && { opaque: this.#opaque }),
      ...(hasExtras && { extras: this.#extras }),
    };
    return this.#chars > MAX_KEPT_CHARS || Object.keys(kept).length === 0 ? undefined : kept;
  }

  #fits(said: object | string): boolean {
    if (this.#chars <= MAX_KEPT_CHARS) this.#chars += JSON.stringify(said).length;
    return this.#chars <= MAX_KEPT_CHARS;
  }
}

/** The data that a message brings back to the provider that wrote it. */
export function roundTripDataOf({ content }: AssistantMessage, provider: string): RoundTripData {
  let details: readonly JsonValue[] | undefined;
  let opaque: string | undefined;
  let extras: RoundTripData["extras"];
  for (const part of content) {
    if (part.type !== "reasoning" || part.provider !== provider || !isObject(part.providerData)) continue;
    const kept = part.providerData;
    if (Array.isArray(kept.details)) details = kept.details as readonly JsonValue[];
    if (typeof kept.opaque === "string") opaque = kept.opaque;
    if (isObject(kept.extras)) extras = kept.extras as RoundTripData["extras"];
  }
  return { details, opaque, extras };
}

/** OpenRouter begins every kind at index 0 while it streams: what two ids name are two, as the signatures of two calls. */
function goesOn(last: Fields, piece: Fields): boolean {
  const isOther = typeof last.id === "string" && typeof piece.id === "string" && last.id !== piece.id;
  return last.type === piece.type && last.index === piece.index && typeof piece.index === "number" && !isOther;
}

function join(whole: Record<string, JsonValue>, piece: Fields): void {
  for (const [field, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    const before = whole[field];
    const isText = (field === "text" || field === "summary" || field === "data") && typeof before === "string";
    whole[field] = isText && typeof value === "string" ? before + value : (value as JsonValue);
  }
}
