// The lines of a view's messages. Idea: a message is split and its words are counted once, for as long as
// it is in the view, and a line that returns (in a log, in a placeholder, in notes) is examined once, so that each
// compaction costs what is new and not what is old.
import type { View } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { textOfOutput } from "../engine/transcript/message-shape.js";
import { Line, linesOf, WordFrequency } from "./notes/salient-lines.js";
import { quotedIn } from "./notes/summary-message.js";
import { countMessage, headTokens, rememberingCounter, type TokenCounter } from "./token-count.js";

type Part = Message["content"][number];

/** The beginning of a note that is weighed. Unit: characters. */
const WEIGHED_CHARS = 400;

export class ViewLines {
  /** The words of the whole view, as it was at the last update. */
  readonly frequency = new WordFrequency();
  /** The looks of the view's calls. */
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

// ── the size of a view, in O(new messages) ───────────────────────────────────────────────────────────────────────────

// The provider's count is exact for the messages it was sent, and only later ones are estimated, on the scale the two have in
// common.

/** A provider that reports less than this share of the estimate is not believed. */
const LEAST_CREDIBLE = 1 / 8;
/** Less than this says nothing about the scale. Unit: estimated tokens. */
const LEAST_TO_SCALE = 500;
/** The bound of the scale: beyond it, something other than words was counted. */
const MAX_RATIO = 4;
/** The most that a provider adds to each request unseen. Reports beyond it and the scale are not believed. Unit: tokens. */
const MAX_HIDDEN = 4_000;

export interface ViewSize {
  /** The tokens of the whole request. */
  readonly tokens: number;
  /** The tokens of system prompt and tools. */
  readonly head: number;
  /** Real tokens for each estimated one. */
  readonly ratio: number;
}

interface Tally {
  /** Tokens of one message, each counted once for as long as it is in the view. */
  count: (message: Message) => number;
  /** The view's lines, read as far as the last compaction needed them. */
  readonly lines: ViewLines;
  counted: number;
  estimated: number;
  ratio: number;
  usage: View["lastUsage"];
  /** The estimate of what was sent when `usage` was reported. */
  estimatedSent: number;
}

/** One for each policy. Keeps a sum for each view that is under way. */
export class ViewSizes {
  readonly #tallies = new WeakMap<readonly Message[], Tally>();
  readonly #heads = new WeakMap<object, { tools: View["tools"]; tokens: number }>();

  constructor(private readonly countText: TokenCounter) {}

  measure(view: View): ViewSize {
    const { messages, lastUsage } = view;
    const head = this.#headOf(view);
    let tally = this.#tallies.get(messages);
    if (!tally || tally.counted > messages.length) {
      const count = rememberingCounter(this.countText);
      const lines = tally?.lines ?? new ViewLines();
      const ratio = tally?.ratio ?? 1;
      tally = { count, lines, counted: 0, estimated: 0, ratio, usage: undefined, estimatedSent: 0 };
      this.#tallies.set(messages, tally);
    }
    const isNews = lastUsage !== tally.usage && isCount(lastUsage?.usage.inputTokens);
    for (; ; tally.counted++) {
      if (isNews && tally.counted === lastUsage?.messageCount) tally.estimatedSent = tally.estimated;
      if (tally.counted >= messages.length) break;
      tally.estimated += tally.count(messages[tally.counted]!);
    }
    tally.usage = lastUsage;
    return { head, ...sizeOf(tally, head) };
  }

  /** Tokens of one message of a view that was measured, on the scale of `countText`. */
  counterOf({ messages }: View): (message: Message) => number {
    return this.#tallies.get(messages)!.count;
  }

  /** The lines of a view that was measured. */
  linesOf({ messages, describe }: View): ViewLines {
    return this.#tallies.get(messages)!.lines.update(messages, describe);
  }

  /** The view is about to change other than at its end: what stays need not be counted again. */
  forget({ messages }: View): void {
    const tally = this.#tallies.get(messages);
    if (!tally) return;
    const counted = new Map(messages.map((message) => [message, tally.count(message)]));
    const count = rememberingCounter(this.countText, (message) => {
      return counted.get(message) ?? countMessage(message, this.countText);
    });
    Object.assign(tally, { count, counted: 0, estimated: 0, usage: undefined });
  }

  #headOf(view: View): number {
    const known = this.#heads.get(view.system);
    if (known?.tools === view.tools) return known.tokens;
    const tokens = headTokens(view, this.countText);
    this.#heads.set(view.system, { tools: view.tools, tokens });
    return tokens;
  }
}

function sizeOf(tally: Tally, head: number): { readonly tokens: number; readonly ratio: number } {
  const usage = tally.usage?.usage;
  const sent = head + tally.estimatedSent;
  if (!usage || usage.estimated || !isCredible(usage.inputTokens, sent))
    return { tokens: (head + tally.estimated) * tally.ratio, ratio: tally.ratio };
  if (sent >= LEAST_TO_SCALE)
    tally.ratio = Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, usage.inputTokens / Math.max(1, sent)));
  return { tokens: usage.inputTokens + (tally.estimated - tally.estimatedSent) * tally.ratio, ratio: tally.ratio };
}

/** Whether a provider that was sent an estimated number of tokens can have counted what it reports. */
export function isCredible(reported: number, sent: number): boolean {
  return reported >= sent * LEAST_CREDIBLE && reported <= sent * MAX_RATIO + MAX_HIDDEN;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
