// vi's keys for the prompt, on request: Escape leaves writing, and letters move and delete until one begins to write again. Each
// types what the editor's own keys do.
import { type Editor, matchesKey } from "@earendil-works/pi-tui";

const [UP, DOWN, RIGHT, LEFT, HOME, END] = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x01", "\x05"] as const;
const [DELETE, DELETE_BACK, DELETE_WORD, TO_END] = ["\x1b[3~", "\x7f", "\x1bd", "\x0b"] as const;
const [WORD_BACK, NEW_LINE, PASTE, UNDO] = ["\x1bb", "\n", "\x19", "\x1f"] as const;
/** A command is repeated so often at most, and so many of the editor's steps are taken back at once. */
const MOST = 1_000;

/** The line that the cursor is in, and the part of it from the cursor on. */
interface Place {
  readonly line: string;
  readonly rest: string;
  /** The length of the text from the cursor on. */
  readonly after: number;
  readonly isLast: boolean;
  readonly isOnly: boolean;
}

/** A word, as the editor counts them. */
const RUN = String.raw`(?:[^\s(){}[\]<>.,;:'"!?+\-=*/\\|&%^$#@~\x60]+|[(){}[\]<>.,;:'"!?+\-=*/\\|&%^$#@~\x60]+)`;
const WORD = new RegExp(`^(${RUN}?)(\\s*)`);
const WORD_END = new RegExp(`^.\\s*${RUN}`, "su");
const graphemes = new Intl.Segmenter();

/** A key for each character of a text. */
const over = (key: string, text: string): readonly string[] => Array.from(graphemes.segment(text), () => key);
/** Keys that do something else at the end of a line. */
const before = (place: Place, ...keys: readonly string[]) => (place.rest === "" ? [] : keys);
const whole = ({ line }: Place) => (line === "" ? [] : [HOME, TO_END]);

/** The keys that a command types. Those of `i` and its like are typed once. */
const COMMANDS: Readonly<Record<string, (place: Place) => readonly string[]>> = {
  h: ({ line, rest }) => (line === rest ? [] : [LEFT]),
  l: ({ rest }) => over(RIGHT, rest).slice(1, 2),
  k: () => [UP],
  j: () => [DOWN],
  "0": () => [HOME],
  "^": () => [HOME],
  $: () => [END],
  w({ rest, isLast }) {
    const [passed] = WORD.exec(rest)!;
    return passed.length < rest.length ? over(RIGHT, passed) : [END, ...(isLast ? [] : [RIGHT])];
  },
  e: ({ rest }) => over(RIGHT, WORD_END.exec(rest)?.[0] ?? "").slice(1),
  b: () => [WORD_BACK],
  x: (place) => before(place, DELETE),
  D: (place) => before(place, TO_END),
  dd: (place) => [...whole(place), ...(place.isLast && !place.isOnly ? [DELETE_BACK, HOME] : [DELETE])],
  dw({ rest }) {
    const [, word, spaces] = WORD.exec(rest)!;
    return [...(word === "" ? [] : [DELETE_WORD]), ...over(DELETE, spaces!)];
  },
  d$: (place) => before(place, TO_END),
  i: () => [],
  a: (place) => before(place, RIGHT),
  I: () => [HOME],
  A: () => [END],
  o: () => [END, NEW_LINE],
  O: () => [HOME, NEW_LINE, UP],
  C: (place) => before(place, TO_END),
  cc: whole,
  cw: ({ rest }) => (/^\s|^$/.test(rest) ? over(DELETE, WORD.exec(rest)![2]!) : [DELETE_WORD]),
  s: (place) => before(place, DELETE),
};
const BEGINS = /^[iaIAoO]$/;
const WRITES = /^(?:[iaIAoOCs]|c[cw])$/;
const CUTS_LINES = /^(?:dd|cc)$/;

type ViEditor = Pick<
  Editor,
  "handleInput" | "getText" | "getLines" | "getCursor" | "insertTextAtCursor" | "isShowingAutocomplete"
>;

export class ViKeys {
  #isWriting = true;
  /** The count and the letter that a command begins with. */
  #begun = "";
  /** The text before and after each command that has changed it, which may be several of the editor's steps. */
  #changes: { readonly old: string; readonly text: string }[] = [];

