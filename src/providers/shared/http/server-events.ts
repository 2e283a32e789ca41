// Reads a response as a stream of server-sent events whose data is JSON, the way servers really send them: any mix of
// line ends, no blank line after the last event, errors under an event name of their own, one JSON
// document instead of a stream.

import { ProviderError } from "../../../contracts/errors.js";
import { parseJson } from "../../../json/parse-json.js";
import { isPage, readableText } from "../failures/readable-text.js";
import type { Scrub } from "../failures/secrets.js";
import { LineSplitter } from "./line-splitter.js";
import { StrayLines } from "./stray-lines.js";
import type { ByteReader, ResponseBody } from "./transport.js";
import { Utf8Pieces } from "./utf8-pieces.js";

/** Longest event, and longest answer that is not a stream: an image is whole, and held in memory. Unit: characters. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/** The longest wait for the end of a response after its `[DONE]`; then the connection can be used again. Unit: milliseconds. */
const CLOSE_GRACE_MS = 100;

const SPACE = 0x20;

/** The names that a failure needs. */
export interface EventsOwner {
  /** The adapter's `id`. */
  readonly provider: string;
  readonly scrub: Scrub;
}

/**
 * The data of a response's events, parsed; everything that one packet completes comes as one step, which is empty for a
 * comment or a part of an event. The data of an event named `error` comes as `{ error }`. Ends at `[DONE]` or with the response; a cut-off event is dropped.
 * Cost: linear in what arrives, however it is split. Closing it, or aborting the request, closes the connection.
 *
 * @throws ProviderError `STREAM_BROKEN` for what is not JSON, `RESPONSE_TOO_LARGE` for an event that does not end
 */
export class ServerEvents implements AsyncIterableIterator<readonly unknown[], undefined> {
  readonly #reader: ByteReader | undefined;
  readonly #text = new Utf8Pieces();
  #batch: unknown[] = [];
  /** Thrown when what came before it has been taken. */
  #fault: unknown;
  #isDone = false;
  #isOver = false;

  readonly #lines = new LineSplitter();
  /** The answer in pieces, when it is not a stream. */
  readonly #document: string[] = [];
  /** The length of the document or event under way. */
  #heldChars = 0;
  #kind: "unknown" | "stream" | "document" = "unknown";
  /** The data of the event under way, which is one line nearly always; `undefined` before it. */
  #data: string | undefined;
  #dataChars = 0;
  #event = "";
  #hasEvents = false;
  /** The lines that are not a part of an event stream, for the message when no other comes. */
  readonly #stray = new StrayLines();

  constructor(
    private readonly response: ResponseBody,
    private readonly owner: EventsOwner,
  ) {
    this.#reader = response.body?.getReader();
  }

