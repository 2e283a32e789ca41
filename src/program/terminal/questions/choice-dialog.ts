// A question with answers to choose from: by arrow keys and Enter, or by their number. An answer may want a line of text.
// A list that the person has opened is narrowed by typing. A question of the agent may come while they type a sentence: a key
// that is no answer belongs to one, and so does each key until there was a pause of a second. What was typed is kept.
import { fuzzyFilter, matchesKey, truncateToWidth } from "@earendil-works/pi-tui";
import { VisibleInput } from "../input/visible-editor.js";
import { writtenText } from "../input/written-text.js";
import { exactLine } from "../screen/safe-text.js";
import type { Dialog } from "../screen/screen.js";
import type { Theme } from "../screen/theme.js";
import { indented } from "../transcript/block.js";

export interface DialogChoice {
  readonly label: string;
  /** From 1 to 9, in ascending order. Default: its place among the choices, from 1. */
  readonly number?: number | undefined;
  /** Shown behind it, dimmed. */
  readonly note?: string | undefined;
  /** The answer is a line of text, which this asks for. */
  readonly asks?: string | undefined;
}

export interface ChosenAnswer {
  readonly index: number;
  /** The typed text; `""` for a choice that does not ask. */
  readonly text: string;
}

export interface ChoiceOptions {
  readonly title: string;
  /** Styled lines between the title and the answers. */
  readonly body?: readonly string[] | undefined;
  readonly choices: readonly DialogChoice[];
  /** The hints for the keys; the usual ones by default. */
  readonly keys?: string | undefined;
  /** Chosen first. Default: 0. */
  readonly selected?: number | undefined;
}

/** Answers shown at once. */
const SHOWN = 9;
/** The time after a typed key in which no key is an answer. Unit: milliseconds. */
const TYPING_MS = 1_000;

export class ChoiceDialog implements Dialog {
  #selected: number;
  #input: VisibleInput | undefined;
  #filter = "";
  #wrapped: { readonly width: number; readonly lines: readonly string[] } | undefined;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** The text typed meanwhile that was not an answer. */
  typed = "";

  constructor(
    private readonly theme: Theme,
    private readonly options: ChoiceOptions,
    private readonly onAnswer: (answer: ChosenAnswer | null) => void,
    private readonly screen: { readonly rows: number; readonly isAnswering: boolean; readonly typedAt: number },
    readonly takesOver: boolean,
  ) {
    this.#selected = Math.max(0, Math.min(options.selected ?? 0, options.choices.length - 1));
  }

