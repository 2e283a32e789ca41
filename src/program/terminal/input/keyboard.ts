// The keys that the program takes before the editor gets them.
import { type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { PassingHint } from "../panel/passing-hint.js";
import type { QuestionDesk } from "../questions/question-desk.js";
import type { RunView } from "../run-view.js";
import { safeLine } from "../screen/safe-text.js";
import type { Screen } from "../screen/screen.js";
import type { TerminalSettings } from "../settings/terminal-settings.js";
import { nextLevel } from "../transcript/reasoning-block.js";
import { ACTION_NAMES, type ActionName, keysOf } from "./actions.js";
import { clipboardImage } from "./clipboard-image.js";
import { editOutside } from "./external-editor.js";
import { ViKeys } from "./vi-keys.js";
import { writtenText } from "./written-text.js";

/** A second Ctrl+C or Esc within this time counts as the second. Unit: milliseconds. */
const TWICE_MS = 2_000;

export interface KeyboardParts {
  readonly screen: Screen;
  readonly settings: TerminalSettings;
  readonly desk: QuestionDesk;
  readonly hint: PassingHint;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRunning: () => boolean;
  interrupt(): void;
  leave(): void;
  /** The newest prompt that waits for the agent, which does not get it. */
  takeBack(): string | undefined;
  cycleMode(): void;
  readonly view: RunView;
  say(text: string): void;
  /** Runs a command as if it had been typed. */
  command(line: string): void;
  /** Newest first. */
  readonly earlierPrompts: () => readonly string[];
}

const ACTS: Readonly<Record<ActionName, (parts: KeyboardParts) => void>> = {
  mode: (parts) => parts.cycleMode(),
  thinking({ view, hint }) {
    view.reasoningLevel = nextLevel(view.reasoningLevel);
    hint.show(`reasoning: ${view.reasoningLevel}`, TWICE_MS);
  },
  unfold: (parts) => unfold(parts, "last"),
  unfoldAll: (parts) => unfold(parts, "all"),
  history: (parts) => void searchPrompts(parts),
  write: (parts) => void writeOutside(parts),
  picture: (parts) => void pastePicture(parts),
  redraw: ({ screen }) => screen.redraw(),
  suspend: ({ screen }) => screen.suspend(),
};

interface Binding {
  readonly keys: readonly KeyId[];
  /** Also while a question is asked. */
  readonly isAlways: boolean;
  readonly act: (parts: KeyboardParts) => void;
}

function bindingsOf(own: TerminalSettings["keys"]): readonly Binding[] {
  const actions = ACTION_NAMES.map((name) => ({
    keys: keysOf(name, own),
    isAlways: name === "redraw" || name === "suspend",
    act: ACTS[name],
  }));
  const commands = Object.entries(own).filter(([name]) => name.startsWith("/"));
  return [
    ...commands.map(([line, keys]) => ({ keys, isAlways: false, act: (parts: KeyboardParts) => parts.command(line) })),
    ...actions,
  ];
}

export class Keyboard {
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #escapedAt = Number.NEGATIVE_INFINITY;

  readonly #bindings: readonly Binding[];
  readonly #vi: ViKeys | undefined;

  constructor(private readonly parts: KeyboardParts) {
    const { screen, settings } = parts;
    this.#bindings = bindingsOf(settings.keys);
    this.#vi = settings.vi ? new ViKeys(screen.editor, () => screen.draw()) : undefined;
  }

  /** The word for what letters do now, where they do not write. */
  get state(): string | undefined {
    return this.#vi?.state;
  }

  /** Whether the key was for the program. */
  press(data: string): boolean {
    const { screen, desk, hint } = this.parts;
    if (matchesKey(data, "ctrl+c")) {
      this.pressInterrupt();
      return true;
    }
    this.#interruptedAt = Number.NEGATIVE_INFINITY;
    hint.clear();
    const isSent = matchesKey(data, "enter");
    // A prompt's own run may ask at once; a line that is sent under a question is one of several that the person may be typing.
    if (!screen.isAnswering && isSent && !screen.dialog) screen.typedAt = Number.NEGATIVE_INFINITY;
    else if (!screen.isAnswering && (isSent || writtenText(data) !== undefined || matchesKey(data, "backspace")))
      screen.typedAt = performance.now();
    const isEscape = matchesKey(data, "escape");
    if (!isEscape) this.#escapedAt = Number.NEGATIVE_INFINITY;
    if (matchesKey(data, "ctrl+d") && screen.editor.getText() === "" && !screen.dialog?.holdsText) {
      this.parts.leave();
      return true;
    }
    if (desk.isAsking && this.#isFor("unfold", data)) {
      this.parts.say(desk.body.join("\n"));
      return true;
    }
    if (matchesKey(data, "up") && this.#takeBack()) return true;
    const bound = this.#bindings.find(({ keys }) => keys.some((key) => matchesKey(data, key)));
    if (screen.isAnswering && !bound?.isAlways) return false;
    bound?.act(this.parts);
    if (bound || (!screen.isAnswering && this.#vi?.press(data))) return true;
    return isEscape && !screen.isAnswering && this.#escape();
  }

  /** Ctrl+C, from the keyboard or as a signal: interrupts, and leaves the second time. */
  pressInterrupt(): void {
    const { screen, desk, hint, isRunning } = this.parts;
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < TWICE_MS;
    this.#interruptedAt = now;
    if (isSecond) {
      this.parts.leave();
      return;
    }
    if (isRunning()) this.parts.interrupt();
    else if (desk.isAsking) desk.close();
    else screen.editor.setText("");
    hint.show("press ctrl+c again to leave", TWICE_MS);
  }

  /** A prompt that waits comes back into an empty editor. */
  #takeBack(): boolean {
    const { screen, takeBack } = this.parts;
    if (screen.isAnswering || screen.editor.getText() !== "") return false;
    const text = takeBack();
    if (text !== undefined) screen.editor.setText(text);
    return text !== undefined;
  }

  #isFor(name: ActionName, data: string): boolean {
    return keysOf(name, this.parts.settings.keys).some((key) => matchesKey(data, key));
  }

  /** Esc interrupts; where nothing is under way and nothing typed, the second one goes back. */
  #escape(): boolean {
    const { screen, hint, isRunning } = this.parts;
    if (screen.editor.isShowingAutocomplete()) return false;
    if (isRunning()) {
      this.parts.interrupt();
      return true;
    }
    if (screen.editor.getText() !== "") return false;
    const now = performance.now();
    const isSecond = now - this.#escapedAt < TWICE_MS;
    this.#escapedAt = isSecond ? Number.NEGATIVE_INFINITY : now;
    if (isSecond) this.parts.command("/rewind");
    else hint.show("press esc again to go back to an earlier prompt", TWICE_MS);
    return true;
  }
}

function unfold({ view, hint, say }: KeyboardParts, what: "last" | "all"): void {
  const texts = view.unfolded(what);
  if (texts.length === 0) hint.show("no tool has said anything in this run", TWICE_MS);
  for (const text of texts) say(text);
}

async function searchPrompts({ screen, desk, earlierPrompts, say }: KeyboardParts): Promise<void> {
  const prompts = earlierPrompts();
  if (prompts.length === 0) {
    say(screen.theme.dim("There are no earlier prompts yet."));
    return;
  }
  const choices = prompts.map((text) => ({ label: safeLine(text).slice(0, 200) }));
  const chosen = await desk.pick({ title: "Earlier prompts", choices });
  if (chosen) screen.editor.setText(prompts[chosen.index]!);
}

async function pastePicture({ screen, hint }: KeyboardParts): Promise<void> {
  const path = await clipboardImage();
  if (path === undefined) hint.show("there is no picture in the clipboard", TWICE_MS);
  else screen.editor.insertTextAtCursor(`${path} `);
  screen.draw();
}

async function writeOutside({ screen, env, say }: KeyboardParts): Promise<void> {
  try {
    await editOutside(screen, env);
  } catch (error) {
    say(screen.theme.red(error instanceof Error ? error.message : String(error)));
  }
}
