import type { ProviderEvent } from "../../../contracts/provider.js";
import { MAX_KEPT_CHARS } from "../failures/too-many.js";
import { PassingReader } from "./passing-reader.js";

/**
 * Around the reader of a response that may give the structured answer as the call of a tool: its arguments come as the text. Words
 * beside such a call are not the answer, and come as reasoning. Whether words are, only what follows them tells: a call, or the end.
 * They are held back until then.
 */
export class AnswerReader extends PassingReader {
  /** The tool that answers. Set before the response is read. Absent: none does. */
  outputTool: string | undefined;
  #held: ProviderEvent[] = [];
  #heldChars = 0;
  /** The indices of the calls that answer: the first one counts. */
  readonly #answers: number[] = [];
  #isEmpty = true;
  #hasCalls = false;

  protected take(event: ProviderEvent): void {
    if (this.outputTool === undefined) this.events.push(event);
    else if ("index" in event) this.#takeCall(event);
    else if (event.type === "message-end") {
      this.#release();
      const isAnswer = event.finishReason === "tool-calls" && !this.#hasCalls;
      this.events.push(isAnswer ? { ...event, finishReason: "stop" } : event);
    } else if (event.type === "text-delta" || this.#held.length > 0) this.#hold(event);
    else this.events.push(event);
  }

  #takeCall(event: Extract<ProviderEvent, { readonly index: number }>): void {
    if (event.type === "tool-call-start" && event.name === this.outputTool) this.#answers.push(event.index);
    const order = this.#answers.indexOf(event.index);
    this.#release();
    if (order === 0) this.#answer(event);
    else if (order === -1) {
      this.#hasCalls = true;
      this.events.push(event);
    }
  }

  #answer(event: Extract<ProviderEvent, { readonly index: number }>): void {
    let text = "";
    if (event.type === "tool-call-delta") text = event.json;
    else if (event.type === "tool-call-end" && this.#isEmpty)
      text = event.call.malformed ?? JSON.stringify(event.call.arguments);
    if (text === "") return;
    this.#isEmpty = false;
    this.events.push({ type: "text-delta", text });
  }

  #hold(event: ProviderEvent): void {
    this.#held.push(event);
    this.#heldChars += JSON.stringify(event).length;
    if (this.#heldChars > MAX_KEPT_CHARS) this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    this.#heldChars = 0;
    for (const [at, event] of held.entries()) {
      if (event.type !== "text-delta" || this.#answers.length === 0) this.events.push(event);
      else {
        this.events.push({ type: "reasoning-delta", text: event.text });
        if (held[at + 1]?.type !== "text-delta") this.events.push({ type: "reasoning-end" });
      }
    }
  }
}