  /** Whether the server has said `[DONE]`, or all it had to say was one document. */
  get hasSeenEnd(): boolean {
    return this.#isDone;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly unknown[], undefined>> {
    if (this.#isDone && !this.#isOver) await this.#drain();
    if (this.#fault === undefined && !this.#isOver) await this.#readPacket();
    if (this.#batch.length === 0) {
      if (this.#fault !== undefined) throw this.#close();
      if (this.#isOver) return { value: undefined, done: true };
    }
    const value = this.#batch;
    this.#batch = [];
    return { value, done: false };
  }

  async return(): Promise<IteratorResult<readonly unknown[], undefined>> {
    this.#isOver = true;
    await this.#reader?.cancel();
    return { value: undefined, done: true };
  }

  async #readPacket(): Promise<void> {
    if (!this.#reader) return this.#readText();
    const packet = await this.#reader.read();
    try {
      if (packet.value) this.#take(this.#text.decode(packet.value));
      else this.#finish();
    } catch (fault) {
      this.#fault = fault;
    }
  }

  async #readText(): Promise<void> {
    const text = (await this.response.text?.()) ?? "";
    try {
      this.#take(text);
      this.#finish();
    } catch (fault) {
      this.#fault = fault;
    }
  }

  #close(): unknown {
    const fault = this.#fault;
    this.#fault = undefined;
    this.#isOver = true;
    this.#reader?.cancel().catch(() => {});
    return fault;
  }

  /** Reads the response to its end, which follows at once unless the server does not close it. */
  async #drain(): Promise<void> {
    this.#isOver = true;
    const timer = setTimeout(() => void this.#reader?.cancel().catch(() => {}), CLOSE_GRACE_MS);
    try {
      while (!(await this.#reader?.read())?.done);
    } catch {
      // The answer is whole; the end of its connection changes nothing.
    } finally {
      clearTimeout(timer);
    }
  }

  #take(text: string): void {
    if (this.#kind === "unknown") {
      const begun = text.trimStart();
      if (begun === "") return;
      this.#kind = /^[{[<]/.test(begun) ? "document" : "stream";
      this.#take(begun);
    } else if (this.#kind === "document") {
      this.#hold(text.length);
      this.#document.push(text);
    } else {
      this.#lines.push(text, this.#onLine);
      this.#hold(0);
    }
  }

  /** @throws ProviderError `RESPONSE_TOO_LARGE` */
  #hold(chars: number): void {
    this.#heldChars += chars;
    if (this.#heldChars + this.#lines.heldChars <= MAX_EVENT_CHARS) return;
    throw new ProviderError("RESPONSE_TOO_LARGE", {
      message: `Provider "${this.owner.provider}" sent an event of more than ${MAX_EVENT_CHARS} characters; the response was closed.`,
    });
  }

  readonly #onLine = (line: string): boolean => {
    this.#takeLine(line);
    return !this.#isDone;
  };

  #takeLine(line: string): void {
    if (line === "") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return; // A comment.
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
    if (field === "data") this.#addData(value);
    else if (field === "event") this.#event = value;
    else if (field === "error") {
      this.#event = "error"; // llama.cpp names the field, not the event.
      this.#addData(value);
    } else if (field !== "id" && field !== "retry") this.#takeStray(line);
  }

  #takeStray(line: string): void {
    const document = this.#stray.take(line);
    if (document === undefined) return;
    if (this.#data !== undefined) this.#dispatch();
    this.#hasEvents = true;
    this.#add(document);
  }

  #addData(value: string): void {
    if (isEnd(value)) this.#dispatch();
    this.#hold(value.length);
    this.#hasEvents = true;
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    this.#dataChars += value.length;
    if (isEnd(value)) this.#dispatch();
  }

  #dispatch(isCut = false): void {
    const data = this.#data ?? "";
    const event = this.#event;
    this.#heldChars -= this.#dataChars;
    this.#data = undefined;
    this.#dataChars = 0;
    this.#event = "";
    if (data.trim() === "") return;
    if (isEnd(data)) {
      this.#isDone = true;
      return;
    }
    const value = parseJson(data);
    if (event === "error") this.#add(asError(value ?? data));
    else if (value !== undefined) this.#add(value);
    else if (!isCut && (event === "" || event === "message" || data.includes("{"))) {
      const remedy = "If it does so again, check what stands between it and this program";
      throw this.#broken(`sent something in its stream that is not JSON. ${remedy}`);
    }
  }

  /** The response has ended: a whole event counts although no blank line follows it. */
  #finish(): void {
    this.#isOver = true;
    if (this.#kind === "document") this.#readDocument(this.#document.join(""));
    else {
      const rest = this.#lines.rest();
      if (rest !== "") this.#takeLine(rest);
      this.#dispatch(true);
      if (!this.#hasEvents && this.#stray.first !== "") throw this.#noStream(this.#stray.first);
    }
  }

  #readDocument(text: string): void {
    if (isPage(text)) throw this.#noStream(text);
    const value = parseJson(text);
    if (value === undefined) throw this.#broken("sent an answer that is neither a stream nor JSON. Check baseURL");
    this.#isDone = true;
    this.#add(value);
  }

  /** Google wraps its errors into an array. */
  #add(value: unknown): void {
    if (!Array.isArray(value)) this.#batch.push(value);
    else for (const item of value.flat()) this.#batch.push(item);
  }

  #noStream(text: string): ProviderError {
    const said = readableText(text, this.owner.scrub);
    const shown = isPage(text) ? said : `"${said}"`;
    return this.#broken(`answered with ${shown} instead of a stream of events. Check baseURL`);
  }

  #broken(what: string): ProviderError {
    return new ProviderError("STREAM_BROKEN", {
      message: `Provider "${this.owner.provider}" ${what}.`,
      retryable: true,
    });
  }
}

function isEnd(data: string): boolean {
  return data.startsWith("[DONE]");
}

function asError(said: unknown): unknown {
  return typeof said === "object" && said !== null && "error" in said ? said : { error: said };
}
