// Serves: Bedrock, which numbers the parts of a message otherwise, and gateways that send no deltas.

import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { ProviderEvent } from "../../../contracts/provider.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { takeCallId } from "../../shared/take-call-id.js";
import { ToolInput } from "../../shared/tool-input.js";
import { callerIn, callOriginData } from "./call-origin.js";

/** The kinds of items that are read. */
export type ItemKind = "message" | "function_call" | "reasoning";

/** One item of a response's output while it arrives: a message, a call or a piece of reasoning. */
export class OutputItem {
  #callId = "";
  /** The call's id as the server gave it. */
  #givenId: unknown;
  #name = "";
  #phase: unknown;
  #origin: JsonObject | undefined;
  #isAnnounced = false;
  #hasEnded = false;
  readonly #input = new ToolInput();
  /** The arguments that the item began with; they count when no others come. */
  #said: unknown;
  /** The text so far: servers repeat it at the end. */
  #text = "";
  /** The source of the reasoning: its summary, or its text itself. */
  #reasoningSource: "summary" | "content" | undefined;
  #reasoningId: unknown;
  #encrypted: unknown;

  constructor(
    readonly kind: ItemKind,
    /** The call's place among the calls. */
    private readonly order: number,
    /** The ids of the response's calls. */
    private readonly callIds: Set<string>,
    private readonly emit: (event: ProviderEvent) => void,
  ) {}

  /** Takes what an item says of itself, at its beginning or its end. */
  describe(item: Fields): void {
    const { call_id, id, name, phase, encrypted_content, arguments: said } = item;
    if (this.kind === "function_call") this.#said ??= said;
    if (this.kind === "message") this.#phase ??= phase;
    if (this.kind === "reasoning") {
      this.#reasoningId = id ?? this.#reasoningId;
      this.#encrypted = encrypted_content ?? this.#encrypted;
    }
    if (this.kind !== "function_call" || this.#isAnnounced) return;
    this.#origin = callOriginData(item) ?? this.#origin;
    this.#givenId = call_id;
    this.#callId = typeof call_id === "string" && call_id !== "" ? call_id : typeof id === "string" ? id : this.#callId;
    if (typeof name === "string" && name !== "") this.#name = name;
    if (this.#name !== "") this.#announce();
  }

  /** Whether a call that begins is not this one, although its place or the id of its item is the same. */
  isOtherCall(callId: unknown): boolean {
    return Boolean(callId && this.#givenId && callId !== this.#givenId);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** A piece of the message. */
  text(piece: unknown): void {
    if (typeof piece !== "string" || piece === "" || this.#hasEnded) return;
    if (this.#text === "" && typeof this.#phase === "string") {
      this.emit({ type: "reasoning-end", providerData: { phase: this.#phase } });
    }
    this.#text += piece;
    this.emit({ type: "text-delta", text: piece });
  }

  /** All text of the message. Its list of parts need not be counted as the events count them (Bedrock: reasoning is part 0). */
  #wholeMessage(text: string): void {
    if (text.startsWith(this.#text)) this.text(text.slice(this.#text.length));
  }

  reasoning(piece: unknown, source: "summary" | "content"): void {
    if (typeof piece !== "string" || piece === "" || this.#hasEnded) return;
    this.#reasoningSource ??= source;
    if (this.#reasoningSource === source) this.emit({ type: "reasoning-delta", text: piece });
  }

  /** Paragraphs of a summary come as parts. */
  nextSummaryPart(): void {
    if (this.#reasoningSource === "summary") this.reasoning("\n\n", "summary");
  }

  argumentsPiece(piece: unknown): void {
    if (typeof piece !== "string" || piece === "" || this.#hasEnded) return;
    this.#input.add(piece);
    if (this.#isAnnounced) this.emit({ type: "tool-call-delta", index: this.order, json: piece });
  }

  /** Adds the arguments that the deltas have left out. */
  wholeArguments(said: unknown): void {
    const text = typeof said === "string" ? said : isObject(said) ? JSON.stringify(said) : "";
    const { text: sofar } = this.#input;
    if (text.length > sofar.length && text.startsWith(sofar)) this.argumentsPiece(text.slice(sofar.length));
  }

  /** The item is whole, as `said`. */
  complete(said: Fields): void {
    if (this.#hasEnded) return;
    const { content, summary } = said;
    if (this.kind === "message") this.#wholeMessage(textOf(content));
    if (this.kind === "reasoning" && this.#reasoningSource === undefined) {
      for (const part of listOf(content)) this.reasoning(part.text, "content");
      for (const part of listOf(summary)) {
        this.nextSummaryPart();
        this.reasoning(part.text, "summary");
      }
    }
    if (this.kind === "function_call") this.wholeArguments(said.arguments);
    this.end(said.status === "incomplete");
  }

  /** After a response that was cut off, a call without any arguments is not one without need of them. */
  end(wasCut: boolean): void {
    if (this.#hasEnded) return;
    if (this.kind === "reasoning") this.#endReasoning();
    if (this.kind === "function_call") {
      if (this.#input.isEmpty && !wasCut) this.wholeArguments(this.#said);
      this.#endCall(wasCut);
    }
    this.#hasEnded = true;
  }

  #endReasoning(): void {
    const kept: Record<string, JsonValue> = {};
    if (typeof this.#encrypted === "string" && this.#encrypted !== "") {
      kept.encrypted = this.#encrypted;
      if (typeof this.#reasoningId === "string") kept.id = this.#reasoningId;
    }
    const hasData = Object.keys(kept).length > 0;
    if (!hasData && this.#reasoningSource === undefined) return;
    this.emit({ type: "reasoning-end", ...(hasData && { providerData: kept }) });
  }

  #announce(): void {
    this.#isAnnounced = true;
    this.#callId = takeCallId(this.#callId, this.order, this.callIds);
    if (this.#origin) this.emit({ type: "reasoning-end", providerData: this.#origin });
    this.emit({ type: "tool-call-start", index: this.order, id: this.#callId, name: this.#name });
    if (!this.#input.isEmpty) this.emit({ type: "tool-call-delta", index: this.order, json: this.#input.text });
  }

  #endCall(wasCut: boolean): void {
    if (!this.#isAnnounced) this.#announce();
    const call = { id: this.#callId, name: this.#name, ...this.#input.read(wasCut), ...callerIn(this.#origin) };
    this.emit({ type: "tool-call-end", index: this.order, call });
  }
}

/** The text of a message's parts; some gateways write all of it as one string. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = listOf(content).map(({ text, refusal }) => text ?? refusal);
  return texts.filter((text) => typeof text === "string").join("");
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
