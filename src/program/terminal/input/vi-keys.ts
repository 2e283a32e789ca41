// vi's keys for the prompt, on request: Escape leaves writing, and letters move and delete until one begins to write again. Each
// is what the editor's own keys do.
import { type Editor, matchesKey } from "@earendil-works/pi-tui";

const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const HOME = "\x01";
const END = "\x05";
const DELETE = "\x1b[3~";
const TO_END = "\x0b";
const NEW_LINE = "\n";
const WORD_ON = "\x1bf";
const WORD_BACK = "\x1bb";
const DELETE_WORD = "\x1bd";
const PASTE = "\x19";
const UNDO = "\x1f";
const WHOLE_LINE = [HOME, TO_END, DELETE];

/** What a command types; in upper case words, what begins writing afterwards. */
const COMMANDS: Readonly<Record<string, { readonly keys: readonly string[]; readonly writes?: true }>> = {
  h: { keys: [LEFT] },
  l: { keys: [RIGHT] },
  k: { keys: [UP] },
  j: { keys: [DOWN] },
  "0": { keys: [HOME] },
  "^": { keys: [HOME] },
  $: { keys: [END] },
  w: { keys: [WORD_ON] },
  e: { keys: [WORD_ON] },
  b: { keys: [WORD_BACK] },
  x: { keys: [DELETE] },
  D: { keys: [TO_END] },
  p: { keys: [PASTE] },
  u: { keys: [UNDO] },
  dd: { keys: WHOLE_LINE },
  dw: { keys: [DELETE_WORD] },
  d$: { keys: [TO_END] },
  i: { keys: [], writes: true },
  a: { keys: [RIGHT], writes: true },
  I: { keys: [HOME], writes: true },
  A: { keys: [END], writes: true },
  o: { keys: [END, NEW_LINE], writes: true },
  O: { keys: [HOME, NEW_LINE, UP], writes: true },
  C: { keys: [TO_END], writes: true },
  cc: { keys: [HOME, TO_END], writes: true },
  cw: { keys: [DELETE_WORD], writes: true },
  s: { keys: [DELETE], writes: true },
};

export class ViKeys {
  #isWriting = true;
  /** The first letter of a command of two. */
  #begun = "";

  constructor(
    private readonly editor: Pick<Editor, "handleInput" | "getText" | "isShowingAutocomplete">,
    private readonly onChange: () => void,
  ) {}

  /** The word for the state, while letters are commands. */
  get state(): string | undefined {
    return this.#isWriting ? undefined : `vi: normal${this.#begun && ` ${this.#begun}`}`;
  }

  /** Whether the key was one of vi's. Escape is, where it ends writing something. */
  press(data: string): boolean {
    if (this.#isWriting) {
      const ends = matchesKey(data, "escape") && this.editor.getText() !== "" && !this.editor.isShowingAutocomplete();
      if (ends) this.#write(false);
      return ends;
    }
    // An empty line has nothing to move in, and pasted text is text.
    if (this.editor.getText() === "" && !/^[aiAIoO]$/.test(data)) this.#write(true);
    if (this.#isWriting || !/^[!-~]$/.test(data)) return false;
    const name = this.#begun + data;
    this.#begun = "";
    if (/^[dc]$/.test(name)) this.#begun = name;
    const { keys = [], writes } = COMMANDS[name] ?? {};
    for (const key of keys) this.editor.handleInput(key);
    if (writes) this.#write(true);
    else this.onChange();
    return true;
  }

  #write(isWriting: boolean): void {
    this.#isWriting = isWriting;
    this.#begun = "";
    this.onChange();
  }
}
