import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { ToolResult } from "../../../contracts/tool-call.js";
import { fieldsOf } from "../../../json/is-object.js";
import { terminalText } from "../../../text/terminal-text.js";
import { loadCodeColors } from "../screen/code-colors.js";
import { safeText } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { TranscriptBlock } from "./block.js";
import { callDetail, callLine, callOutcome, type ShownCall } from "./call-summary.js";

/** Room that a subject keeps even where the outcome is long. Unit: columns. */
const MIN_SUBJECT = 12;
/** Lines of a running tool's output. */
const TAIL_LINES = 3;
/** Enough for those lines. Unit: characters. */
const MAX_SAID = 4_000;

/** A tool's output while it runs. `isMore`: it continues the output before. */
export interface CallReport {
  readonly text: string;
  readonly isMore: boolean;
}

/** A tool call: one line while it runs and once it has ended; more only where something changed, ran or went wrong. */
export class CallBlock extends TranscriptBlock {
  override readonly kind = "call";
  #result: ToolResult | undefined;
  #said = "";
  #open: "running" | "waiting for you" | "not finished" = "running";

  constructor(
    private readonly theme: Theme,
    readonly call: ShownCall,
    /** The indentation of its lines: deeper for a call that another call makes. */
    private readonly indent = "  ",
  ) {
    super();
  }

  get isOpen(): boolean {
    return this.#result === undefined;
  }

  end(result: ToolResult): void {
    this.#result = result;
    this.invalidate();
    // A diff is drawn again once its language has colours.
    if (fieldsOf(result.details).diff) void loadCodeColors().then(() => this.invalidate());
  }

  /** Shows the tool's output while it runs: a line in place of the one before, or more of its output. */
  report({ text, isMore }: CallReport): void {
    this.#said = (isMore ? this.#said + text : text).slice(-MAX_SAID);
    this.invalidate();
  }

  /** It waits for the person. */
  set isWaiting(isWaiting: boolean) {
    this.#open = isWaiting ? "waiting for you" : "running";
    this.invalidate();
  }

  /** The program ended before the call did. */
  leaveOpen(): void {
    this.#open = "not finished";
  }

  protected draw(width: number): string[] {
    const { theme, call } = this;
    const result = this.#result;
    const outcome = result ? callOutcome(result) : this.#open;
    const line = callLine(call);
    const taken = this.indent.length + 6 + outcome.length;
    const verb = truncateToWidth(line.verb, Math.max(MIN_SUBJECT, width - taken), "…");
    const room = Math.max(MIN_SUBJECT, width - visibleWidth(verb) - taken);
    const subject = truncateToWidth(line.subject, room, "…");
    const dot = this.#dot();
    const end = result?.isError ? theme.red(outcome) : theme.dim(outcome);
    const first = `${this.indent}${dot} ${theme.bold(verb)}${subject === "" ? "" : ` ${subject}`} ${theme.dim("·")} ${end}`;
    const detail = result ? callDetail(call, result, theme) : this.#tail();
    const below = `${this.indent}  `;
    return [first, ...detail.map((each) => below + truncateToWidth(each, width - below.length, "…"))];
  }

  /** The last lines of what it has said. */
  #tail(): readonly string[] {
    const lines = safeText(terminalText(this.#said)).trim().split("\n").slice(-TAIL_LINES);
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map(this.theme.dim);
  }

  #dot(): string {
    const { yellow, green, red, dim } = this.theme;
    if (!this.#result) return this.#open === "waiting for you" ? yellow("●") : dim("○");
    return this.#result.isError ? red("●") : green("●");
  }
}
