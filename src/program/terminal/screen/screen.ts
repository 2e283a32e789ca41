// The screen: the conversation, then what is going on, then a question or the editor, then one line about the session.
// It knows where things are drawn and which part gets the keys, and nothing about agents.
import { type Component, type Editor, setCapabilities, TUI } from "@earendil-works/pi-tui";
import { VisibleEditor } from "../input/visible-editor.js";
import type { TranscriptBlock } from "../transcript/block.js";
import { TranscriptView } from "../transcript/transcript-view.js";
import { Frame } from "./frame.js";
import type { TerminalDevice } from "./terminal-device.js";
import type { Theme } from "./theme.js";

/** A part that takes the editor's place until it is closed. */
export interface Dialog extends Component {
  handleInput(data: string): void;
  /** The person has opened it themselves, so it takes the keys at once. */
  readonly takesOver: boolean;
  /** Something is typed into it that would be lost. */
  readonly holdsText: boolean;
}

/** The answer of a key listener: `true` means the key was for it. */
type KeyListener = (data: string) => boolean;

/** A signal may come later than the end of the program that it has ended. */
const LATE_SIGNAL_MS = 1_000;

export class Screen {
  readonly transcript = new TranscriptView();
  readonly editor: Editor;
  /** The moment of the last key typed into the line that is not sent; as `performance.now()`. */
  typedAt = Number.NEGATIVE_INFINITY;
  readonly #tui: TUI;
  readonly #frame: Frame;
  #panels: readonly Component[] = [];
  #footer: Component = GAP;
  #dialog: Dialog | undefined;
  #isTyping = false;
  #isLeaving = false;
  #lentUntil = 0;

  constructor(
    readonly device: TerminalDevice,
    readonly theme: Theme,
  ) {
    // Links stay readable: an address that is hidden behind its text could be any address.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#tui = new TUI(device);
    this.#tui.setClearOnShrink(true);
    this.editor = new VisibleEditor(this.#tui, theme.editor, { paddingX: 1, autocompleteMaxVisible: 8 });
    this.editor.onChange = this.#onTyped;
    this.#frame = new Frame({
      above: () => this.transcript.parts(),
      below: () => this.#below(),
      rows: () => this.rows,
      onFrame: (scrolledAway) => {
        device.scrolledAway = scrolledAway;
      },
    });
    this.#tui.addChild(this.#frame);
  }

  /** Shows panels between the conversation and the editor, and a line below it. */
  set parts({ panels, footer }: { readonly panels: readonly Component[]; readonly footer: Component }) {
    this.#panels = panels.map(spaced);
    this.#footer = footer;
    this.draw();
  }

  get rows(): number {
    return this.device.rows;
  }

  /** Takes the terminal. Resolves when the first frame is on it. */
  start(): Promise<void> {
    this.#tui.start();
    this.#tui.setFocus(this.editor);
    // The frame is drawn by a timer that is set in the next tick: this one comes after it.
    return new Promise((resolve) => process.nextTick(() => setTimeout(() => setImmediate(resolve), 1)));
  }

  /** Calls `listener` with each key before whatever has the focus gets it. */
  onKey(listener: KeyListener): void {
    this.#tui.addInputListener((data) => (listener(data) ? { consume: true } : undefined));
  }

  add(block: TranscriptBlock): void {
    this.transcript.add(block);
    this.draw();
  }

  /** Something has changed: draws soon, and once for many changes. */
  draw(): void {
    this.#tui.requestRender();
  }

  /** Draws everything again, as after another program has written to the terminal. */
  redraw(): void {
    this.#tui.requestRender(true);
  }

  /** Forgets what scrolled away long ago, so that a long run costs no more to draw than a short one. */
  trim(): void {
    const forgotten = this.transcript.trim(this.device.columns);
    if (forgotten === 0) return;
    this.#frame.forget(forgotten);
    this.redraw();
  }

  /** Begins another conversation, below what the scrollback has of this one. */
  clear(): void {
    this.transcript.clear();
    this.#frame.reset();
    this.redraw();
  }

  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  /**
   * Puts a dialog in the editor's place; `undefined` brings the editor back, with what was typed. While somebody types, the
   * editor keeps the keys and the dialog waits above it: a key that was meant for a sentence must not answer a question.
   */
  set dialog(dialog: Dialog | undefined) {
    this.#dialog = dialog;
    this.#isTyping = dialog !== undefined && !dialog.takesOver && this.editor.getText() !== "";
    this.#focus();
  }

  /** Whether the keys are for the dialog. */
  get isAnswering(): boolean {
    return this.#dialog !== undefined && !this.#isTyping;
  }

  #focus(): void {
    this.#tui.setFocus(this.isAnswering ? this.#dialog! : this.editor);
    this.draw();
  }

  readonly #onTyped = (text: string): void => {
    if (!this.#isTyping || text !== "") return;
    this.#isTyping = false;
    this.#focus();
  };

  /** Leaves the conversation on the screen and nothing else, and gives the terminal back. */
  async close(): Promise<void> {
    this.#isLeaving = true;
    this.#tui.setFocus(null);
    this.redraw();
    await new Promise((resolve) => setImmediate(resolve));
    this.stop();
  }

  /** Gives the terminal back at once. */
  stop(): void {
    this.#tui.stop();
  }

  /** Gives the terminal to the shell until the program is continued. What the agent does goes on being recorded. */
  suspend(): void {
    this.stop();
    process.once("SIGCONT", () => {
      this.#tui.start();
      this.redraw();
    });
    process.kill(process.pid, "SIGTSTP");
  }

  /** Gives the terminal to another program until that has ended. */
  async lend<T>(program: () => Promise<T>): Promise<T> {
    this.stop();
    this.#lentUntil = Number.POSITIVE_INFINITY;
    try {
      return await program();
    } finally {
      this.#lentUntil = performance.now() + LATE_SIGNAL_MS;
      this.#tui.start();
      this.redraw();
    }
  }

  /** Whether another program has the terminal, or had it until now: a signal of its keys is for that one. */
  get isLent(): boolean {
    return performance.now() < this.#lentUntil;
  }

  *#below(): Iterable<Component> {
    if (this.#isLeaving) return;
    yield GAP;
    yield* this.#panels;
    if (this.#dialog) yield this.#dialog;
    if (!this.isAnswering) yield this.editor;
    yield this.#footer;
  }
}

const GAP: Component = { render: () => [""], invalidate: () => {} };

/** A panel with a blank line below it, while it shows anything. */
function spaced(panel: Component): Component {
  return {
    render(width) {
      const lines = panel.render(width);
      return lines.length > 0 ? [...lines, ""] : lines;
    },
    invalidate: () => panel.invalidate(),
  };
}