  /** The text that the newest command took away; whole lines begin with a line break. */
  #cut: string | undefined;

  constructor(
    private readonly editor: ViEditor,
    private readonly onChange: () => void,
  ) {}

  /** The word for the state, while letters are commands. */
  get state(): string | undefined {
    return this.#isWriting ? undefined : `vi: normal${this.#begun && ` ${this.#begun}`}`;
  }

  /** Whether the key was one of vi's. Escape is, where it ends writing something or a command that is not whole. */
  press(data: string): boolean {
    const { editor } = this;
    const isEscape = matchesKey(data, "escape");
    if (this.#isWriting) {
      const ends = isEscape && editor.getText() !== "" && !editor.isShowingAutocomplete();
      if (ends) this.#run("h", 1);
      return ends;
    }
    // A line that was sent or cleared is followed by a new one.
    const isNew = editor.getText() === "" && this.#changes.at(-1)?.text !== "" && !BEGINS.test(data);
    if (isNew || matchesKey(data, "enter")) this.#set(true);
    if (this.#isWriting) return false;
    const key = data === " " ? "l" : matchesKey(data, "backspace") ? "h" : data;
    // Input that is no letter is a key of the program or the editor, or text that was pasted.
    if (!/^[^\p{C}\s]$/u.test(key)) {
      const isPartOf = isEscape && this.#begun !== "";
      this.#set(false);
      return isPartOf;
    }
    const begun = this.#begun + key;
    const [, count = 1, letter = "", times = 1, name] = /^([1-9]\d*)?([dc])?([1-9]\d*)?(.*)$/u.exec(begun)!;
    if (name === "") this.#set(false, begun);
    else this.#run(letter + name, Math.min(MOST, Number(count) * Number(times)));
    return true;
  }

  #run(name: string, count: number): void {
    const { editor } = this;
    const old = editor.getText();
    const { line: row } = editor.getCursor();
    // Of the lines, `dd` takes those from the cursor down; the others begin to write in one.
    const times =
      BEGINS.test(name) || name === "cc" ? 1 : name === "dd" ? Math.min(count, editor.getLines().length - row) : count;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    for (let n = 0; n < times; n++) {
      if (name === "p") this.#put();
      for (const key of command?.(this.#place) ?? []) editor.handleInput(key);
    }
    const text = editor.getText();
    if (text !== old) this.#changes.push({ old, text });
    if (name === "u") this.#undo(text);
    const { line, rest, after } = this.#place;
    if (CUTS_LINES.test(name)) this.#cut = ["", ...old.split("\n").slice(row, row + times)].join("\n");
    else if (text.length < old.length) this.#cut = old.slice(text.length - after, old.length - after);
    // Where letters are commands, the cursor is on one.
    if (!WRITES.test(name) && rest === "" && line !== "") editor.handleInput(LEFT);
    this.#set(WRITES.test(name));
  }

  /** Lines go below the cursor's own, other text behind the cursor. Without any, what the editor's own keys have cut does. */
  #put(): void {
    const { editor } = this;
    const isLines = this.#cut?.startsWith("\n") === true;
    for (const key of isLines ? [END] : before(this.#place, RIGHT)) editor.handleInput(key);
    if (this.#cut === undefined) editor.handleInput(PASTE);
    else editor.insertTextAtCursor(this.#cut);
    if (!isLines) return;
    for (const _ of this.#cut!.split("\n").slice(2)) editor.handleInput(UP);
    editor.handleInput(HOME);
  }

  #undo(text: string): void {
    const { editor } = this;
    const old = this.#changes.at(-1)?.text === text ? this.#changes.pop()!.old : undefined;
    let steps = 0;
    do editor.handleInput(UNDO);
    while (old !== undefined && editor.getText() !== old && ++steps < MOST);
  }

  #set(isWriting: boolean, begun = ""): void {
    this.#isWriting = isWriting;
    this.#begun = begun;
    this.onChange();
  }

  get #place(): Place {
    const { line: row, col } = this.editor.getCursor();
    const lines = this.editor.getLines();
    const line = lines[row]!;
    const after = lines.slice(row).join("\n").length - col;
    return { line, rest: line.slice(col), after, isOnly: lines.length === 1, isLast: row === lines.length - 1 };
  }
}
