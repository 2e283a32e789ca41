// Turns the events of one response into ours. Blocks come one after the other, each with an index; a call ends with its
// block, so that it can start while the model still writes. What is not understood is skipped.

import type { JsonObject } from "../../contracts/json.js";
import type { ServerToolUse } from "../../contracts/message.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { isBareFailure } from "../shared/failures/bare-failure.js";
import { messageStart } from "../shared/message-start.js";
import { begunAgain } from "../shared/response-identity.js";
import { takeCallId } from "../shared/take-call-id.js";
import { wholeArguments } from "../shared/tool-input.js";
import { BlockTable } from "./block-table.js";
import { OpaqueBlock, type OpenBlock, OpenToolUse } from "./open-blocks.js";
import { callerData, containerData } from "./server/code-calls.js";
import { workInBlock } from "./server/server-tools.js";
import { finishReasonOfStop } from "./stop-reason.js";
import { opaqueBlockData, signatureData } from "./thinking-blocks.js";
import { AnthropicUsage } from "./usage.js";

/** Reads one response. */
export class AnthropicReader {
  readonly events: ProviderEvent[] = [];
  readonly #blocks: BlockTable;
  readonly #calls: OpenToolUse[] = [];
  readonly #ids = new Set<string>();
  /** The names of the server's own tools that were called, by the call's id. */
  readonly #serverTools = new Map<unknown, string>();
  readonly #usage = new AnthropicUsage();
  #thinking: Extract<OpenBlock, { kind: "thinking" }> | undefined;
  /** A call whose block is over and brought no arguments: none were needed, unless the model was cut off there. */
  #undecided: OpenToolUse | undefined;
  #stopReason = "";
  #isStopped = false;
  #isCounted = false;
  /** The start of the message: some servers put blocks into it. */
  #startMessage: Fields | undefined;
  #hasStarted = false;
  #hasStartedAgain = false;

