// The transcript in the words of chat completions. The same messages always give the same bytes, and a longer
// transcript begins with the bytes of a shorter one, so that prompt caches hit.
import type { JsonValue } from "../../../contracts/json.js";
import type { AssistantMessage, Message, ToolMessage, ToolResultPart } from "../../../contracts/message.js";
import type { ToolCall } from "../../../contracts/tool-call.js";
import { isMediaPart } from "../../../engine/transcript/message-shape.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { argumentsText } from "../../shared/request/arguments-text.js";
import { dataUrl } from "../../shared/request/data-url.js";
import { portableCallId, portableToolName } from "../../shared/request/portable-names.js";
import { type GoesBack, withShownMedia } from "../../shared/request/shown-media.js";
import { wholeText } from "../../shared/request/whole-text.js";
import { userContent, type WirePart, wirePart } from "./content.js";
import { roundTripDataOf } from "./round-trip-data.js";

/** One message as it goes over the wire. Source: https://platform.openai.com/docs/api-reference/chat (read 2026-11). */
export type WireMessage = { readonly role: string } & Fields;

/** The rules by which earlier messages are written. */
interface WireWording {
  /** The adapter's `id`: its reasoning and its call ids go back as they came. */
  readonly provider: string;
  /** The model whose images go back as its own. */
  readonly model: string;
  readonly reasoningField: "reasoning_content" | "reasoning" | "none" | undefined;
  /** Whether `content: null` is understood beside calls; an empty string takes its place. */
  readonly nullContent: boolean;
  /** Whether call ids have to be nine letters and digits. */
  readonly shortCallIds: boolean;
}

/** The messages of a request, without the system prompt. */
export function wireMessages(messages: readonly Message[], wording: WireWording): WireMessage[] {
  const ids = new CallIds(wording);
  return withShownMedia(messages, goesBack(wording)).flatMap((message) => {
    if (message.role === "user") return [{ role: "user", content: userContent(message.content) }];
    return message.role === "assistant" ? assistantMessage(message, wording, ids) : toolMessages(message, ids);
  });
}

