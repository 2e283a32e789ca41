// The spans of a run's model calls: one for each attempt, from the request to the end of the reply.
import type { Attributes, Context } from "@opentelemetry/api";
import type { MediaPart } from "../../contracts/content.js";
import type { EventOf } from "../../contracts/event.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import { inputMessages, MAX_CONTENT_CHARS, type OutputCall, outputMessages, systemInstructions } from "./content.js";
import {
  CONVERSATION,
  ERROR_TYPE,
  finishReason,
  INPUT_MESSAGES,
  OPERATION,
  OUTPUT_MESSAGES,
  PROVIDER,
  providerName,
  REQUEST_MODEL,
  RESPONSE_FINISH_REASONS,
  RESPONSE_ID,
  RESPONSE_MODEL,
  SYSTEM_INSTRUCTIONS,
  TIME_TO_FIRST_CHUNK,
  usageAttributes,
} from "./conventions.js";
import { type OpenSpan, openSpan, secondsSince, type TraceSetup } from "./open-span.js";
import { SpanKind, SpanStatusCode } from "./otel-api.js";

interface Attempt extends OpenSpan {
  /** The wait before the request is sent. Unit: milliseconds. */
  readonly delayMs: number;
  text: string;
  readonly media: MediaPart[];
  readonly calls: OutputCall[];
  /** The request is on the span, where content is written down. */
  hasRequest: boolean;
  /** The model has begun to reply. */
  hasBegun: boolean;
}

/** The model calls of one run, one after the other. */
export class ModelTrace {
  #attempt: Attempt | null = null;
  /** With content: the reply whose calls are being announced. */
  #replied: { readonly attempt: Attempt; readonly reason: string; readonly endedAt: number } | null = null;

  constructor(
    private readonly setup: TraceSetup,
    /** The parent of the spans. */
    private readonly parent: Context,
    private readonly sessionId: string,
  ) {}

  get isOpen(): boolean {
    return this.#attempt !== null;
  }

  /** The context of the provider's code: inside the attempt under way. */
  get context(): Context {
    return this.#attempt?.context ?? this.parent;
  }

  start({ provider, model }: Pick<EventOf<"model-call-start">, "provider" | "model">, delayMs = 0): void {
    this.endReply();
    // The one before has failed without a word, as when the request was too long and is sent again.
    this.fail({ [ERROR_TYPE]: "_OTHER" });
    const open = openSpan(this.setup, {
      name: `chat ${model}`,
      kind: SpanKind.CLIENT,
      parent: this.parent,
      attributes: { [OPERATION]: "chat", [PROVIDER]: providerName(provider), [REQUEST_MODEL]: model },
      more: { [CONVERSATION]: this.sessionId, "gen_ai.request.stream": true },
    });
    this.#attempt = { ...open, delayMs, text: "", media: [], calls: [], hasRequest: false, hasBegun: false };
  }

  /** With content: what the model is sent. Later calls for the same attempt do nothing. */
  request({ system, messages }: ProviderRequest): void {
    const attempt = this.#attempt;
    if (!attempt || attempt.hasRequest) return;
    attempt.hasRequest = true;
    const { json, omitted } = inputMessages(messages);
    attempt.span.setAttributes({
      ...(system.length > 0 && { [SYSTEM_INSTRUCTIONS]: systemInstructions(system) }),
      [INPUT_MESSAGES]: json,
      ...(omitted > 0 && { "loopwright.input.omitted_messages": omitted }),
    });
  }

  /** The model has sent a piece of its reply; the first one is timed. */
  chunk(): void {
    const attempt = this.#attempt;
    if (!attempt || attempt.hasBegun) return;
    attempt.hasBegun = true;
    const seconds = Math.max(0, secondsSince(attempt.startedAt + attempt.delayMs));
    attempt.span.setAttribute(TIME_TO_FIRST_CHUNK, seconds);
    this.setup.metrics.firstChunk(attempt.attributes, seconds);
  }

  /** An attempt failed; the next one is a span of its own. */
  restart({ attempt, delayMs, error }: EventOf<"model-restart">): void {
    const { [PROVIDER]: provider, [REQUEST_MODEL]: model } = this.#attempt?.attributes ?? {};
    this.fail({ [ERROR_TYPE]: error.code });
    if (typeof provider !== "string" || typeof model !== "string") return;
    this.start({ provider, model }, delayMs);
    this.#attempt?.span.setAttribute("loopwright.retry", attempt);
  }

  end({ finishReason: reason, usage, costUsd, response = {} }: EventOf<"model-call-end">): void {
    const attempt = this.#attempt;
    if (!attempt) return;
    attempt.span.setAttributes({
      ...usageAttributes(usage),
      [RESPONSE_FINISH_REASONS]: [finishReason(reason)],
      [RESPONSE_MODEL]: response.model ?? attempt.attributes[REQUEST_MODEL],
      ...(response.id !== undefined && { [RESPONSE_ID]: response.id }),
      ...(costUsd !== null && { "loopwright.cost_usd": costUsd }),
    });
    this.setup.metrics.modelCall(attempt.attributes, secondsSince(attempt.startedAt), usage, costUsd);
    this.#attempt = null;
    if (!this.setup.content) attempt.span.end();
    else this.#replied = { attempt, reason: finishReason(reason), endedAt: Date.now() };
  }

  /** With content: text of the reply under way. */
  addText(text: string): void {
    if (this.#attempt && this.#attempt.text.length < MAX_CONTENT_CHARS) this.#attempt.text += text;
  }

  /** With content: an image or a file of the reply under way. */
  addMedia(part: MediaPart): void {
    this.#attempt?.media.push(part);
  }

  /** With content: a call of the reply. */
  addCall(call: OutputCall): void {
    (this.#attempt ?? this.#replied?.attempt)?.calls.push(call);
  }

  /** Ends the span of a reply once all of its calls are known. */
  endReply(): void {
    if (!this.#replied) return;
    const { attempt, reason, endedAt } = this.#replied;
    this.#replied = null;
    attempt.span.setAttribute(OUTPUT_MESSAGES, outputMessages(attempt, reason));
    attempt.span.end(endedAt);
  }

  /** Ends an attempt that failed or was cut off, if one is under way. */
  fail(attributes: Attributes): void {
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#attempt = null;
    attempt.span.setAttributes(attributes);
    attempt.span.setStatus({ code: SpanStatusCode.ERROR });
    const seconds = secondsSince(attempt.startedAt);
    this.setup.metrics.modelCall({ ...attempt.attributes, ...attributes }, seconds, undefined, null);
    attempt.span.end();
  }
}
