// Turns the responses of one stream into events. A part is whole when it comes; text goes on in the next response.

import type { ProviderError } from "../../contracts/errors.js";
import type { JsonObject } from "../../contracts/json.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { isBareFailure } from "../shared/failures/bare-failure.js";
import { MAX_KEPT_CHARS, MAX_PARTS, tooMany } from "../shared/failures/too-many.js";
import { messageStart } from "../shared/message-start.js";
import { eventOfUrl, receivedMedia } from "../shared/received-media.js";
import { begunAgain, ResponseIdentity } from "../shared/response-identity.js";
import { takeCallId } from "../shared/take-call-id.js";
import { type ReadInput, wholeArguments } from "../shared/tool-input.js";
import { MADE_ID_PREFIX } from "./contents.js";
import { failureOfFinish, failureOfPrompt, finishReasonOfCandidate } from "./finish-reason.js";
import { PartialArguments } from "./partial-arguments.js";
import { type KeptSignature, keptSignatureData, mediaSignatureData } from "./signatures.js";
import { GoogleUsage } from "./usage-metadata.js";

/** A call whose arguments come in pieces. */
interface OpenCall {
  readonly id: unknown;
  readonly name: string;
  readonly arguments: PartialArguments;
}

/** Reads one response. */
export class GoogleReader {
  readonly events: ProviderEvent[] = [];
  readonly #usage = new GoogleUsage();
  readonly #identity = new ResponseIdentity();
  readonly #ids = new Set<string>();
  /** The calls so far, as they were written. */
  readonly #written = new Set<string>();
  #calls = 0;
  #open: OpenCall | undefined;
  #isReasoning = false;
  #finishReason = "";
  /** Whether the last part was work of the server's own. */
  #isServerAtWork = false;
  #hasBegun = false;
  #hasStarted = false;
  /** Nothing counts behind the end when another response begins there. */
  #isClosed = false;

  constructor(
    private readonly provider: string,
    /** `id/model` of the adapter: whose signatures these are. */
    private readonly owner: string,
    /** The tool behind a name on the wire. */
    private readonly toolNameOf: (wireName: string) => string,
  ) {}

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** A response that ends in work of the server's own goes on: it says `STOP` after each piece of code, and runs it. */
  get hasFinished(): boolean {
    return this.#finishReason !== "" && !this.#isServerAtWork;
  }

  /** The model may have nothing to say to what the server has found. */
  get mayEnd(): boolean {
    return this.#finishReason !== "";
  }

  errorIn(data: unknown): unknown {
    if (!isObject(data)) return undefined;
    return data.error || (isBareFailure(data) ? data : undefined);
  }

  /**
   * @throws ProviderError `CONTENT_FILTERED` for a blocked prompt, `SERVER` for a call that could not be read,
   * `STREAM_BROKEN` for a response that begins again
   */
  read(data: unknown): void {
    if (!isObject(data)) return;
    const response = isObject(data.response) ? data.response : data; // Some gateways wrap it.
    this.#isClosed ||= this.#identity.isOther(response.responseId);
    if (this.#isClosed && !this.hasFinished) throw begunAgain(this.provider);
    if (this.#isClosed) return;
    this.#begin(response);
    this.#usage.read(response.usageMetadata);
    const { candidates, promptFeedback } = response;
    const candidate = Array.isArray(candidates) ? candidates.find(isFirst) : undefined;
    if (isObject(candidate)) this.#readCandidate(candidate);
    else if (isObject(promptFeedback)) throwIf(failureOfPrompt(this.provider, promptFeedback));
  }

  finish(): void {
    // Only a model that has stopped by itself has written all of its last call.
    this.#endOpenCall(this.#finishReason !== "" && this.#finishReason !== "STOP");
    this.#endReasoning();
    const usage = this.#usage.value;
    const finishReason = finishReasonOfCandidate(this.#finishReason || "STOP", this.#calls > 0);
    this.events.push({ type: "message-end", finishReason, ...(usage && { usage }) });
  }

  #begin({ responseId, modelVersion }: Fields): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.events.push(messageStart(responseId, modelVersion));
  }

  #readCandidate({ content, finishReason, finishMessage }: Fields): void {
    this.#hasStarted = true;
    const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
    for (const part of parts) if (isObject(part)) this.#readPart(part);
    if (typeof finishReason !== "string" || finishReason === "" || finishReason === "FINISH_REASON_UNSPECIFIED") return;
    if (this.#calls === 0) throwIf(failureOfFinish(this.provider, finishReason, finishMessage));
    this.#finishReason = finishReason.toUpperCase();
  }

  #readPart(part: Fields): void {
    const { text, thought, functionCall, inlineData = part.inline_data } = part;
    const signature = signatureOf(part);
    // The model says something to what the server has found: it had not ended.
    if (this.#isServerAtWork && (text || isFilled(functionCall))) this.#finishReason = "";
    this.#isServerAtWork = isServerWork(part);
    // A part holds one thing; gateways write the other fields as well, empty.
    if (isFilled(functionCall)) this.#readCall(functionCall, signature);
    else if (isFilled(inlineData)) {
      // Drafts belong to the thoughts: the final image comes again.
      if (thought !== true) this.#readMedia(inlineData, signature);
    } else if (isFilled(part.fileData) && typeof part.fileData.fileUri === "string") {
      if (thought !== true) this.#readFile(part.fileData.fileUri, part.fileData.mimeType);
    } else if (this.#isServerAtWork) this.#keepPart(part);
    else if (isObject(functionCall) && typeof text !== "string") this.#readCall(functionCall, signature);
    else if (typeof text === "string" || isBare(part)) {
      const said = typeof text === "string" ? text : "";
      if (thought === true) this.#readThought(said, signature);
      else this.#readText(said, signature);
    }
  }

  #readText(text: string, signature: string | undefined): void {
    if (text !== "") {
      this.#endReasoning();
      this.events.push({ type: "text-delta", text });
    }
    if (signature === undefined) return;
    this.#endReasoning();
    this.#keep({ on: "text", thoughtSignature: signature, chars: text.length });
  }

  #readThought(text: string, signature: string | undefined): void {
    if (text !== "") this.events.push({ type: "reasoning-delta", text });
    this.#isReasoning ||= text !== "";
    if (signature === undefined) return;
    this.#isReasoning = false;
    this.#keep({ on: "thought", thoughtSignature: signature });
  }

  #readMedia({ data, mimeType, mime_type }: Fields, signature: string | undefined): void {
    const part = receivedMedia(data, mimeType ?? mime_type);
    if (!part) return;
    this.#endReasoning();
    this.events.push({ type: "media", part: { ...part, ...mediaSignatureData(this.owner, signature) } });
  }

