// The lines of a view's messages. Idea: a message is split and its words are counted once, for as long as
// it is in the view, and a line that returns (in a log, in a placeholder, in notes) is examined once, so that each
// compaction costs what is new and not what is old.

import type { View } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { textOfOutput } from "../engine/transcript/message-shape.js";
import { quotedIn } from "./message-text.js";
import { Line, linesOf } from "./notes/salient-lines.js";
import { WordFrequency } from "./notes/word-frequency.js";

type Part = Message["content"][number];

/** Of a note of many lines, the beginning is weighed. Unit: characters. */
const WEIGHED_CHARS = 400;

export class ViewLines {
  /** Of the whole view, as it was at the last update. */
  readonly frequency = new WordFrequency();
  /** How calls of the view look. */
  describe: View["describe"];
  #inView = new Map<Part, readonly Line[]>();
  readonly #drafted = new WeakMap<Part, readonly Line[]>();
  /** Lines by their text: of the view and of what was noted since the last update. */
  #known = new Map<string, Line>();

  /** Takes in what is new in a view, and forgets what has left it. */
  update(messages: readonly Message[], describe?: View["describe"]): this {
    this.describe = describe;
    const inView = new Map<Part, readonly Line[]>();
    const known = new Map<string, Line>();
    for (const { content } of messages) {
      for (const part of content) {
        const earlier = this.#inView.get(part);
        const lines = earlier ?? this.of(part);
        inView.set(part, lines);
        // The transcript keeps every message: what is kept beside it has to go with the view.
        this.#drafted.delete(part);
        for (const line of lines) {
          known.set(line.text, line);
          if (!earlier) this.frequency.add(line);
        }
      }
    }
    for (const [part, lines] of this.#inView) {
      if (!inView.has(part)) for (const line of lines) this.frequency.remove(line);
    }
    this.#inView = inView;
    this.#known = known;
    return this;
  }

  /** The lines of one part of a message: of a tool's result without its page furniture, of a call or an image none. */
  of(part: Part): readonly Line[] {
    let lines = this.#inView.get(part) ?? this.#drafted.get(part);
    if (!lines) {
      lines = this.#read(part);
      this.#drafted.set(part, lines);
    }
    return lines;
  }

  /** The lines of a whole message. */
  ofMessage({ content }: Message): readonly Line[] {
    return content.length === 1 ? this.of(content[0]!) : content.flatMap((part) => this.of(part));
  }

  /** The surprise in a note. Of a long one the beginning is weighed. */
  weightOfNote(text: string): number {
    return this.#line(text.slice(0, WEIGHED_CHARS)).weightIn(this.frequency);
  }

  #read(part: Part): readonly Line[] {
    if (part.type === "text") return linesOf(part.text).map((line) => this.#line(line));
    if (part.type !== "tool-result") return NO_LINES;
    const lines = linesOf(quotedIn(textOfOutput(part.output))).map((line) => this.#line(line));
    return lines.filter((line) => !line.isPageFurniture);
  }

  #line(text: string): Line {
    let line = this.#known.get(text);
    if (!line) {
      line = new Line(text);
      this.#known.set(text, line);
    }
    return line;
  }
}

const NO_LINES: readonly Line[] = [];
