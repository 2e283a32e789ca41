// The transcript in the words of the Gemini API. The same messages always give the same bytes, and a longer transcript
// begins with the bytes of a shorter one, so that implicit caches hit.

import type {
  AssistantMediaPart,
  AssistantMessage,
  Message,
  ToolMessage,
  ToolResultPart,
} from "../../contracts/message.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { isMediaPart } from "../../engine/transcript/message-shape.js";
import { argumentsObject } from "../shared/request/arguments-text.js";
import { portableToolName } from "../shared/request/portable-names.js";
import { withShownMedia } from "../shared/request/shown-media.js";
import { wholeText } from "../shared/request/whole-text.js";
import { googlePart, googleTextPart } from "./parts.js";
import { keptSignatureIn, mediaSignatureOf } from "./signatures.js";
import type { GoogleContent, GooglePart } from "./wire.js";

/** The prefix of ids for calls that the server gave none: they do not go back. */
export const MADE_ID_PREFIX = "google-call-";

/** The signature of calls that another model made; Google documents it for such histories. */
const NO_SIGNATURE = "skip_thought_signature_validator";

/** The rules for signatures: whose go back, and whether missing ones are replaced. */
export interface SignatureRules {
  /** `id/model` of the adapter. */
  readonly owner: string;
  readonly needsSignatures: boolean;
}

/** The contents of a request. Consecutive messages of one role become one; the first and the last are the user's. */
export function googleContents(messages: readonly Message[], rules: SignatureRules): GoogleContent[] {
  const contents: { role: "user" | "model"; parts: GooglePart[] }[] = [];
  const ids = new Set<string>();
  for (const message of withShownMedia(messages, (_, { provider, model }) => `${provider}/${model}` === rules.owner)) {
    const role = message.role === "assistant" ? "model" : "user";
    const parts = partsOf(message, rules, ids);
    if (parts.length === 0) continue;
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  if (contents[0]?.role !== "user") contents.unshift({ role: "user", parts: [{ text: "(empty)" }] });
  if (contents.at(-1)!.role === "model") contents.push({ role: "user", parts: [{ text: "Continue." }] });
  return contents;
}

/** A function's name in Google's alphabet: it does not begin with a digit or a hyphen. */
export function googleToolName(name: string): string {
  const portable = portableToolName(name);
  return /^[a-zA-Z_]/.test(portable) ? portable : `_${portable}`.slice(0, 64);
}

/** `ids` holds the calls whose id came from the server: it goes back with the call and its result. */
function partsOf(message: Message, rules: SignatureRules, ids: Set<string>): GooglePart[] {
  if (message.role === "user") return message.content.map(googlePart).filter((part) => part !== null);
  return message.role === "tool" ? responseParts(message, ids) : modelParts(message, rules, ids);
}

function modelParts(message: AssistantMessage, rules: SignatureRules, ids: Set<string>): GooglePart[] {
  const parts: GooglePart[] = [];
  const { content } = message;
  let hasCall = false;
  for (const [at, part] of content.entries()) {
    const kept = keptSignatureIn(part, message, rules.owner);
    if (part.type === "text") {
      const next = keptSignatureIn(content[at + 1], message, rules.owner);
      const signed = next?.on === "text" ? next.chars : 0;
      const text = googleTextPart(part.text.slice(0, part.text.length - signed));
      if (text) parts.push(text);
    } else if (part.type === "tool-call") {
      const before = keptSignatureIn(content[at - 1], message, rules.owner);
      const own = before?.on === "call" ? before.thoughtSignature : undefined;
      const signature = own ?? (rules.needsSignatures && !hasCall ? NO_SIGNATURE : undefined);
      const isOwnId = message.provider === ownerId(rules.owner) && !part.id.startsWith(MADE_ID_PREFIX);
      if (isOwnId) ids.add(part.id);
      parts.push(callPart(part, signature, isOwnId));
      hasCall = true;
    } else if (isMediaPart(part)) {
      if (`${message.provider}/${message.model}` === rules.owner) parts.push(mediaPart(part, rules.owner));
    } else if (kept?.on === "text") {
      const before = content[at - 1];
      const text = before?.type === "text" ? before.text.slice(before.text.length - kept.chars) : "";
      parts.push({ text: wholeText(kept.chars > 0 ? text : ""), thoughtSignature: kept.thoughtSignature });
    } else if (kept?.on === "thought") {
      parts.push({ text: wholeText(part.text), thought: true, thoughtSignature: kept.thoughtSignature });
    } else if (kept?.on === "part") parts.push(kept.part);
  }
  return parts;
}

function ownerId(owner: string): string {
  return owner.slice(0, owner.indexOf("/"));
}

/** An image or a file goes back to the model that made it, with its signature. */
function mediaPart(part: AssistantMediaPart, owner: string): GooglePart {
  const thoughtSignature = mediaSignatureOf(part, owner);
  return {
    inlineData: { mimeType: part.mediaType, data: part.data },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  };
}

function callPart(call: ToolCall, thoughtSignature: string | undefined, hasId: boolean): GooglePart {
  return {
    functionCall: { ...(hasId && { id: call.id }), name: googleToolName(call.name), args: argumentsObject(call) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  };
}

/** The responses come first, one for each call and in their order; what is not text follows them. */
function responseParts({ content }: ToolMessage, ids: ReadonlySet<string>): GooglePart[] {
  const attached: GooglePart[] = [];
  const responses = content.map((result) => responsePart(result, attached, ids.has(result.toolCallId)));
  return [...responses, ...attached];
}

function responsePart(result: ToolResultPart, attached: GooglePart[], hasId: boolean): GooglePart {
  const { name, isError, toolCallId } = result;
  const output = wholeText(outputText(result, attached));
  const response = isError ? { error: output || "The call failed without a message." } : { output };
  return { functionResponse: { ...(hasId && { id: toolCallId }), name: googleToolName(name), response } };
}

function outputText({ output, name }: ToolResultPart, attached: GooglePart[]): string {
  if (typeof output === "string") return output;
  const texts = output.map((part) => {
    const wire = part.type === "text" ? { text: part.text } : googlePart(part);
    if (wire && typeof wire.text === "string") return wire.text;
    const label = `[${part.type} of the result of ${name}, attachment ${attached.length / 2 + 1}]`;
    attached.push({ text: label }, wire!);
    return `${label} follows below.`;
  });
  return texts.join("\n");
}