  constructor(
    private readonly provider: string,
    /** `id/model` of the adapter: whose signatures these are. */
    private readonly owner: string,
  ) {
    this.#blocks = new BlockTable(provider);
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get hasFinished(): boolean {
    return this.#isStopped || this.#stopReason !== "";
  }

  /** The last counts come when all blocks are over, also from servers that do not say why the model stopped. */
  get mayEnd(): boolean {
    return this.#isCounted;
  }

  get isInside(): boolean {
    return !this.#blocks.isEmpty;
  }

  errorIn(data: unknown): unknown {
    if (!isObject(data)) return undefined;
    return data.error || (data.type === "error" || isBareFailure(data) ? data : undefined);
  }

  /** @throws ProviderError `RESPONSE_TOO_LARGE` for blocks without end */
  read(data: unknown): void {
    // Nothing counts after the end, least of all the same message again; the last usage may be late.
    if (!isObject(data) || (this.#isStopped && data.type !== "message_delta")) return;
    switch (data.type ?? (data.role === "assistant" && "message")) {
      case "message_start":
        this.#start(isObject(data.message) ? data.message : {});
        return;
      case "content_block_start":
        this.#begin(data.index, isObject(data.content_block) ? data.content_block : {});
        return;
      case "content_block_delta":
        if (isObject(data.delta)) this.#add(data.index, data.delta);
        return;
      case "content_block_stop":
        this.#end(data.index);
        return;
      case "message_delta":
        this.#readEnd(isObject(data.delta) ? data.delta : {}, data.usage);
        return;
      case "message_stop":
        this.#isStopped = this.#hasStarted;
        return;
      case "message":
        this.#readDocument(data);
        return;
    }
  }

  finish(): void {
    this.#open();
    this.#readStart();
    this.#endThinking();
    const finishReason = finishReasonOfStop(this.#stopReason || "end_turn", this.#calls.length > 0);
    const wasCut = finishReason === "length" || finishReason === "content-filter";
    for (const call of this.#calls) if (!call.isOver) this.#endCall(call, wasCut && call === this.#calls.at(-1));
    const usage = this.#usage.value;
    this.events.push({ type: "message-end", finishReason, ...(usage && { usage }) });
  }

  #start(message: Fields): void {
    const { id, model } = message;
    this.#usage.read(message.usage);
    this.#hasStartedAgain = this.#blocks.begun > 0;
    if (this.#hasStarted) return;
    this.#startMessage = message;
    this.#hasStarted = true;
    this.events.push(messageStart(id, model));
  }

  /** Some servers leave out the start of the message. */
  #open(): void {
    if (!this.#hasStarted) this.#start({});
  }

  #begin(index: unknown, block: Fields): void {
    this.#open();
    // A proxy has asked again, and passes the second response on behind the first.
    if (this.#hasStartedAgain && index === 0) throw begunAgain(this.provider);
    if (this.#blocks.isRepeated(index, block)) return;
    const { content } = this.#startMessage ?? {};
    if (Array.isArray(content) && content.length === index) this.#readStart();
    this.#startMessage = undefined;
    this.#endThinking();
    if (this.#undecided) this.#endCall(this.#undecided, false);
    const { type, text } = block;
    if (type === "text") {
      this.#blocks.open(index, block, { kind: "text" });
      this.#text(text);
    } else if (type === "thinking") {
      this.#beginThinking(index, block);
    } else if (type === "tool_use") {
      this.#beginCall(index, block);
    } else if (typeof type === "string") {
      this.#blocks.open(index, block, { kind: "opaque", block: new OpaqueBlock(block) });
    }
  }

  #beginThinking(index: unknown, start: Fields): void {
    const { thinking, signature } = start;
    const isSigned = typeof signature === "string" && signature !== "";
    const block = { kind: "thinking" as const, signature: isSigned ? signature : undefined };
    this.#thinking = this.#blocks.open(index, start, block);
    this.#reason(thinking);
  }

  #beginCall(index: unknown, block: Fields): void {
    const { id, name, caller } = block;
    const start = wholeArguments(block.input);
    const order = this.#calls.length;
    const [callId, called] = [takeCallId(id, order, this.#ids), typeof name === "string" ? name : ""];
    const call = new OpenToolUse(order, callId, called, start, callerData(this.owner, caller));
    this.#calls.push(call);
    this.#blocks.open(index, block, { kind: "call", call });
    this.#keep(call.by);
    this.events.push({ type: "tool-call-start", index: order, id: call.id, name: call.name });
  }

  #add(index: unknown, delta: Fields): void {
    this.#open();
    this.#startMessage = undefined;
    switch (delta.type) {
      case "text_delta":
        this.#text(delta.text);
        return;
      case "thinking_delta":
        if (!this.#thinking) this.#beginThinking(index, {});
        this.#reason(delta.thinking);
        return;
      case "signature_delta":
        this.#blocks.sign(index, delta.signature);
        return;
      case "input_json_delta":
        this.#addInput(this.#blocks.find(index, "call", "opaque"), delta.partial_json);
        return;
      case "citations_delta":
        return;
      default:
        this.#blocks.addUnknown(index, delta);
    }
  }

  #addInput(block: OpenBlock | undefined, json: unknown): void {
    if (typeof json !== "string" || json === "" || !block) return;
    if (block.kind === "opaque") block.block.addInput(json);
    else if (block.kind === "call" && !block.call.isOver) {
      if (block.call.add(json)) this.events.push({ type: "tool-call-delta", index: block.call.index, json });
    }
  }

  #end(index: unknown): void {
    const block = this.#blocks.close(index);
    if (!block) return;
    if (block.kind === "thinking" && block === this.#thinking) this.#endThinking();
    else if (block.kind === "opaque") this.#endOpaque(block.block);
    else if (block.kind === "call") {
      if (block.call.hasArguments) this.#endCall(block.call, false);
      else this.#undecided = block.call;
    }
  }

  #endCall(call: OpenToolUse, wasCut: boolean): void {
    if (call.isOver) return;
    call.isOver = true;
    if (call === this.#undecided) this.#undecided = undefined;
    const { index, id, name } = call;
    this.events.push({ type: "tool-call-end", index, call: { id, name, ...call.read(wasCut) } });
  }

  #endThinking(): void {
    const block = this.#thinking;
    if (!block) return;
    this.#thinking = undefined;
    this.events.push({ type: "reasoning-end", providerData: signatureData(this.owner, block.signature) });
  }

  #endOpaque(block: OpaqueBlock): void {
    const whole = block.end();
    if (whole) this.#endThinking();
    this.#keep(whole && opaqueBlockData(this.owner, whole), whole && workInBlock(whole, this.#serverTools));
  }

  #keep(providerData: JsonObject | undefined, serverTool?: ServerToolUse): void {
    if (providerData) this.events.push({ type: "reasoning-end", providerData, ...(serverTool && { serverTool }) });
  }

  #text(text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#endThinking();
    this.events.push({ type: "text-delta", text });
  }

  #reason(text: unknown): void {
    if (typeof text === "string" && text !== "") this.events.push({ type: "reasoning-delta", text });
  }

  #readEnd({ stop_reason, container }: Fields, usage: unknown): void {
    this.#open();
    this.#keep(containerData(this.owner, container));
    this.#usage.read(usage);
    this.#isCounted ||= isObject(usage);
    this.#readReason(stop_reason);
  }

  #readReason(said: unknown): void {
    if (typeof said === "string" && said !== "") this.#stopReason = said;
  }

  /** A server, or something between, that does not stream sends the whole message. */
  #readDocument(message: Fields): void {
    this.#start(message);
    if (this.#blocks.begun === 0) this.#startMessage = message;
    this.#readStart();
    this.#isStopped = true;
  }

  /** Reads the blocks in the start of the message: its first ones, or all of them. */
  #readStart(): void {
    const { content, container, stop_reason } = this.#startMessage ?? {};
    this.#startMessage = undefined;
    this.#readContent(content);
    this.#keep(containerData(this.owner, container));
    if (this.#stopReason === "") this.#readReason(stop_reason);
  }

  #readContent(content: unknown): void {
    if (typeof content === "string") this.#text(content);
    for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
      if (!isObject(block)) continue;
      this.#begin(index, block);
      this.#end(index);
    }
  }
}
