// The transcript as a prompt of the AI SDK. The versions differ in how files are written.

import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type {
  AssistantMediaPart,
  AssistantMessage,
  Message,
  ToolMessage,
  ToolResultPart,
} from "../../contracts/message.js";
import type { PromptSection } from "../../contracts/provider.js";
import { isMediaPart } from "../../engine/transcript/message-shape.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { argumentsObject } from "../shared/request/arguments-text.js";
import { decodeFileText, isTextMediaType } from "../shared/request/file-text.js";
import { leftOut } from "../shared/request/media-part.js";
import { portableCallId, portableToolName } from "../shared/request/portable-names.js";
import { withShownMedia } from "../shared/request/shown-media.js";
import { wholeText } from "../shared/request/whole-text.js";
import { keptMetadataIn, metadataOfCalls } from "./kept-metadata.js";
import type { SpecificationVersion } from "./language-model.js";

/** A message or a part of a prompt. */
/** The reason given for leaving out a file of a type that the provider has refused. */
export const NOT_READ = "this model does not read it";

/** The rules by which a prompt is written. */
export interface PromptRules {
  readonly version: SpecificationVersion;
  /** The owner whose metadata goes back. */
  readonly owner: string;
  /** Types of files that the provider has refused: they are named in a line of text. */
  readonly refusedTypes: ReadonlySet<string>;
}

/** The prompt of a request. Messages that say nothing are left out. */
export function aiSdkPrompt(
  system: readonly PromptSection[],
  messages: readonly Message[],
  rules: PromptRules,
): Fields[] {
  const texts = system.map(({ text }) => text).filter((text) => text.trim() !== "");
  const prompt: Fields[] = texts.length === 0 ? [] : [{ role: "system", content: wholeText(texts.join("\n\n")) }];
  const all = withShownMedia(messages, ({ providerData }) => isOwnedBy(providerData, rules.owner));
  for (const message of all) for (const wire of promptMessages(message, rules)) prompt.push(wire);
  return prompt;
}

function promptMessages(message: Message, rules: PromptRules): Fields[] {
  if (message.role === "tool") return toolMessages(message, rules);
  const content = message.role === "user" ? userParts(message.content, rules) : assistantParts(message, rules);
  return content.length === 0 ? [] : [{ role: message.role, content }];
}

function userParts(parts: readonly ContentPart[], rules: PromptRules): Fields[] {
  return parts.map((part) => promptPart(part, rules)).filter((part) => part !== null);
}

/** `null` when there is nothing to send: providers refuse empty text. */
function promptPart(part: ContentPart, rules: PromptRules): Fields | null {
  const text = textIn(part, rules);
  if (text !== null) return text.trim() === "" ? null : { type: "text", text: wholeText(text) };
  return { type: "file", ...fileFields(part as MediaPart, rules) };
}

/** The text of a part, also of a text file; `null` for everything else. */
function textIn(part: ContentPart, { refusedTypes }: PromptRules): string | null {
  if (part.type === "text") return part.text;
  if (refusedTypes.has(part.mediaType.toLowerCase())) return leftOut(part, NOT_READ);
  const text = isTextMediaType(part.mediaType) ? decodeFileText(part.data) : null;
  return text === null ? null : `${(part.type === "file" && part.name) || "File"}:\n${text}`;
}

function fileFields(part: MediaPart, { version }: PromptRules): Fields {
  const { mediaType, data } = part;
  const name = part.type === "file" ? part.name : undefined;
  return {
    mediaType,
    data: version === "v4" ? { type: "data", data } : data,
    ...(name !== undefined && { filename: wholeText(name) }),
  };
}

function isOwnedBy(data: AssistantMediaPart["providerData"], owner: string): data is JsonObject {
  return isObject(data) && data.by === owner;
}

