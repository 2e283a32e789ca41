// Serves: all vendors, OpenRouter with its 404 among them.
// An image that a server refuses stays in the conversation, so that every later request would be refused as well. It is
// left out then, with a line in its place that says so.

import type { MediaPart } from "../../../contracts/content.js";
import { ProviderError } from "../../../contracts/errors.js";
import type { ProviderRequest } from "../../../contracts/provider.js";
import type { Fields } from "../../../json/is-object.js";
import { fingerprint, type LeftOut, mediaOf, remember, withMedia } from "./media-of.js";

/** Statuses of a refusal that may be about an image or a document. A router answers with 404 when none of its servers takes them. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 413, 415, 422, 500]);

/** The reason given for leaving out a refused image or document. */
const REFUSED = "the model's server refused it";

/** Codes of refusals that have nothing to do with a request's media. */
const OTHER_CAUSES: ReadonlySet<string> = new Set(["RATE_LIMITED", "AUTH", "OVERLOADED"]);

/** The place in the body that a refusal names, e.g. `messages.1.content.0.image`. */
const PLACE = /\b(?:messages|input|contents)(?:[.[]\w+\]?)+/;

/**
 * The images and documents that one server has refused. A refusal's wording says nothing: the request is tried once without
 * those that no successful request has held, and only when that succeeds are they left out from then on.
 */
export class RefusedMedia {
  readonly #refused = new Set<string>();
  readonly #taken = new Set<string>();

  /** The request without what was refused; the request itself when it holds nothing of it. */
  leaveOut(request: ProviderRequest): ProviderRequest {
    if (this.#refused.size === 0 || mediaOf(request).every((part) => !this.#isRefused(part))) return request;
    return withMedia(request, (part) => (this.#isRefused(part) ? REFUSED : part));
  }

  /** The media that `leaveOut` leaves out of this request. */
  leftOutOf(request: ProviderRequest): readonly LeftOut[] {
    if (this.#refused.size === 0) return [];
    return mediaOf(request).flatMap((part) => (this.#isRefused(part) ? [{ part, reason: REFUSED }] : []));
  }

  /**
   * The media that a refusal of this body may be about: those at the place it names, else all new ones. They are left out of the next
   * try; `forget` takes that back. Nothing, when the refusal has another cause.
   */
  suspect(error: unknown, request: ProviderRequest, body: object): readonly string[] {
    if (!(error instanceof ProviderError) || !STATUSES.has(error.status) || OTHER_CAUSES.has(error.code)) return [];
    if (error.code === "CONTEXT_TOO_LONG" && error.status !== 413) return [];
    const sent = mediaOf(request).filter((part) => !this.#isRefused(part) && !this.#taken.has(fingerprint(part)));
    if (sent.length === 0) return [];
    const place = JSON.stringify(placeIn(body as Fields, PLACE.exec(error.message)?.[0]) ?? body);
    const named = sent.filter(({ data }) => place.includes(data));
    const suspects = (named.length > 0 ? named : sent).map(fingerprint);
    for (const one of suspects) remember(this.#refused, one);
    return suspects;
  }

  /** The request has been taken, and with it the media that it held. */
  take(request: ProviderRequest): void {
    for (const part of mediaOf(request)) if (!this.#isRefused(part)) remember(this.#taken, fingerprint(part));
  }

  /** It was not the images: the request is refused without them as well. */
  forget(suspects: readonly string[]): void {
    for (const one of suspects) this.#refused.delete(one);
  }

  #isRefused(part: MediaPart): boolean {
    return this.#refused.has(fingerprint(part));
  }
}

/** The value at this place, or the one around it, as far as the body has it; `undefined` without a place. */
function placeIn(body: Fields, place: string | undefined): unknown {
  let value: unknown = body;
  for (const step of place?.split(/[.[\]]+/) ?? []) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) break;
    value = Reflect.get(value, step);
  }
  return value === body ? undefined : value;
}
