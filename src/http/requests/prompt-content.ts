import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import type { ShownMessage } from "../messages/shown-message.js";
import { type Body, badRequest } from "./request-body.js";

/** The prompt and options in a client's request. */
export interface PromptOfRequest {
  /** The session it names: check that this user may use it. Absent: it wants a new one. */
  readonly sessionId?: string;
  /** For `hub.start`; "" in a request that only answers questions. */
  readonly input: string | readonly ContentPart[];
  /** For `engine.resume`; empty in a request with a prompt. */
  readonly answers: readonly Answer[];
  /**
   * The messages that the page shows before the prompt, where the client sends them: `hub.send` goes to their place in the session.
   * Absent: the prompt follows the session's newest message.
   */
  readonly shown?: readonly ShownMessage[];
  /**
   * The message that the prompt takes the place of, or that is asked for again where there is no prompt, where the client sends no
   * other messages: an id as `toUiMessages` gives it.
   */
  readonly replaces?: string;
}

const PROMPTS = new WeakMap<object, PromptOfRequest>();

/** Makes the prompt known by its input, for a host that passes that alone. */
export function knownByInput(prompt: PromptOfRequest): PromptOfRequest {
  const { input } = prompt;
  const known = { ...prompt, input: typeof input === "string" ? [{ type: "text" as const, text: input }] : input };
  PROMPTS.set(known.input, known);
  return known;
}

/** The prompt that this is the input of, if its client asks again for what the session has. */
export function findPrompt(input: PromptOfRequest["input"]): PromptOfRequest | undefined {
  return typeof input === "string" ? undefined : PROMPTS.get(input);
}

/** A prompt: a string, or content parts as this library has them. */
export function readPromptContent(value: JsonValue): string | readonly ContentPart[] {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) throw badRequest("The prompt is not a string or an array of content parts.", "input");
  return value.map((part) => (isObject(part) ? readPart(part) : wrongPart()));
}

function readPart({ type, text, data, mediaType, name }: Body): ContentPart {
  if (type === "text" && typeof text === "string") return { type, text };
  const isData = typeof data === "string" && typeof mediaType === "string";
  if ((type === "image" || type === "file") && isData)
    return { type, mediaType, data: base64(data), ...(typeof name === "string" && { name }) };
  return wrongPart();
}

function wrongPart(): never {
  throw badRequest(
    'A part of the prompt is not understood. Send { type: "text", text }, or an image or file with mediaType and data.',
    "input",
  );
}

/** A file from a data URL. What is elsewhere is not fetched: a client could name addresses inside the server's network. */
export function partOfDataUrl(url: JsonValue | undefined, name?: JsonValue): ContentPart {
  const head = typeof url === "string" ? /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/.exec(url) : null;
  if (!head)
    throw badRequest("A file of the prompt is not a base64 data URL. Send its content: URLs are not fetched.", "url");
  return partOfData(head[1]!, (url as string).slice(head[0].length), name);
}

export function partOfData(mediaType: string, data: string, name?: JsonValue): ContentPart {
  const type = mediaType.startsWith("image/") ? "image" : "file";
  return { type, mediaType, data: base64(data), ...(typeof name === "string" && { name }) };
}

function base64(data: string): string {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw badRequest("A file of the prompt is not base64.", "data");
  return data;
}

/** The words of a prompt. */
export function textOfInput(input: PromptOfRequest["input"]): string {
  if (typeof input === "string") return input;
  return input.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

/** One text as a string, as most prompts are. */
export function promptOfParts(parts: readonly ContentPart[]): string | readonly ContentPart[] {
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : parts;
}

/** The content of a user's message that a page shows. */
export function contentOfShown({ text, parts }: ShownMessage): ContentPart[] {
  return [...(text === "" ? [] : [{ type: "text", text } as const]), ...parts.map((url) => partOfDataUrl(url))];
}
