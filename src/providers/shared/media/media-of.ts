// The images and files of a request: where they are, and how others, or words, take their place.
import type { ContentPart, MediaPart } from "../../../contracts/content.js";
import type { AssistantMediaPart, Message } from "../../../contracts/message.js";
import type { ProviderEvent, ProviderRequest } from "../../../contracts/provider.js";
import { isMediaPart } from "../../../engine/transcript/message-shape.js";
import { leftOut } from "../request/media-part.js";

/** An image or a file that is not sent. */
export interface LeftOut {
  readonly part: MediaPart;
  /** Ends the sentence "It was left out: …". */
  readonly reason: string;
  /** The outcome of the host's `fitMedia`. */
  readonly help?: string;
}

/** All images and files, in order. */
export function mediaOf({ messages }: ProviderRequest): MediaPart[] {
  return messages.flatMap((message): MediaPart[] => {
    if (message.role === "assistant") return message.content.filter(isMediaPart);
    const parts =
      message.role === "user"
        ? message.content
        : message.content.flatMap(({ output }) => (typeof output === "string" ? [] : output));
    return parts.filter((part) => part.type !== "text");
  });
}

/**
 * The same request with what `instead` returns in place of each image and file: another one, or the reason why it is left out.
 * The reason becomes a line in its place; from a message of the model it is gone, for the model has not said that line.
 */
export function withMedia(request: ProviderRequest, instead: (part: MediaPart) => MediaPart | string): ProviderRequest {
  return { ...request, messages: request.messages.map((message) => replaced(message, instead)) };
}

function replaced(message: Message, instead: (part: MediaPart) => MediaPart | string): Message {
  const inContent = (parts: readonly ContentPart[]): ContentPart[] =>
    parts.map((part) => {
      const other = part.type === "text" ? part : instead(part);
      return typeof other === "string" ? { type: "text", text: leftOut(part as MediaPart, other) } : other;
    });
  if (message.role === "user") return { ...message, content: inContent(message.content) };
  if (message.role === "tool") {
    const content = message.content.map((result) =>
      typeof result.output === "string" ? result : { ...result, output: inContent(result.output) },
    );
    return { ...message, content };
  }
  const content = message.content.flatMap((part): typeof message.content => {
    if (!isMediaPart(part)) return [part];
    const other = instead(part);
    return typeof other === "string" ? [] : [other as AssistantMediaPart];
  });
  return { ...message, content };
}

/** A key that differs from image to image, without keeping the image. */
export function fingerprint({ mediaType, data }: MediaPart): string {
  return `${mediaType} ${data.length} ${data.slice(0, 64)} ${data.slice(data.length >> 1).slice(0, 64)} ${data.slice(-64)}`;
}

/** The most entries of each set about media; older ones are forgotten. */
const MAX_REMEMBERED = 1_000;

/** Adds to a set that does not grow for ever. */
export function remember(set: Set<string>, one: string): void {
  set.add(one);
  if (set.size > MAX_REMEMBERED) set.delete(set.values().next().value!);
}

/** Announces the media left out of a request to the host: each image and file once for each session. */
export class LeftOutNotices {
  readonly #announced = new Set<string>();

  of(sessionId: string, leftOuts: readonly LeftOut[]): ProviderEvent[] {
    return leftOuts.flatMap(({ part, reason, help }): ProviderEvent[] => {
      const key = `${sessionId} ${fingerprint(part)}`;
      if (this.#announced.has(key)) return [];
      remember(this.#announced, key);
      const line = leftOut(part, reason).slice(1, -1);
      const message = help === undefined ? line : `${line} fitMedia ${help}.`;
      const name = part.type === "file" ? part.name : undefined;
      const details = { mediaType: part.mediaType, reason, ...(name !== undefined && { name }) };
      return [{ type: "notice", code: "MEDIA_LEFT_OUT", message, details }];
    });
  }
}
