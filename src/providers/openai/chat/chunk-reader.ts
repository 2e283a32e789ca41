import type { ProviderEvent } from "../../../contracts/provider.js";
import type { Usage } from "../../../contracts/usage.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { MAX_PARTS, tooMany } from "../../shared/failures/too-many.js";
import type { EventReader } from "../../shared/http/response-stream.js";
import { messageStart } from "../../shared/message-start.js";
import { begunAgain, ResponseIdentity } from "../../shared/response-identity.js";
import type { OpenAICompat } from "../options.js";
import { modelTotalIn, readUsage } from "../usage.js";
import { errorInChunk } from "./chunk-error.js";
import { failedFinish, finishReasonOf, isFailure } from "./finish-reason.js";
import { isReasoningPart, reasoningFieldOf, reasoningInPart, textIn } from "./reasoning-places.js";
import { ReceivedImages } from "./received-images.js";
import { RepeatedText } from "./repeated-text.js";
import { RoundTripCollector } from "./round-trip-data.js";
import { SpokenAudio } from "./spoken-audio.js";
import { ThinkTags } from "./think-tags.js";
import { hasCalls, ToolCallAssembly } from "./tool-calls.js";

/** Turns the chunks of one response into events, appended to `events`. Unknown fields and shapes are skipped. */
export class ChunkReader implements EventReader {
  readonly events: ProviderEvent[] = [];
  readonly #roundTrip = new RoundTripCollector();
  readonly #calls: ToolCallAssembly;
  #images: ReceivedImages | undefined;
  #audio: SpokenAudio | undefined;
  #tags: ThinkTags | undefined;
  #started = false;
  #hasChoices = false;
  /** Whether the answer comes in deltas or as messages, once it has come: a last message may repeat all deltas. */
  #cameIn: "delta" | "message" | undefined;
  #finishReason = "";
  #usage: Usage | undefined;
  #modelTotal: unknown;
  #cached: unknown;
  /** The number of chunks with usage, and whether the last one had it. */
  #usages = 0;
  #endsWithUsage = false;
  readonly #identity = new ResponseIdentity();
  /** Whether what comes is another message, behind the end of this one. */
  #isOver = false;
  readonly #saidText: RepeatedText | undefined;
  readonly #saidReasoning: RepeatedText | undefined;
  #hasReasoningField = false;
  #hasText = false;
  /** Content that Google has marked as thought. */
  #marked = "";
  /** The field that reasoning comes in, while it comes. */
  #reasoningField: string | undefined;

