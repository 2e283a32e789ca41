// Turns the parts of a stream of the AI SDK into events. The versions differ in finish reasons and usage only; parts that
// are not needed (sources, raw chunks, files of the reasoning) are skipped.
import { ProviderError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { Usage } from "../../contracts/usage.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { base64Of } from "../../text/base64.js";
import type { Failures } from "../shared/failures/failures.js";
import { MAX_KEPT_CHARS, MAX_PARTS, tooMany } from "../shared/failures/too-many.js";
import { messageStart } from "../shared/message-start.js";
import { eventOfUrl, receivedMedia } from "../shared/received-media.js";
import { begunAgain } from "../shared/response-identity.js";
import { takeCallId } from "../shared/take-call-id.js";
import { ToolInput } from "../shared/tool-input.js";
import { type KeptMetadata, keptMetadataData } from "./kept-metadata.js";
import { aiSdkFailure } from "./model-failures.js";
import { aiSdkUsage, finishName, finishReasonOfName, isCutOff } from "./usage-shapes.js";

/** Providers whose vendors count from the beginning of an answer, and always say how it ended. */
const COUNTS_EARLY = /anthropic|bedrock|google|vertex|gemini/i;

/** Parts that say nothing about the message. */
const SILENT = new Set(["stream-start", "raw", "ping"]);

interface OpenCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly input: ToolInput;
  /** Whether what streams is not JSON: then the call's own part holds the arguments. */
  readonly isText: boolean;
  isOver: boolean;
}

/** Text or reasoning under way. */
interface OpenText {
  metadata: JsonObject | undefined;
  chars: number;
}

/** Reads one response. */
export class AiSdkReader {
  readonly events: ProviderEvent[] = [];
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();
  readonly #byId = new Map<unknown, OpenCall>();
  readonly #texts = new Map<unknown, OpenText>();
  readonly #reasonings = new Map<unknown, OpenText>();
  /** Calls that the provider runs itself. */
  readonly #theirs = new Set<unknown>();
  #finish = "";
  #usage: Usage | undefined;
  #hasBegun = false;
  #hasStarted = false;
  #responseId: unknown;

  constructor(
    private readonly failures: Failures,
    /** The owner of the metadata. */
    private readonly owner: string,
  ) {}

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get hasFinished(): boolean {
    return this.#finish !== "";
  }

  /** Errors are parts, and thrown by `read`. */
  errorIn(): undefined {
    return undefined;
  }

  /** @throws ProviderError for a part `error`, and for an answer that ends with one */
  read(part: unknown): void {
    if (!isObject(part)) return;
    const { type } = part;
    if (type === "error") throw aiSdkFailure(part.error, this.failures, true);
    if (typeof type !== "string" || SILENT.has(type)) return;
    this.#begin(part);
    if (type === "response-metadata") return;
    this.#hasStarted = true;
    this.#readPart(type, part);
  }

