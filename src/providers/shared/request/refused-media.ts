// An image that a server refuses stays in the conversation, so that every later request would be refused as well. It is
// left out then, with a line in its place that says so.
import type { ContentPart, MediaPart } from "../../../contracts/content.js";
import { ProviderError } from "../../../contracts/errors.js";
import type { Message } from "../../../contracts/message.js";
import type { ProviderRequest } from "../../../contracts/provider.js";
import { isMediaPart } from "../../../engine/transcript/message-shape.js";
import { leftOut } from "./media-part.js";

/** Most refusals that are remembered; older ones are forgotten, and learned again. */
const MAX_REMEMBERED = 1_000;

/** How servers say that they cannot read an image or a document, or that the model reads none. */
const REFUSED_MEDIA = [
  /\b(?:image|pdf|vision|multimodal)s?\b.{0,120}\b(?:not (?:support|valid|loaded|enabled|a valid)|unsupported|invalid|exceeds?|too (?:large|many|small)|password|corrupt|maximum|required for image)/,
  /\b(?:not (?:support|process|valid|represent|identify|decode|load|read|a )|unable to|failed to|unsupported|invalid|missing|at most 0|maximum of \d+)\b.{0,120}\b(?:image|pdf|vision|multimodal)/,
  /unknown variant ['"`]?image_url|image_(?:parse|too)|support image input|content\W{0,4}must be a string/,
];

/** Where in the body a refusal says that the fault is, e.g. `messages.1.content.0.image`. */
const PLACE = /\b(?:messages|input|contents)(?:[.[]\w+\]?)+/;

type Body = { readonly [field: string]: unknown };

/** The images and documents that one server has refused. */
export class RefusedMedia {
  readonly #refused = new Set<string>();

  /** The request without what was refused; the request itself when it holds nothing of it. */
  leaveOut(request: ProviderRequest): ProviderRequest {
    if (this.#refused.size === 0 || mediaOf(request).every((part) => !this.#isRefused(part))) return request;
    return { ...request, messages: request.messages.map((message) => this.#without(message)) };
  }

  /** Learns from a refusal of this body. Returns what is left out from now on, for `forget`; nothing when it is not about that. */
  learn(error: unknown, request: ProviderRequest, body: object): readonly string[] {
    if (!(error instanceof ProviderError) || (error.code !== "BAD_REQUEST" && error.status !== 500)) return [];
    const said = error.message.toLowerCase();
    const sent = mediaOf(request).filter((part) => !this.#isRefused(part));
    if (sent.length === 0 || !REFUSED_MEDIA.some((words) => words.test(said))) return [];
    const place = JSON.stringify(placeIn(body as Body, PLACE.exec(error.message)?.[0]) ?? body);
    const named = sent.filter(({ data }) => place.includes(data));
    const learned = (named.length > 0 ? named : sent).map(fingerprint);
    for (const one of learned) this.#refused.add(one);
    for (const oldest of this.#refused) {
      if (this.#refused.size <= MAX_REMEMBERED) break;
      this.#refused.delete(oldest);
    }
    return learned;
  }

  /** It was not the images: the request is refused without them as well. */
  forget(learned: readonly string[]): void {
    for (const one of learned) this.#refused.delete(one);
  }

  #isRefused(part: MediaPart): boolean {
    return this.#refused.has(fingerprint(part));
  }

  #without(message: Message): Message {
    if (message.role === "user") return { ...message, content: this.#worded(message.content) };
    if (message.role === "assistant") {
      return { ...message, content: message.content.filter((part) => !isMediaPart(part) || !this.#isRefused(part)) };
    }
    const content = message.content.map((result) =>
      typeof result.output === "string" ? result : { ...result, output: this.#worded(result.output) },
    );
    return { ...message, content };
  }

  #worded(parts: readonly ContentPart[]): ContentPart[] {
    return parts.map((part) =>
      part.type !== "text" && this.#isRefused(part)
        ? { type: "text", text: leftOut(part, "the model's server refused it") }
        : part,
    );
  }
}

function mediaOf({ messages }: ProviderRequest): MediaPart[] {
  return messages.flatMap((message): MediaPart[] => {
    if (message.role === "assistant") return message.content.filter(isMediaPart);
    const parts =
      message.role === "user"
        ? message.content
        : message.content.flatMap(({ output }) => (typeof output === "string" ? [] : output));
    return parts.filter((part) => part.type !== "text");
  });
}

/** Tells one image from another without keeping it. */
function fingerprint({ mediaType, data }: MediaPart): string {
  return `${mediaType} ${data.length} ${data.slice(0, 64)} ${data.slice(data.length >> 1).slice(0, 64)} ${data.slice(-64)}`;
}

/** The value at this place, or the one around it, as far as the body has it; `undefined` without a place. */
function placeIn(body: Body, place: string | undefined): unknown {
  let value: unknown = body;
  for (const step of place?.split(/[.[\]]+/) ?? []) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) break;
    value = Reflect.get(value, step);
  }
  return value === body ? undefined : value;
}