  constructor(
    private readonly provider: string,
    /** The tools of the request; asked for when a call comes. */
    toolNames: () => ReadonlySet<string>,
    { thinkTags = false, cumulativeText = false }: Pick<OpenAICompat, "thinkTags" | "cumulativeText"> = {},
  ) {
    if (thinkTags) this.#tags = this.#createTags();
    if (cumulativeText) [this.#saidText, this.#saidReasoning] = [new RepeatedText(), new RepeatedText()];
    const emit = (event: ProviderEvent) => this.events.push(event);
    this.#calls = new ToolCallAssembly(toolNames, this.#roundTrip, emit, cumulativeText);
  }

  /** Whether anything came that is a chunk of an answer. */
  get hasStarted(): boolean {
    return this.#hasChoices;
  }

  /** Whether the model has ended; only usage may follow. */
  get hasFinished(): boolean {
    return this.#finishReason !== "";
  }

  /** Some servers give no reason why the model ended. Usage that comes with every chunk does not say that it has. */
  get mayEnd(): boolean {
    return this.#usages === 1 && this.#endsWithUsage;
  }

  /** The error in a chunk. Some servers also call a model's reached limit an error (MiniMax behind OpenRouter). */
  errorIn(chunk: unknown): unknown {
    const error = errorInChunk(chunk);
    return error !== undefined && finishReasonOf(this.#finishReason, false) === "length" ? undefined : error;
  }

  /** @throws ProviderError `SERVER` when the server says that it failed, `RESPONSE_TOO_LARGE` for calls without end */
  read(chunk: unknown): void {
    if (!isObject(chunk)) return;
    const { id, choices, usage, x_groq, timings } = chunk;
    // Azure's first chunk is about the prompt alone: what names the answer follows.
    if (!this.#started && (id || !(Array.isArray(choices) && choices.length === 0))) this.#start(chunk);
    this.#endsWithUsage = false;
    if (isObject(timings)) this.#cached = timings.cache_n; // llama.cpp
    if (Array.isArray(choices)) for (const choice of choices) this.#readChoice(choice, id);
    this.#readUsage(usage ?? (isObject(x_groq) ? x_groq.usage : undefined));
    if (this.#endsWithUsage) this.#usages++;
  }

  /** Ends the message. To be called once, after `hasFinished`. */
  finish(): void {
    this.#endText();
    const finishReason = finishReasonOf(this.#finishReason || "stop", this.#calls.count > 0);
    this.#endReasoning();
    // Content that is nothing but thought is the answer: Gemini previews mark all of it.
    if (finishReason === "stop" && !this.#hasText) this.#plainText(this.#marked);
    this.#calls.finish(this.#finishReason === "" || finishReason !== "tool-calls");
    const sound = this.#audio?.part;
    if (sound) this.events.push({ type: "media", part: sound });
    const providerData = this.#roundTrip.all;
    if (providerData) this.events.push({ type: "reasoning-end", providerData });
    this.events.push({ type: "message-end", finishReason, ...(this.#usage && { usage: this.#usage }) });
  }

  /** Reasoning between tags does not go back: models are not to see their own again. */
  #createTags(): ThinkTags {
    return new ThinkTags({
      text: (piece) => this.#plainText(piece),
      reasoning: (piece) => this.#reason(piece, "tags"),
    });
  }

  #start({ id, model }: Fields): void {
    this.#started = true;
    this.events.push(messageStart(id, model));
  }

  #readChoice(choice: unknown, id: unknown): void {
    if (!isObject(choice)) return;
    // Only one answer is asked for; of a server that sends several, the first is read.
    if (typeof choice.index === "number" && choice.index !== 0) {
      this.#readCallsOf(choice.message);
      return;
    }
    const { delta, message, finish_reason, native_finish_reason, usage } = choice;
    if (this.#isOfAnother(id, delta)) return;
    this.#hasChoices = true;
    // A delta that says nothing may stand beside the message.
    const hasDelta = isObject(delta) && this.#readSaid(delta, "delta");
    if (!hasDelta && isObject(message)) this.#readSaid(message, "message");
    this.#readUsage(usage);
    if (typeof finish_reason === "string" && finish_reason !== "" && finish_reason !== "null") {
      this.#end(finish_reason, native_finish_reason);
    }
  }

  /** Copilot sends text and calls as choices of their own: the first ends with calls, and has none. */
  #readCallsOf(message: unknown): void {
    const isSplit = this.#calls.count === 0 && finishReasonOf(this.#finishReason, false) === "tool-calls";
    if (isSplit && isObject(message) && hasCalls(message.tool_calls)) this.#readCalls(message.tool_calls);
  }

  #readUsage(said: unknown): void {
    const usage = said ? readUsage(said, { total: this.#modelTotal, cached: this.#cached }) : undefined;
    if (!usage) return;
    this.#usage = usage;
    this.#endsWithUsage = true;
  }

  /** A message that names its role under another id is not taken behind the end, and breaks the stream before it. */
  #isOfAnother(id: unknown, delta: unknown): boolean {
    const isOther = this.#identity.isOther(id) && isObject(delta) && typeof delta.role === "string";
    if (isOther && !this.hasFinished) throw begunAgain(this.provider);
    this.#isOver ||= isOther;
    return this.#isOver;
  }

  /** Whether there was anything in it. */
  #readSaid(said: Fields, kind: "delta" | "message"): boolean {
    if (this.#cameIn !== undefined && this.#cameIn !== kind) return false;
    const events = this.events.length;
    const calls = this.#calls.count;
    this.#readDelta(said);
    const hasCome = this.events.length > events || this.#calls.count > calls;
    if (hasCome || this.#calls.count > 0) this.#cameIn = kind;
    return hasCome;
  }

  #readDelta(delta: Fields): void {
    this.#modelTotal ??= modelTotalIn(delta.provider_metadata);
    // Some servers send the same text under both names.
    const field = reasoningFieldOf(delta);
    if (field) this.#reason(this.#saidReasoning?.take(textIn(delta[field])) ?? textIn(delta[field]), field);
    this.#hasReasoningField ||= field !== undefined;
    this.#roundTrip.addDetails(delta.reasoning_details);
    this.#roundTrip.addOpaque(delta.reasoning_opaque);
    this.#readRepeated(delta.reasoning_details, "reasoning_details");
    this.#readRepeated(delta.thinking_blocks, "thinking_blocks");
    if (typeof delta.content === "string") this.#readContent(delta.content, delta.extra_content);
    else if (delta.content) for (const part of [delta.content].flat()) this.#readPart(part);
    if (typeof delta.refusal === "string") this.#text(delta.refusal);
    const { audio, images, tool_calls, function_call } = delta;
    if (isObject(audio)) this.#readAudio(audio);
    if (Array.isArray(images)) for (const image of images) this.#readImage(image, "images");
    const earlier = { index: 0, function: function_call }; // Before there were tools.
    if (hasCalls(tool_calls)) this.#readCalls(tool_calls);
    else if (isObject(function_call) && hasCalls(earlier)) this.#readCalls(earlier);
  }

  /** Google marks its model's thoughts, and most often puts them between tags as well. */
  #readContent(content: string, extra: unknown): void {
    const isThought = isObject(extra) && isObject(extra.google) && extra.google.thought === true;
    if (isThought && content.trimStart().startsWith("<thought>")) {
      this.#tags?.finish();
      this.#tags = this.#createTags();
    } else if (isThought && !this.#tags?.isThinking) {
      this.#marked += content;
      this.#reason(content, "tags");
      return;
    }
    this.#text(content);
  }

  /** These repeat the reasoning that comes in a field; where none does, their text is the reasoning. */
  #readRepeated(said: unknown, field: string): void {
    if (!said || this.#hasReasoningField || !Array.isArray(said)) return;
    for (const item of said) {
      const text = reasoningInPart(item);
      if (text !== "") this.#reason(text, field);
    }
  }

  #readCalls(deltas: unknown): void {
    this.#endText();
    this.#endReasoning();
    this.#calls.read(deltas);
    if (this.#calls.count > MAX_PARTS) throw tooMany(this.provider, "tool calls");
  }

  #readPart(part: unknown): void {
    if (typeof part === "string") this.#text(part);
    if (!isObject(part)) return;
    if (isReasoningPart(part)) {
      const text = reasoningInPart(part);
      // Thinking that came as a part of this kind goes back as one.
      if (text !== "") this.#reason(text, part.type === "thinking" ? "content" : "part");
    } else if (typeof part.text === "string") this.#text(part.text);
    else if (part.image_url) this.#readImage(part, undefined);
  }

  /** OpenRouter sends images in a field of their own, other gateways as parts of the content. */
  #readImage(image: unknown, field: "images" | undefined): void {
    this.#images ??= new ReceivedImages();
    const event = this.#images.take(image);
    if (event?.type === "text-delta") this.#text(event.text);
    if (event?.type !== "media") return;
    this.#endText();
    this.#endReasoning();
    this.events.push({ type: "media", part: { ...event.part, ...(field && { providerData: { field } }) } });
  }

  /** Speech comes in words, too. */
  #readAudio({ transcript, data }: Fields): void {
    if (typeof transcript === "string") this.#text(transcript);
    this.#audio ??= new SpokenAudio();
    this.#audio.add(data);
  }

  #text(text: string): void {
    if (text !== "") this.#pass(this.#saidText?.take(text) ?? text);
  }

  #pass(text: string): void {
    if (text === "") return;
    if (this.#tags) this.#tags.push(text);
    else this.#plainText(text);
  }

  #endText(): void {
    this.#pass(this.#saidText?.finish() ?? "");
    this.#tags?.finish();
  }

  #plainText(text: string): void {
    if (text === "") return;
    this.#hasText = true;
    this.#endReasoning();
    this.events.push({ type: "text-delta", text });
  }

  #reason(text: string, field: string): void {
    if (text === "") return;
    this.#reasoningField = field;
    this.events.push({ type: "reasoning-delta", text });
  }

  /** The field is kept with the reasoning, so that it can go back the way it came. */
  #endReasoning(): void {
    const field = this.#reasoningField;
    if (field === undefined) return;
    this.#reason(this.#saidReasoning?.finish() ?? "", field);
    this.#reasoningField = undefined;
    this.events.push({ type: "reasoning-end", providerData: { field } });
  }

  /** Gateways word every reason in one way; `native` is what the model's own server said. */
  #end(reason: string, native: unknown): void {
    const failure = [native, reason].find((said) => typeof said === "string" && isFailure(said)) as string | undefined;
    if (failure === undefined) this.#finishReason = reason;
    else throw failedFinish(this.provider, failure);
  }
}
