import type { EngineEvent, EventOf, PermissionDecision, RunResult, ToolCall } from "loopwright";
import { type Paint, paintFor } from "./paint.js";
import { StatusLine } from "./status-line.js";
import { excerptOf, outcomeOf, subjectOf } from "./tool-summary.js";
import { WordWrap } from "./word-wrap.js";

const INDENT = "    ";
const DEFAULT_WIDTH = 80;
/** Longer lines are hard to read, shorter ones hold nothing. */
const WIDTHS = { min: 40, max: 100 };

const DECIDED = { allow: "allowed", ask: "asked", deny: "denied" } as const;

/** Shows a run to a person: what the model says as it says it, and each tool call once it is answered. */
export class Screen {
  readonly #paint: Paint;
  readonly #status: StatusLine;
  readonly #width: number;
  readonly #calls = new Map<string, ToolCall>();
  readonly #decisions = new Map<string, PermissionDecision>();
  #text: WordWrap | undefined;
  #callCount = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {
    this.#paint = paintFor(stream);
    this.#status = new StatusLine(stream, this.#paint);
    // One column stays free: some terminals break a line that fills the last one.
    this.#width = Math.min(Math.max((stream.columns || DEFAULT_WIDTH) - 1, WIDTHS.min), WIDTHS.max);
  }

  /** The title and what there is to know before the run. */
  open(title: string, facts: Readonly<Record<string, string>>): void {
    this.#write(`\n${INDENT}${this.#paint("bold", title)}\n\n`);
    for (const [name, fact] of Object.entries(facts)) {
      this.#write(`${INDENT}${this.#paint("dim", name.padEnd(11))}`);
      this.#wrapped(fact, `${INDENT}${" ".repeat(8)}`);
    }
  }

  show(event: EngineEvent): void {
    switch (event.type) {
      case "turn-start":
        this.#write(`\n${this.#beginning(event)}`);
        this.#text = this.#wrap(INDENT);
        return;
      case "text-delta":
        this.#text?.push(printable(event.text));
        return;
      case "tool-input-delta":
        this.#endText();
        return;
      case "tool-call-start":
        this.#endText();
        this.#callCount += 1;
        this.#calls.set(event.call.id, event.call);
        this.#status.show(this.#fit(`${event.call.name} ${printable(subjectOf(event.call))}`, 6));
        return;
      case "permission-decision":
        this.#decisions.set(event.toolCallId, event.decision);
        return;
      case "tool-call-end":
        this.#showCall(event);
        return;
      case "notice":
        this.#endText();
        this.#line(event.message, "magenta");
        return;
      case "model-restart":
        this.#endText();
        this.#line(`The answer failed (${event.error.code}); asking again in ${seconds(event.delayMs)}.`, "magenta");
        return;
      case "run-end":
        this.#endText();
        this.#status.clear();
    }
  }

  /** Puts a question; the answer is typed behind it. `always`: the rules that "a" would remember. */
  ask(call: string, reason: string, always: readonly string[] = []): void {
    this.#endText();
    this.#status.clear();
    const choices = always.length > 0 ? `\na = always allow ${always.join(", ")}` : "";
    this.#write(INDENT);
    this.#wrapped(`${call}\n${reason}${choices}`, INDENT);
    this.#write(`${INDENT}${this.#paint("magenta", "Allow this? [y/N] ")}`);
  }

  /** Shows an answer that nobody typed. */
  answer(text: string): void {
    this.#write(`${text}\n`);
  }

  /** The last word: what was checked, and what the run took. */
  close(verdict: { readonly isGood: boolean; readonly text: string }, result?: RunResult, elapsedMs = 0): void {
    this.#endText();
    const [mark, style] = verdict.isGood ? (["✔", "green"] as const) : (["✖", "red"] as const);
    this.#write(`\n ${this.#paint(style, mark)}  `);
    this.#wrapped(verdict.text, INDENT);
    if (!result) return;
    const { turns, usage, costUsd } = result;
    const about = usage.estimated ? "≈ " : "";
    const facts = [
      counted(turns, "turn"),
      counted(this.#callCount, "tool call"),
      `${about}${usage.inputTokens.toLocaleString("en-US")} tokens in, ${usage.outputTokens.toLocaleString("en-US")} out`,
      costUsd === null ? "cost n/a" : `$${costUsd.toFixed(4)}`,
      seconds(elapsedMs),
    ];
    this.#line(facts.join(" · "), "dim");
  }

  /** The number of the main agent's turn, or the names of the sub-agent and of those it works for. */
  #beginning({ turn, agentPath }: EventOf<"turn-start">): string {
    if (agentPath.length === 0) return `${this.#paint("dim", String(turn).padStart(2))}  `;
    return `${INDENT}${this.#paint("magenta", agentPath.join(" → "))}\n${INDENT}`;
  }

  #showCall({ result }: EventOf<"tool-call-end">): void {
    const call = this.#calls.get(result.toolCallId);
    const decision = this.#decisions.get(result.toolCallId);
    this.#status.clear();
    const outcome = `${outcomeOf(result)}  ${`${Math.round(result.durationMs)} ms`.padStart(7)}`;
    const subject = this.#fit(printable(call ? subjectOf(call) : ""), result.name.length + outcome.length + 3);
    const gap = " ".repeat(Math.max(2, this.#width - 4 - result.name.length - 1 - subject.length - outcome.length));
    const note = this.#paint(result.isError ? "red" : "dim", outcome);
    this.#write(`${INDENT}${this.#paint("bold", result.name)} ${subject}${gap}${note}\n`);
    if (decision?.reason && result.status !== "denied") {
      this.#line(
        `  ${DECIDED[decision.behavior]}: ${decision.reason}`,
        decision.behavior === "allow" ? "dim" : "magenta",
      );
    }
    for (const line of excerptOf(result)) this.#line(`  ${line}`, styleOf(line));
  }

  #line(text: string, style?: Parameters<Paint>[0]): void {
    this.#status.clear();
    const shown = this.#fit(printable(text), 0);
    this.#write(`${INDENT}${style ? this.#paint(style, shown) : shown}\n`);
  }

  #wrapped(text: string, indent: string): void {
    const wrap = this.#wrap(indent);
    wrap.push(printable(text));
    wrap.end();
  }

  #wrap(indent: string): WordWrap {
    return new WordWrap(this.#width - indent.length, indent, (text) => this.#write(text));
  }

  #endText(): void {
    this.#text?.end();
    this.#text = undefined;
  }

  #fit(text: string, taken: number): string {
    const room = Math.max(8, this.#width - INDENT.length - taken);
    return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
  }

  #write(text: string): void {
    if (this.stream.writable) this.stream.write(text);
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function styleOf(line: string): Parameters<Paint>[0] {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") || line.startsWith("✖") ? "red" : "dim";
}

/** Models, files and programs do not get to move the cursor. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.replaceAll("\t", "  ").replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "");
}
