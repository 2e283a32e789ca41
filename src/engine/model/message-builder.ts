import type { JsonValue } from "../../contracts/json.js";
import type { AssistantMediaPart, AssistantMessage, AssistantPart, ServerToolUse } from "../../contracts/message.js";
import type { ModelAuthor, ProviderAdapter, ProviderEvent } from "../../contracts/provider.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import type { FinishReason, Usage } from "../../contracts/usage.js";
import { copyJson, walkJson } from "../../json/copy.js";
import { isBase64 } from "../../text/base64.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { MessageCalls } from "../calls/message-calls.js";
import type { PendingCall } from "../calls/pending-call.js";
import { freeCallId, isContentPart } from "../transcript/message-shape.js";
import type { Transcript } from "../transcript/transcript.js";

/** A call while its arguments stream in. */
interface CallSlot {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  run: PendingCall;
  json: string;
  call: ToolCall | undefined;
}

interface ReasoningPiece {
  readonly kind: "reasoning";
  text: string;
  closed: boolean;
  providerData?: JsonValue;
  serverTool?: ServerToolUse;
}

type Piece =
  | { readonly kind: "text"; text: string }
  | ReasoningPiece
  | { readonly kind: "media"; readonly part: AssistantMediaPart }
  | { readonly kind: "call"; readonly slot: CallSlot };

/**
 * Puts one assistant message together from a provider's events, in the order in which its pieces began.
 * Cost: linear in what streams, whatever the size of the pieces.
 */
export class MessageBuilder {
  #pieces: Piece[] = [];
  #slots: CallSlot[] = [];
  /** The newest call at each index, once there are several. */
  #byIndex: Map<number, CallSlot> | undefined;
  #ids: Set<string> | undefined;
  /** The author of the message, when it is not the provider itself. */
  #author: ModelAuthor | undefined;
  #response: { readonly id?: string; readonly model?: string } | undefined;

  constructor(
    private readonly provider: ProviderAdapter,
    private readonly calls: MessageCalls,
    private readonly transcript: Transcript,
  ) {}

  /** Voids everything: the stream starts again. */
  restart(): void {
    this.#pieces = [];
    this.#slots = [];
    this.#byIndex = undefined;
    this.#ids = undefined;
    this.#author = undefined;
    this.#response = undefined;
    this.calls.restart();
  }

  start({ id, model, by }: Extract<ProviderEvent, { readonly type: "message-start" }>): void {
    if (typeof by?.id === "string" && typeof by.model === "string") this.#author = by;
    this.#response = responseOf(typeof id === "string" ? id : undefined, typeof model === "string" ? model : undefined);
  }

  /** The provider's data about its response. */
  get response(): { readonly id?: string; readonly model?: string } | undefined {
    return this.#response;
  }

  get author(): ModelAuthor {
    return this.#author ?? this.provider;
  }

  text(text: string): void {
    const last = this.#pieces[this.#pieces.length - 1];
    if (last?.kind === "text") last.text += text;
    else this.#pieces.push({ kind: "text", text });
  }

  reasoning(text: string): void {
    const last = this.#pieces[this.#pieces.length - 1];
    if (last?.kind === "reasoning" && !last.closed) last.text += text;
    else this.#pieces.push({ kind: "reasoning", text, closed: false });
  }

  /** The work of a server's tool that it represents, as it is kept. */
  endReasoning(providerData: JsonValue | undefined, said?: ServerToolUse): ServerToolUse | undefined {
    const serverTool = readServerTool(said);
    let open = this.#pieces.findLast((piece): piece is ReasoningPiece => piece.kind === "reasoning" && !piece.closed);
    if (!open) {
      if (providerData === undefined) return undefined;
      open = { kind: "reasoning", text: "", closed: true };
      this.#pieces.push(open);
    }
    open.closed = true;
    if (providerData !== undefined) open.providerData = copyJson(providerData, true);
    if (serverTool) open.serverTool = serverTool;
    return serverTool;
  }

