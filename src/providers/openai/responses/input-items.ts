// The transcript as input items of the responses API. Nothing is kept on the server, so reasoning goes back encrypted, in
// front of what it led to. The same messages always give the same bytes, so that prompt caches hit.

import type { ContentPart } from "../../../contracts/content.js";
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type {
  AssistantMediaPart,
  AssistantMessage,
  AssistantPart,
  Message,
  ToolMessage,
  UserMessage,
} from "../../../contracts/message.js";
import type { ToolCall } from "../../../contracts/tool-call.js";
import { isMediaPart } from "../../../engine/transcript/message-shape.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { argumentsText } from "../../shared/request/arguments-text.js";
import { portableCallId, portableToolName } from "../../shared/request/portable-names.js";
import { type GoesBack, withShownMedia } from "../../shared/request/shown-media.js";
import { wholeText } from "../../shared/request/whole-text.js";
import { isServerToolPart } from "../../shared/server-tool-use.js";
import { ownSummary } from "../../shared/state/server-summary.js";
import { withoutEmptyText } from "../chat/content.js";
import { readableMedia } from "../readable-media.js";
import { callOriginIn } from "./call-origin.js";
import { hostItemIn, hostOutput } from "./host-calls.js";
import { hostedItemIn } from "./hosted-items.js";

/** One item of a request's input. */
export type InputItem = Fields;

/** The author whose reasoning goes back: encrypted content is of use to the model that wrote it, and refused by others. */
export interface Author {
  readonly provider: string;
  readonly model: string;
  readonly replaysReasoning: boolean;
}

/** The messages of a request, without the system prompt. */
export function inputItems(messages: readonly Message[], author: Author): InputItem[] {
  const origins: Origins = new Map();
  const goesBack: GoesBack = (part, message) =>
    isServerToolPart(part)
      ? author.replaysReasoning && isBy(message, author)
      : imageItem(part, message, author) !== undefined;
  return withShownMedia(messages, goesBack).flatMap((message) => {
    if (message.role === "user") return [userItem(message, author)];
    return message.role === "assistant" ? assistantItems(message, author, origins) : outputItems(message, origins);
  });
}

function userItem(message: UserMessage, author: Author): InputItem {
  const summary = author.replaysReasoning ? ownSummary(message, `${author.provider}/${author.model}`) : undefined;
  return summary ?? { role: "user", content: userContent(message.content) };
}

/** The items of one answer of the model: the first of those of a conversation that goes on with it. */
export function answerItems(message: AssistantMessage, author: Author): InputItem[] {
  return assistantItems(message, author, new Map());
}

function userContent(parts: readonly ContentPart[]): string | readonly InputItem[] {
  const said = withoutEmptyText(parts);
  return said.length === 0 ? "" : said.map(inputPart);
}

/** PDF, and what office programs write. */
const DOCUMENTS =
  /^application\/(?:pdf|rtf|msword|vnd\.(?:ms-(?:excel|powerpoint|word)|openxmlformats-officedocument|oasis\.opendocument))/;

function inputPart(part: ContentPart): InputItem {
  if (part.type === "text") return { type: "input_text", text: wholeText(part.text) };
  const media = readableMedia(part, DOCUMENTS);
  if (media.kind === "text") return { type: "input_text", text: media.text };
  if (media.kind === "image") return { type: "input_image", image_url: media.url, detail: "auto" };
  if (media.kind === "audio") return { type: "input_audio", input_audio: media.audio };
  return { type: "input_file", filename: media.name, file_data: media.url };
}

/** The fields that a call's result has to repeat, by the call's id: its caller, or the item that the call came as. */
type Origins = Map<string, CallOrigin>;

interface CallOrigin {
  readonly caller?: JsonValue | undefined;
  readonly item?: JsonObject | undefined;
  /** The call's id as it goes back: verbatim to the provider that wrote it. */
  readonly callId: string;
}

function assistantItems(message: AssistantMessage, author: Author, origins: Origins): InputItem[] {
  const isOwn = isBy(message, author);
  const items: InputItem[] = [];
  // Reasoning that led to nothing is refused: it waits for what follows it.
  let waiting: InputItem[] = [];
  let phase: unknown;
  let origin: JsonObject | undefined;
  let came: JsonObject | undefined;
  const add = (item: InputItem) => {
    items.push(...waiting, item);
    waiting = [];
  };
  for (const part of message.content) {
    if (part.type === "text") {
      if (part.text !== "") add(textItem(part.text, phase));
      phase = undefined;
    } else if (part.type === "tool-call") {
      const callId = message.provider === author.provider ? part.id : portableCallId(part.id);
      add(came ?? { ...functionCall(part, callId), ...origin });
      origins.set(part.id, { item: came, caller: origin?.caller, callId });
      origin = undefined;
      came = undefined;
    } else if (isMediaPart(part)) {
      const item = imageItem(part, message, author);
      if (item) add(item);
    } else if (isOwn && part.provider === author.provider && isObject(part.providerData)) {
      phase = part.providerData.phase ?? phase;
      if (!author.replaysReasoning) continue;
      origin = callOriginIn(part.providerData) ?? origin;
      came = hostItemIn(part.providerData) ?? came;
      const hosted = hostedItemIn(part.providerData);
      if (hosted) add(hosted);
      else waiting.push(...reasoningItems(part));
    }
  }
  return items;
}

function functionCall(call: ToolCall, call_id: string): InputItem {
  return {
    type: "function_call",
    call_id,
    name: portableToolName(call.name),
    arguments: argumentsText(call),
  };
}

function isBy(message: AssistantMessage, { provider, model }: Author): boolean {
  return message.provider === provider && message.model === model;
}

/** An image goes back as the work of the server's own that it was; `undefined` where it cannot. */
function imageItem(
  { data, providerData }: AssistantMediaPart,
  message: AssistantMessage,
  author: Author,
): InputItem | undefined {
  const item = author.replaysReasoning && isBy(message, author) ? hostedItemIn(providerData) : undefined;
  return item && { ...item, result: data };
}

function textItem(text: string, phase: unknown): InputItem {
  const content = [{ type: "output_text", text: wholeText(text), annotations: [] }];
  return { type: "message", role: "assistant", content, ...(typeof phase === "string" && { phase }) };
}

function reasoningItems({ text, providerData }: Extract<AssistantPart, { type: "reasoning" }>): InputItem[] {
  const { id, encrypted } = isObject(providerData) ? providerData : {};
  if (typeof encrypted !== "string") return [];
  const summary = text === "" ? [] : [{ type: "summary_text", text: wholeText(text) }];
  return [{ type: "reasoning", ...(typeof id === "string" && { id }), summary, encrypted_content: encrypted }];
}

function outputItems({ content }: ToolMessage, origins: Origins): InputItem[] {
  return content.map((result) => {
    const { toolCallId, output: said } = result;
    const { item, caller, callId = portableCallId(toolCallId) } = origins.get(toolCallId) ?? {};
    const output = typeof said === "string" ? wholeText(said) : toolOutput(said);
    if (item) return hostOutput(item, result, output);
    return {
      type: "function_call_output",
      call_id: callId,
      output,
      ...(caller !== undefined && { caller }),
    };
  });
}

/** Text stays a string: every server understands that. */
function toolOutput(parts: readonly ContentPart[]): string | readonly InputItem[] {
  const items = parts.map(inputPart);
  return items.every(({ type }) => type === "input_text") ? items.map(({ text }) => text).join("\n") : items;
}
