// Serves: Google, which writes a failure behind the events as a document, in one line or in many.
import { parseJson } from "../../../json/parse-json.js";

/** Longest line that is shown. Unit: characters. */
const MAX_SHOWN_CHARS = 200;

/** Longest document that is looked for among the lines: a failure, not an answer. Unit: characters. */
const MAX_DOCUMENT_CHARS = 64 * 1024;

/**
 * Lines of an event stream that are no fields of it: plain text, or a whole JSON document, as servers send their failures
 * behind what they have streamed.
 */
export class StrayLines {
  #first = "";
  #document = "";

  /** The first of them, cut to what can be shown; `""` before one has come. */
  get first(): string {
    return this.#first;
  }

  /** Takes the next one. Returns the document that it completes. */
  take(line: string): unknown {
    this.#first ||= line.slice(0, MAX_SHOWN_CHARS);
    const isBegun = this.#document !== "";
    if (!isBegun && !/^[{[]/.test(line)) return undefined;
    this.#document += `${line}\n`;
    if (this.#document.length > MAX_DOCUMENT_CHARS) this.#document = "";
    // One that is written over several lines ends in a line of its own.
    if (isBegun && !/^[}\]]/.test(line)) return undefined;
    const value = parseJson(this.#document);
    if (value !== undefined) this.#document = "";
    return value;
  }
}