  /** An image or a file, which is whole; `undefined` for what is not one. */
  media(said: unknown): AssistantMediaPart | undefined {
    if (!isContentPart(said) || said.type === "text" || said.data.length % 4 || !isBase64(said.data)) return undefined;
    const part = copyJson(said, true) as unknown as AssistantMediaPart;
    this.#pieces.push({ kind: "media", part });
    return part;
  }

  startCall(index: number, id: unknown, name: unknown): CallSlot {
    const slot = this.#newSlot(index, this.#freeId(id), typeof name === "string" ? name : "");
    this.#slots.push(slot);
    return slot;
  }

  /** The call that the piece belongs to; `undefined` if none is open at this index. */
  callDelta(index: number, json: string): CallSlot | undefined {
    const slot = this.#openSlot(index);
    if (slot) slot.json += json;
    return slot;
  }

  /** `false` for an end that lacks its call: the call is then malformed. */
  endCall(index: number, call: ToolCall): boolean {
    const slot = this.#openSlot(index) ?? this.startCall(index, call?.id, call?.name);
    slot.call = readCall(slot, call);
    slot.run = this.calls.complete(slot.run, slot.call);
    return typeof call === "object" && call !== null;
  }

  get isEmpty(): boolean {
    return this.#pieces.every((piece) => "text" in piece && piece.text === "");
  }

  get hasCalls(): boolean {
    return this.#slots.length > 0;
  }

  /** Calls that never came to an end become malformed ones. */
  closeCalls(): void {
    for (let at = 0; at < this.#slots.length; at++) {
      const slot = this.#slots[at]!;
      if (slot.call) continue;
      slot.call = Object.freeze({ id: slot.id, name: slot.name, arguments: {}, malformed: slot.json });
      slot.run = this.calls.complete(slot.run, slot.call);
    }
  }

  /** Calls that never came to an end are left out: the run has been interrupted. */
  dropOpenCalls(): void {
    const complete = this.#slots.filter(({ call }) => call);
    this.#slots = complete;
    this.#pieces = this.#pieces.filter((piece) => piece.kind !== "call" || piece.slot.call);
    this.calls.dropIncomplete(new Set(complete.map(({ run }) => run)));
  }

  message(finishReason: FinishReason, usage: Usage | undefined): AssistantMessage {
    const content: AssistantPart[] = [];
    for (let at = 0; at < this.#pieces.length; at++) {
      const part = this.#part(this.#pieces[at]!);
      if (part) content.push(part);
    }
    const { id: provider, model } = this.author;
    // The copy has no room to grow: an array that was pushed to keeps space for sixteen more.
    const parts = Object.freeze(content.slice());
    if (!usage) return Object.freeze({ role: "assistant", content: parts, finishReason, provider, model });
    Object.freeze(usage);
    return Object.freeze({ role: "assistant", content: parts, finishReason, usage, provider, model });
  }

  #part(piece: Piece): AssistantPart | undefined {
    if (piece.kind === "call") return callPart(piece.slot.call!);
    if (piece.kind === "media") return piece.part;
    if (piece.kind === "text") return piece.text === "" ? undefined : Object.freeze({ type: "text", text: piece.text });
    const { text, providerData, serverTool } = piece;
    if (text === "" && providerData === undefined) return undefined;
    return Object.freeze({
      type: "reasoning",
      text,
      provider: this.author.id,
      ...(providerData !== undefined && { providerData }),
      ...(serverTool && { serverTool }),
    });
  }

  #newSlot(index: number, id: string, name: string): CallSlot {
    const run = this.calls.announce({ id, name, arguments: {} });
    const slot: CallSlot = { index, id, name, run, json: "", call: undefined };
    this.#pieces.push({ kind: "call", slot });
    if (this.#slots.length > 0) this.#byIndex ??= new Map(this.#slots.map((one) => [one.index, one]));
    this.#byIndex?.set(index, slot);
    return slot;
  }

  #openSlot(index: number): CallSlot | undefined {
    const newest = this.#slots[this.#slots.length - 1];
    const slot = newest?.index === index ? newest : this.#byIndex?.get(index);
    return slot?.call ? undefined : slot;
  }

  /** Ids are unique in a session: an empty or used one gets a suffix. */
  #freeId(id: unknown): string {
    const wanted = typeof id === "string" ? id : "";
    const { callIds, callIdSuffixes } = this.transcript;
    if (this.#slots.length > 0) this.#ids ??= new Set(this.#slots.map((slot) => slot.id));
    const free = freeCallId(wanted, (taken) => callIds.has(taken) || !!this.#ids?.has(taken), callIdSuffixes);
    this.#ids?.add(free);
    return free;
  }
}

