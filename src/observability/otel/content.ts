// The content in spans, where the host asks for it: without secrets, cut, and JSON whatever was cut.
import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import type { AssistantPart, Message, ToolResultPart } from "../../contracts/message.js";
import type { PromptSection } from "../../contracts/provider.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { clip, firstCharacters } from "../../text/cut.js";
import { redact } from "../redact.js";
import { redactJson } from "../redact-json.js";

/** The longest attribute that holds content. Unit: characters, names and braces of JSON aside. */
export const MAX_CONTENT_CHARS = 20_000;
/** The end of a text that was cut may be half a secret: longer than what a token can be and not yet look like one. */
const EDGE_CHARS = 64;

/** `gen_ai.system_instructions` of a request. */
export function systemInstructions(system: readonly PromptSection[]): string {
  const room = new Room();
  return JSON.stringify(system.map(({ text }) => ({ type: "text", content: room.text(text) })));
}

/** `gen_ai.input.messages` of a request: the newest that fit, and how many older ones were left out. */
export function inputMessages(messages: readonly Message[]): { readonly json: string; readonly omitted: number } {
  const room = new Room();
  const shown: JsonValue[] = [];
  let omitted = messages.length;
  for (; omitted > 0 && room.left > 0; omitted--) shown.unshift(messageOf(messages[omitted - 1]!, room));
  return { json: JSON.stringify(shown), omitted };
}

/** The text of a model's reply. */
export interface Reply {
  readonly text: string;
  readonly media: readonly MediaPart[];
  readonly calls: readonly OutputCall[];
}

/** `gen_ai.output.messages` of one reply. */
export function outputMessages({ text, media, calls }: Reply, reason: string): string {
  const room = new Room();
  const said = text === "" ? [] : [{ type: "text", content: room.text(text) }];
  const parts = [...said, ...media.map(withoutData), ...calls.map((call) => callPart(call, room))];
  return JSON.stringify([{ role: "assistant", parts, finish_reason: reason }]);
}

/** `gen_ai.tool.call.arguments`. */
export function toolArguments(input: JsonValue): string {
  const clean = typeof input === "string" ? new Room().text(input) : new Room().json(input);
  return typeof clean === "string" ? clean : JSON.stringify(clean);
}

/** `gen_ai.tool.call.result`. */
export function toolOutput(output: ToolResult["output"]): string {
  return toolArguments(typeof output === "string" ? output : output.map(withoutData));
}

/** A call that a reply makes. */
export interface OutputCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonValue;
}

/** The rest of an attribute's length. */
class Room {
  left = MAX_CONTENT_CHARS;

  text(value: unknown): string {
    const text = typeof value === "string" ? value : String(value);
    const fits = text.length <= this.left;
    const clean = redact(fits ? text : firstCharacters(text, this.left + EDGE_CHARS));
    const cut = clip(fits ? clean : `${firstCharacters(clean, clean.length - EDGE_CHARS)}…`, this.left);
    this.left -= cut.length;
    return cut;
  }

  /** The value itself where it fits, else the beginning of its JSON. */
  json(value: JsonValue | undefined): JsonValue {
    const json = JSON.stringify(value) ?? "null";
    if (json.length > this.left) return this.text(json);
    this.left -= json.length;
    return redactJson(value ?? null);
  }
}

function messageOf({ role, content }: Message, room: Room): JsonValue {
  return { role, parts: (content as readonly AnyPart[]).map((part) => partOf(part, room)) };
}

type AnyPart = ContentPart | AssistantPart | ToolResultPart;

function partOf(part: AnyPart, room: Room): JsonValue {
  switch (part.type) {
    case "text":
      return { type: "text", content: room.text(part.text) };
    case "reasoning":
      return { type: "reasoning", content: room.text(part.text) };
    case "tool-call":
      return callPart(part, room);
    case "tool-result": {
      const { toolCallId, output } = part;
      const response = typeof output === "string" ? room.text(output) : room.json(output.map(withoutData));
      return { type: "tool_call_response", id: toolCallId, response };
    }
    default:
      return withoutData(part);
  }
}

function callPart({ id, name, arguments: input }: OutputCall, room: Room): JsonValue {
  return { type: "tool_call", id, name, arguments: room.json(input) };
}

/** The part as JSON; a picture or file as its kind and size alone. */
function withoutData(part: ContentPart): JsonValue {
  if (part.type === "text") return { type: "text", content: part.text };
  return { type: part.type, mime_type: part.mediaType, base64_chars: part.data?.length ?? 0 };
}