  finish(): void {
    const wasCut = this.#finish === "length" || this.#finish === "content-filter";
    for (const call of this.#calls) if (!call.isOver) this.#endCall(call, call.input.read(wasCut || call.isText));
    const finishReason = finishReasonOfName(this.#finish, this.#calls.length > 0);
    this.events.push({ type: "message-end", finishReason, ...(this.#usage && { usage: this.#usage }) });
  }

  #readPart(type: string, part: Fields): void {
    switch (type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        this.#readText(type, part);
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#readReasoning(type, part);
        break;
      case "tool-input-start":
        if (part.providerExecuted === true) this.#theirs.add(part.id);
        else this.#beginCall(part.id, part.toolName, part.inputEncoding === "text");
        break;
      case "tool-input-delta":
        if (this.#byId.get(part.id)?.isText !== true) this.#addInput(part.id, part.delta);
        break;
      case "tool-call":
        this.#readCall(part);
        break;
      case "tool-result":
        this.#keepResult(part);
        break;
      case "file":
        this.events.push(...eventsOfFile(part, this.owner));
        break;
      case "custom":
        this.#keep({ on: "part", part: { type, kind: part.kind as JsonValue, ...optionsOf(part) } });
        break;
      case "finish":
        this.#readFinish(part);
        break;
    }
  }

  #begin(part: Fields): void {
    const { id, modelId } = part.type === "response-metadata" ? part : {};
    // A proxy has asked again: what it passes on is two responses.
    if (id && this.#responseId && id !== this.#responseId && this.#hasStarted) {
      throw begunAgain(this.failures.scene.provider);
    }
    this.#responseId = id || this.#responseId;
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.events.push(messageStart(id, modelId));
  }

  #readText(type: string, part: Fields): void {
    const open = openAt(this.#texts, part);
    if (typeof part.delta === "string" && part.delta !== "") {
      open.chars += part.delta.length;
      this.events.push({ type: "text-delta", text: part.delta });
    }
    if (type !== "text-end") return;
    this.#texts.delete(part.id);
    if (open.metadata) this.#keep({ on: "text", metadata: open.metadata, chars: open.chars });
  }

  #readReasoning(type: string, part: Fields): void {
    const open = openAt(this.#reasonings, part);
    if (typeof part.delta === "string" && part.delta !== "") {
      open.chars += part.delta.length;
      this.events.push({ type: "reasoning-delta", text: part.delta });
    }
    if (type !== "reasoning-end") return;
    this.#reasonings.delete(part.id);
    if (open.metadata) this.#keep({ on: "reasoning", metadata: open.metadata });
    else if (open.chars > 0) this.events.push({ type: "reasoning-end" });
  }

  #beginCall(id: unknown, name: unknown, isText = false): OpenCall {
    if (this.#calls.length >= MAX_PARTS) throw tooMany(this.failures.scene.provider, "tool calls");
    const index = this.#calls.length;
    const call: OpenCall = {
      index,
      id: takeCallId(id, index, this.#ids),
      name: typeof name === "string" ? name : "",
      input: new ToolInput(),
      isText,
      isOver: false,
    };
    this.#calls.push(call);
    this.#byId.set(id, call);
    this.events.push({ type: "tool-call-start", index, id: call.id, name: call.name });
    return call;
  }

  #addInput(id: unknown, delta: unknown): void {
    const call = this.#byId.get(id);
    if (!call || call.isOver || typeof delta !== "string" || delta === "") return;
    call.input.add(delta);
    this.events.push({ type: "tool-call-delta", index: call.index, json: delta });
  }

  #readCall(part: Fields): void {
    const { toolCallId, toolName, input } = part;
    if (part.providerExecuted === true || this.#theirs.has(toolCallId)) {
      this.#keepCall(part);
      return;
    }
    const known = this.#byId.get(toolCallId);
    const call = known && !known.isOver ? known : this.#beginCall(toolCallId, toolName);
    const text = typeof input === "string" ? input : JSON.stringify(input ?? {});
    // The streamed arguments differ in wording at most; those of the part count.
    if (call.input.isEmpty && text !== "") this.#addInput(toolCallId, text);
    // A provider whose stream is cut off ends its calls with what there is of them.
    if (isWholeInput(text)) this.#endCall(call, { arguments: JSON.parse(text) as JsonValue });
    const { providerOptions } = optionsOf(part);
    if (providerOptions) this.#keep({ on: "call", metadata: providerOptions, call: call.index });
  }

  #endCall(call: OpenCall, read: ReturnType<ToolInput["read"]>): void {
    call.isOver = true;
    const { index, id, name } = call;
    this.events.push({ type: "tool-call-end", index, call: { id, name, ...read } });
  }

  #keepCall(part: Fields): void {
    const read = new ToolInput();
    read.add(typeof part.input === "string" ? part.input : JSON.stringify(part.input ?? {}));
    const { toolCallId, toolName } = part as { readonly [field: string]: JsonValue };
    const call = { type: "tool-call", toolCallId, toolName, input: read.read().arguments, providerExecuted: true };
    this.#theirs.add(part.toolCallId);
    this.#keep({ on: "part", part: { ...(call as JsonObject), ...optionsOf(part) } });
  }

  /** The result of a tool that the provider has run itself. */
  #keepResult(part: Fields): void {
    if (part.preliminary === true || !this.#theirs.has(part.toolCallId)) return;
    const { toolCallId, toolName, result = null } = part as { readonly [field: string]: JsonValue };
    const output: JsonValue = { type: part.isError === true ? "error-json" : "json", value: result };
    const kept: JsonObject = { type: "tool-result", toolCallId: toolCallId!, toolName: toolName!, output };
    this.#keep({ on: "part", part: { ...kept, ...optionsOf(part) } });
  }

  #keep(kept: KeptMetadata): void {
    if (kept.on === "part" && JSON.stringify(kept.part).length > MAX_KEPT_CHARS) return;
    this.events.push({ type: "reasoning-end", providerData: keptMetadataData(this.owner, kept) });
  }

  #readFinish({ finishReason, usage, providerMetadata }: Fields): void {
    this.#usage = aiSdkUsage(usage, providerMetadata);
    const name = finishName(finishReason);
    if (name === "error") throw this.#failed(finishReason);
    if (isCutOff(finishReason) && !this.#isCounted) throw this.failures.cutOff(true);
    this.#finish = name;
  }

  /** Whether usage says that the answer is whole: most servers count at the end. */
  get #isCounted(): boolean {
    return this.#usage !== undefined && this.#usage.outputTokens > 0 && !COUNTS_EARLY.test(this.owner);
  }

  #failed(reason: unknown): ProviderError {
    const raw = isObject(reason) && typeof reason.raw === "string" ? ` ("${reason.raw.slice(0, 100)}")` : "";
    return new ProviderError("SERVER", {
      message: `Provider "${this.failures.scene.provider}" ended its answer with finish reason "error"${raw}: it failed in the middle.`,
      retryable: true,
    });
  }
}

/** Arguments that hold something, all of it. */
function isWholeInput(text: string): boolean {
  const input = new ToolInput();
  input.add(text);
  return input.isWhole && text.trim() !== "{}" && input.read().malformed === undefined;
}

/** The text under way with a part's id; later metadata replaces earlier. */
function openAt(texts: Map<unknown, OpenText>, part: Fields): OpenText {
  let open = texts.get(part.id);
  if (!open) {
    open = { metadata: undefined, chars: 0 };
    texts.set(part.id, open);
  }
  open.metadata = optionsOf(part).providerOptions ?? open.metadata;
  return open;
}

/** A part's metadata, under the name by which it goes back. */
function optionsOf({ providerMetadata }: Fields): { providerOptions?: JsonObject } {
  const hasSome = isObject(providerMetadata) && Object.keys(providerMetadata).length > 0;
  return hasSome ? { providerOptions: providerMetadata as JsonObject } : {};
}

/** The events for a file of a model, with its metadata. Version 4 wraps the data, and may have an address in its place. */
function eventsOfFile({ data: said, mediaType, providerMetadata }: Fields, owner: string): ProviderEvent[] {
  const data = isObject(said) && said.type === "data" ? said.data : said;
  if (isObject(data) && data.type === "url") {
    const event = eventOfUrl(String(data.url), mediaType);
    return event ? [event] : [];
  }
  const part = receivedMedia(data instanceof Uint8Array ? base64Of(data) : data, mediaType);
  if (!part) return [];
  const metadata = isObject(providerMetadata) && { metadata: providerMetadata as JsonObject };
  return [{ type: "media", part: { ...part, providerData: { by: owner, ...metadata } } }];
}