/** No spreads: an object that begins with one gets a hidden class of its own each time. */
function responseOf(id: string | undefined, model: string | undefined): { id?: string; model?: string } | undefined {
  if (id === undefined) return model === undefined ? undefined : { model };
  return model === undefined ? { id } : { id, model };
}

function callPart({ id, name, arguments: args, malformed, caller }: ToolCall): AssistantPart {
  if (caller) return Object.freeze({ type: "tool-call", id, name, arguments: args, caller });
  if (malformed === undefined) return Object.freeze({ type: "tool-call", id, name, arguments: args });
  return Object.freeze({ type: "tool-call", id, name, arguments: args, malformed });
}

/** Longest result of a server's tool that is kept for reading. Unit: characters. */
const MAX_OUTPUT_CHARS = 20_000;

/** A provider's report of a server's tool, as it is kept; `undefined` for one that is not understood. */
function readServerTool(said: ServerToolUse | undefined): ServerToolUse | undefined {
  if (typeof said?.id !== "string" || typeof said.name !== "string") return undefined;
  const { id, name, input, output, isError } = said;
  return Object.freeze({
    id,
    name,
    ...(input !== undefined && { input: copyJson(input, true) }),
    ...(typeof output === "string" && { output: clip(output, MAX_OUTPUT_CHARS) }),
    ...(isError === true && { isError }),
    trust: "untrusted",
  });
}

function readCall(slot: CallSlot, call: ToolCall): ToolCall {
  const name = typeof call?.name === "string" && call.name !== "" ? call.name : slot.name;
  const { id, json } = slot;
  if (typeof call !== "object" || call === null) return Object.freeze({ id, name, arguments: {}, malformed: json });
  if (typeof call.malformed === "string") return Object.freeze({ id, name, arguments: {}, malformed: call.malformed });
  if (call.arguments === undefined && json !== "") return Object.freeze({ id, name, arguments: {}, malformed: json });
  try {
    const args = copyJson(call.arguments ?? {}, true);
    if (call.caller === "program") return Object.freeze({ id, name, arguments: args, caller: call.caller });
    return Object.freeze({ id, name, arguments: args });
  } catch (error) {
    const malformed = `(arguments that cannot be used: ${describeThrown(error)})`;
    return Object.freeze({ id, name, arguments: {}, malformed });
  }
}

// ── the size of an event ─────────────────────────────────────────────────────────────────────────────────────────────

/** The weight of an event beside its text: a flood of empty events must end, too. */
const EVENT_BYTES = 32;

/** About how much memory an event takes in what the engine keeps. Never 0. Unit: bytes, one for each character. */
export function sizeOf(event: ProviderEvent): number {
  return EVENT_BYTES + textSize(event);
}

function textSize(event: ProviderEvent): number {
  if (event?.type === "text-delta" || event?.type === "reasoning-delta") return lengthOf(event.text);
  if (event?.type === "tool-call-delta") return lengthOf(event.json);
  if (event?.type === "tool-call-end") return jsonSize(event.call?.arguments) + lengthOf(event.call?.malformed);
  if (event?.type === "media") return jsonSize(event.part);
  if (event?.type === "reasoning-end") return jsonSize(event.providerData);
  return 0;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

/** About as long as the value's JSON text, without making it. What has no end is measured to the walk's, and refused as it is copied. */
function jsonSize(value: unknown): number {
  let size = 0;
  walkJson(value, (each, key) => {
    size += key.length + (typeof each === "string" ? each.length + 6 : 4);
    return true;
  });
  return size;
}