/** A message that says nothing is left out: servers refuse empty ones. */
function assistantMessage(message: AssistantMessage, wording: WireWording, ids: CallIds): WireMessage[] {
  let text = "";
  const calls: unknown[] = [];
  const images: unknown[] = [];
  const isOwn = goesBack(wording);
  const { details, opaque, extras } = roundTripDataOf(message, wording.provider);
  for (const part of message.content) {
    if (part.type === "text") text += part.text;
    else if (part.type === "tool-call")
      calls.push(wireCall(part, ids.announce(part.id, message), extras?.[calls.length]));
    else if (isMediaPart(part) && isOwn(part, message))
      images.push({ type: "image_url", image_url: { url: dataUrl(part) } });
  }
  const goesAsDetails = details !== undefined && wording.reasoningField === undefined;
  const reasoning = goesAsDetails ? { reasoning_details: details } : reasoningOf(message, calls.length > 0, wording);
  if (text === "" && calls.length === 0 && images.length === 0) return [];
  const thinking = thinkingOf(message, wording);
  const plain = text === "" ? (wording.nullContent && calls.length > 0 ? null : "") : wholeText(text);
  return [
    {
      role: "assistant",
      content: thinking === "" ? plain : contentParts(thinking, text),
      ...reasoning,
      ...(opaque !== undefined && wording.reasoningField === undefined && { reasoning_opaque: opaque }),
      ...(images.length > 0 && { images }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** An image goes back the way it came, to the model that made it. */
function goesBack({ provider, model }: WireWording): GoesBack {
  return ({ providerData }, message) =>
    message.provider === provider &&
    message.model === model &&
    isObject(providerData) &&
    providerData.field === "images";
}

function wireCall(call: ToolCall, id: string, extra: JsonValue | undefined): unknown {
  const called = { name: portableToolName(call.name), arguments: argumentsText(call) };
  return { id, type: "function", function: called, ...(extra && { extra_content: extra }) };
}

/** Thinking that came as a part of the content goes back as one: Mistral wants it so. */
function thinkingOf(message: AssistantMessage, { provider, reasoningField }: WireWording): string {
  if (reasoningField !== undefined) return "";
  let text = "";
  for (const part of message.content) {
    if (part.type !== "reasoning" || part.provider !== provider || !isObject(part.providerData)) continue;
    if (part.providerData.field === "content") text += part.text;
  }
  return text;
}

function contentParts(thinking: string, text: string): WirePart[] {
  const thought: WirePart = { type: "thinking", thinking: [{ type: "text", text: wholeText(thinking) }] };
  return text === "" ? [thought] : [thought, { type: "text", text: wholeText(text) }];
}

/** The fields that servers take back. */
const GO_BACK: ReadonlySet<unknown> = new Set(["reasoning_content", "reasoning", "reasoning_text"]);

function reasoningOf(
  message: AssistantMessage,
  calledTools: boolean,
  wording: WireWording,
): { readonly [field: string]: string } {
  if (wording.reasoningField === "none") return {};
  let field: string | undefined = wording.reasoningField;
  let text = "";
  for (const part of message.content) {
    if (part.type !== "reasoning" || part.provider !== wording.provider) continue;
    const cameIn = isObject(part.providerData) ? part.providerData.field : undefined;
    field ??= GO_BACK.has(cameIn) ? (cameIn as string) : undefined;
    text += part.text;
  }
  const isWanted = text !== "" || (calledTools && wording.reasoningField !== undefined);
  return field !== undefined && isWanted ? { [field]: wholeText(text) } : {};
}

/** Tool messages hold text only, and nothing may stand between them: images follow in one user message. */
function toolMessages({ content }: ToolMessage, ids: CallIds): WireMessage[] {
  const attached: WirePart[] = [];
  const answers = content.map((result) => ({
    role: "tool",
    tool_call_id: ids.of(result.toolCallId),
    content: resultText(result, attached),
  }));
  return attached.length === 0 ? answers : [...answers, { role: "user", content: attached }];
}

function resultText({ name, output }: ToolResultPart, attached: WirePart[]): string {
  if (typeof output === "string") return wholeText(output);
  const texts = output.map((part) => {
    const wire = wirePart(part);
    if (wire.type === "text") return String(wire.text);
    const label = `[${part.type} of the result of ${name}, attachment ${attached.length / 2 + 1}]`;
    attached.push({ type: "text", text: label }, wire);
    return `${label} follows below.`;
  });
  return texts.join("\n");
}

/** The ids that Mistral takes. */
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/** Kimi numbers the calls of a conversation; the engine adds a suffix to an id that is used again. */
const NUMBERED_ID = /^(functions\.[\w.-]+:\d+)-\d+$/;

/** The call ids of a history: the server's own go back as they came, others in an alphabet that all accept. */
class CallIds {
  /** The ids of this server's calls. */
  readonly #own = new Set<string>();

  constructor(private readonly wording: { readonly provider: string; readonly shortCallIds: boolean }) {}

  /** The id of a call in an assistant message. */
  announce(id: string, { provider }: AssistantMessage): string {
    if (provider === this.wording.provider) this.#own.add(id);
    return this.of(id);
  }

  /** The id of a result. */
  of(id: string): string {
    if (this.wording.shortCallIds) return SHORT_ID.test(id) ? id : shortId(id);
    return this.#own.has(id) ? id.replace(NUMBERED_ID, "$1") : portableCallId(id);
  }
}

/** Nine digits and letters that depend on the id alone. */
function shortId(id: string): string {
  let [a, b] = [0x811c9dc5, 0x9dc5811c];
  for (let i = 0; i < id.length; i++) {
    a = Math.imul(a ^ id.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ id.charCodeAt(i), 0x01000193);
  }
  return ((a >>> 0).toString(36) + (b >>> 0).toString(36)).padStart(9, "0").slice(-9);
}