  handleInput(data: string): void {
    if (this.#input) this.#fill(this.#input, data);
    else if (!this.takesOver && this.#isTyping(data)) return;
    else if (matchesKey(data, "escape")) this.#leave();
    else if (matchesKey(data, "up")) this.#move(-1);
    else if (matchesKey(data, "down")) this.#move(1);
    else if (matchesKey(data, "enter")) this.#enter();
    else if (this.#filter === "" && this.#numbered(data) !== -1) this.#choose(this.#numbered(data));
    else if (matchesKey(data, "backspace")) this.#narrow(this.#filter.slice(0, -1));
    else if (/^[^\p{Cc}]+$/u.test(data)) this.#narrow(this.#filter + data);
  }

  get holdsText(): boolean {
    return this.typed !== "" || this.#filter !== "" || this.#input !== undefined;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { bold, dim, cyan } = this.theme;
    const { title, body = [], keys } = this.options;
    const head = [...indented(title, width, "  ").map((line) => bold(cyan(line))), ...(body.length > 0 ? [""] : [])];
    const rule = dim("─".repeat(width));
    const choices = this.#choiceLines(width, Math.max(3, this.screen.rows - head.length - 9));
    const room = Math.max(3, this.screen.rows - choices.length - 9);
    const wrapped = this.#wrappedBody(body, width);
    const shown = wrapped.slice(0, room);
    if (wrapped.length > room) shown.push(dim(`  … ${wrapped.length - room} more lines · ctrl+o shows all`));
    if (!this.screen.isAnswering) {
      return [
        rule,
        ...head,
        ...shown,
        "",
        ...choices,
        "",
        this.theme.yellow("  send or clear your line to answer this"),
      ];
    }
    if (this.typed !== "") {
      const line = truncateToWidth(`  for your line: ${exactLine(this.typed)}`, width);
      return [rule, ...head, ...shown, "", ...choices, "", this.theme.yellow(line)];
    }
    const hint = this.#input
      ? "enter to send · esc to go back"
      : (keys ?? "↑↓, a number or some letters, enter · esc to cancel");
    const filter = this.#filter === "" ? [] : [`  ${dim("only:")} ${this.#filter}`];
    return [rule, ...head, ...shown, "", ...filter, ...choices, "", dim(`  ${hint}`)];
  }

  /** Wrapped once: a command may be long, and every key draws it again. */
  #wrappedBody(body: readonly string[], width: number): readonly string[] {
    if (this.#wrapped?.width !== width)
      this.#wrapped = { width, lines: body.flatMap((line) => indented(line, width, "  ")) };
    return this.#wrapped.lines;
  }

  /** At most so many lines, around the choice that is selected, which is whole. */
  #choiceLines(width: number, room: number): string[] {
    const { cyan, dim } = this.theme;
    const { choices } = this.options;
    const offered = this.#offered;
    const place = offered.indexOf(this.#selected);
    const start = Math.max(0, Math.min(place - SHOWN + 2, offered.length - SHOWN));
    const drawn = offered.slice(start, start + SHOWN).map((index) => {
      const { label, number, note, asks } = choices[index]!;
      const isSelected = index === this.#selected;
      const mark = isSelected ? cyan("❯") : " ";
      const name = this.#filter === "" ? `${number ?? index + 1}. ${label}` : label;
      const text = `  ${mark} ${isSelected ? cyan(name) : name}${note ? dim(`  ${note}`) : ""}`;
      // A rule that an answer adds is shown to its end.
      const lines = indented(text, width - 1, "       ", "");
      if (!isSelected || !this.#input) return lines;
      const [typed = ""] = this.#input.render(width - 7);
      return [...lines, `     ${typed}`, ...(this.#input.getValue() === "" && asks ? [dim(`       ${asks}`)] : [])];
    });
    if (drawn.length === 0) return [dim("    nothing fits")];
    const lines = linesAround(drawn, place - start, room, dim("    …"));
    const left = offered.length - start - SHOWN;
    return left > 0 ? [...lines, dim(`    … ${left} more`)] : lines;
  }

  /** The choices that fit what was typed, best first. */
  get #offered(): readonly number[] {
    const all = this.options.choices.map((_, index) => index);
    if (this.#filter === "") return all;
    const { choices } = this.options;
    return fuzzyFilter(all, this.#filter, (index) => `${choices[index]!.label} ${choices[index]!.note ?? ""}`);
  }

  /** Whether the key belongs to a sentence that the person types, not to the question. */
  #isTyping(data: string): boolean {
    const now = performance.now();
    const isAnswer = matchesKey(data, "enter") || this.#numbered(data) !== -1;
    if (isAnswer && now - Math.max(this.#typedAt, this.screen.typedAt) >= TYPING_MS) return false;
    const text = writtenText(data);
    if (text !== undefined) {
      this.#typedAt = now;
      this.typed += text;
    } else if (matchesKey(data, "backspace")) this.typed = this.typed.slice(0, -1);
    return isAnswer || text !== undefined;
  }

  #narrow(filter: string): void {
    this.#filter = filter;
    const offered = this.#offered;
    if (filter !== "" || !offered.includes(this.#selected)) this.#selected = offered[0] ?? -1;
  }

  #leave(): void {
    if (this.#filter === "") this.onAnswer(null);
    else this.#narrow("");
  }

  #enter(): void {
    if (this.#selected !== -1) this.#choose(this.#selected);
  }

  #move(by: number): void {
    const offered = this.#offered;
    if (offered.length === 0) return;
    this.#selected = offered[(offered.indexOf(this.#selected) + by + offered.length) % offered.length]!;
  }

  /** The index of the choice with this digit; -1 where there is not one. */
  #numbered(digit: string): number {
    return this.options.choices.findIndex((choice, at) => String(choice.number ?? at + 1) === digit);
  }

  #choose(index: number): void {
    this.#selected = index;
    if (this.options.choices[index]?.asks === undefined) {
      this.onAnswer({ index, text: "" });
      return;
    }
    this.#input = new VisibleInput();
    this.#input.focused = true;
  }

  #fill(input: VisibleInput, data: string): void {
    if (matchesKey(data, "escape")) this.#input = undefined;
    else if (matchesKey(data, "enter")) this.onAnswer({ index: this.#selected, text: input.getValue().trim() });
    else input.handleInput(data);
  }
}

/** The lines of as many groups around one of them as there is room for, and `more` where some are left out. */
function linesAround(groups: readonly (readonly string[])[], selected: number, room: number, more: string): string[] {
  let [first, last] = [selected, selected];
  let height = groups[selected]?.length ?? 0;
  for (let isWider = true; isWider; ) {
    isWider = false;
    for (const at of [last + 1, first - 1]) {
      const group = groups[at];
      if (!group || height + group.length > room) continue;
      height += group.length;
      first = Math.min(first, at);
      last = Math.max(last, at);
      isWider = true;
    }
  }
  const before = first > 0 ? [more] : [];
  const after = last < groups.length - 1 ? [more] : [];
  return [...before, ...groups.slice(first, last + 1).flat(), ...after];
}