  #readFile(uri: string, type: unknown): void {
    const event = eventOfUrl(uri, type);
    this.#endReasoning();
    if (event) this.events.push(event);
  }

  #readCall(call: Fields, signature: string | undefined): void {
    const { id, name, args, partialArgs, willContinue } = call;
    if (this.#open && typeof name === "string" && name !== "") this.#endOpenCall();
    if (signature !== undefined) {
      this.#endReasoning();
      this.#keep({ on: "call", thoughtSignature: signature });
    }
    if (!this.#open && willContinue !== true && !Array.isArray(partialArgs)) {
      if (name === undefined && args === undefined) return; // The end of a call that has ended already.
      this.#emitCall(id, typeof name === "string" ? name : "", wholeArguments(args));
      return;
    }
    this.#open ??= { id, name: typeof name === "string" ? name : "", arguments: new PartialArguments() };
    this.#open.arguments.add(args);
    if (Array.isArray(partialArgs)) for (const piece of partialArgs) this.#open.arguments.addPiece(piece);
    if (willContinue !== true) this.#endOpenCall();
  }

  #endOpenCall(wasCut = false): void {
    const call = this.#open;
    if (!call) return;
    this.#open = undefined;
    const { value } = call.arguments;
    // Arguments that were cut off are the beginning of an object that does not end.
    const malformed = JSON.stringify(value).slice(0, -1);
    this.#emitCall(call.id, call.name, wasCut ? { arguments: {}, malformed } : { arguments: value });
  }

  #emitCall(said: unknown, wireName: string, read: ReadInput): void {
    const written = read.malformed ?? JSON.stringify(read.arguments);
    // Nothing follows the finish reason by the protocol: what a proxy says twice must not run twice.
    const key = `${String(said)} ${wireName} ${written}`;
    if (this.#finishReason !== "" && this.#written.has(key)) return;
    this.#written.add(key);
    this.#endReasoning();
    if (this.#calls >= MAX_PARTS) throw tooMany(this.provider, "tool calls");
    const index = this.#calls++;
    const id = takeCallId(said, index, this.#ids, MADE_ID_PREFIX);
    const name = this.toolNameOf(wireName);
    this.events.push({ type: "tool-call-start", index, id, name });
    this.events.push({ type: "tool-call-delta", index, json: written });
    this.events.push({ type: "tool-call-end", index, call: { id, name, ...read } });
  }

  #keepPart(part: Fields): void {
    if (JSON.stringify(part).length > MAX_KEPT_CHARS) return;
    this.#endReasoning();
    this.#keep({ on: "part", part: part as JsonObject });
  }

  #keep(kept: KeptSignature): void {
    this.events.push({ type: "reasoning-end", providerData: keptSignatureData(this.owner, kept) });
  }

  #endReasoning(): void {
    if (!this.#isReasoning) return;
    this.#isReasoning = false;
    this.events.push({ type: "reasoning-end" });
  }
}

/** Only one answer is asked for; a server that sends several gets its first one read. */
function isFirst(candidate: unknown): boolean {
  return isObject(candidate) && (candidate.index === undefined || candidate.index === 0);
}

function isServerWork(part: Fields): boolean {
  return [part.executableCode, part.codeExecutionResult, part.toolCall, part.toolResponse].some(isFilled);
}

function isFilled(value: unknown): value is Fields {
  return isObject(value) && Object.values(value).some((field) => field !== null && field !== "");
}

/** Whether a part holds nothing but its signature. */
function isBare(part: Fields): boolean {
  return Object.keys(part).every((name) => name === "thought" || name === "thoughtSignature" || name === "text");
}

function throwIf(error: ProviderError | undefined): void {
  if (error) throw error;
}

function signatureOf({ thoughtSignature, thought_signature }: Fields): string | undefined {
  const signature = thoughtSignature ?? thought_signature;
  return typeof signature === "string" && signature !== "" ? signature : undefined;
}