function assistantParts(message: AssistantMessage, rules: PromptRules): Fields[] {
  const { owner } = rules;
  const parts: Fields[] = [];
  const ofCalls = metadataOfCalls(message, owner);
  const { content } = message;
  let calls = 0;
  for (const [at, part] of content.entries()) {
    const kept = keptMetadataIn(part, owner);
    if (part.type === "text") {
      const next = keptMetadataIn(content[at + 1], owner);
      const held = next?.on === "text" ? next.chars : 0;
      pushText(parts, part.text.slice(0, part.text.length - held), undefined);
    } else if (part.type === "tool-call") {
      const metadata = ofCalls.get(calls++);
      parts.push({
        type: "tool-call",
        toolCallId: portableCallId(part.id),
        toolName: portableToolName(part.name),
        input: argumentsObject(part),
        ...(metadata && { providerOptions: metadata }),
      });
    } else if (isMediaPart(part)) {
      if (isOwnedBy(part.providerData, owner)) parts.push(ownFile(part, part.providerData.metadata, rules));
    } else if (kept?.on === "reasoning") {
      parts.push({ type: "reasoning", text: part.text, providerOptions: kept.metadata });
    } else if (kept?.on === "text") {
      const before = content[at - 1];
      const text = before?.type === "text" && kept.chars > 0 ? before.text.slice(-kept.chars) : "";
      pushText(parts, text, kept.metadata);
    } else if (kept?.on === "part") parts.push(kept.part);
  }
  return withoutUnanswered(parts);
}

/** A file that the model made, with its metadata. */
function ownFile(part: MediaPart, metadata: JsonValue | undefined, rules: PromptRules): Fields {
  const wire = promptPart(part, rules)!;
  return { ...wire, ...(isObject(metadata) && { providerOptions: metadata }) };
}

/** Without the provider's own calls that a turn was paused at: vendors refuse them without their results. */
function withoutUnanswered(parts: Fields[]): Fields[] {
  const isOurs = ({ type, providerExecuted }: Fields) => type === "tool-call" && providerExecuted !== true;
  if (parts.some(isOurs)) return parts;
  const answered = new Set(parts.map(({ type, toolCallId }) => (type === "tool-result" ? toolCallId : undefined)));
  return parts.filter(({ type, toolCallId }) => type !== "tool-call" || answered.has(toolCallId));
}

function pushText(parts: Fields[], text: string, metadata: object | undefined): void {
  if (text.trim() === "" && metadata === undefined) return;
  parts.push({ type: "text", text: wholeText(text), ...(metadata && { providerOptions: metadata }) });
}

/** The results of one turn; files of failed calls follow as the user's, since an error holds text only. */
function toolMessages({ content }: ToolMessage, rules: PromptRules): Fields[] {
  const attached: Fields[] = [];
  const results = content.map((result) => ({
    type: "tool-result",
    toolCallId: portableCallId(result.toolCallId),
    toolName: portableToolName(result.name),
    output: outputOf(result, rules, attached),
  }));
  return [{ role: "tool", content: results }, ...(attached.length > 0 ? [{ role: "user", content: attached }] : [])];
}

function outputOf({ output, isError, name }: ToolResultPart, rules: PromptRules, attached: Fields[]): Fields {
  const type = isError ? "error-text" : "text";
  if (typeof output === "string") return { type, value: wholeText(output) };
  const texts = output.map((part) => textIn(part, rules)).filter((text) => text !== null);
  if (texts.length === output.length) return { type, value: wholeText(texts.join("\n")) };
  if (!isError) return { type: "content", value: output.map((part) => outputPart(part, rules)) };
  const files = output.filter((part) => textIn(part, rules) === null).map((part) => promptPart(part, rules)!);
  attached.push({ type: "text", text: `Attached to the failed result of ${name}:` }, ...files);
  return { type, value: wholeText(texts.join("\n")) };
}

function outputPart(part: ContentPart, rules: PromptRules): Fields {
  const text = textIn(part, rules);
  if (text !== null) return { type: "text", text: wholeText(text) };
  const file = fileFields(part as MediaPart, rules);
  if (rules.version === "v2") return { type: "media", data: file.data, mediaType: file.mediaType };
  if (rules.version === "v4") return { type: "file", ...file };
  return { type: String(file.mediaType).startsWith("image/") ? "image-data" : "file-data", ...file };
}
