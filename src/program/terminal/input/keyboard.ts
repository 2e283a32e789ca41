// The keys that the program takes before the editor gets them, and what /help says of all keys.
import { type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { PassingHint } from "../panel/passing-hint.js";
import type { QuestionDesk } from "../questions/question-desk.js";
import type { RunView } from "../run-view.js";
import { safeLine } from "../screen/safe-text.js";
import type { Screen } from "../screen/screen.js";
import { nextLevel } from "../transcript/reasoning-block.js";
import { editOutside } from "./external-editor.js";

/** A second Ctrl+C or Esc within this time counts as the second. Unit: milliseconds. */
const TWICE_MS = 2_000;

export const KEYS: readonly (readonly [key: string, what: string])[] = [
  ["enter", "send; an agent at work reads it at its next step"],
  ["shift+enter, ctrl+j", "a new line; so does \\ before enter"],
  ["@", "a file by its name"],
  ["!command", "run a command yourself; the agent sees what came of it"],
  ["#fact", "remember a fact"],
  ["↑ ↓", "earlier prompts"],
  ["ctrl+r", "search earlier prompts"],
  ["ctrl+g", "write in your own editor ($VISUAL, $EDITOR)"],
  ["esc, ctrl+c", "interrupt the agent"],
  ["esc twice", "go back to an earlier prompt"],
  ["ctrl+c twice, ctrl+d", "leave; the session is kept"],
  ["shift+tab", "ask before changes, edit without asking, plan"],
  ["ctrl+o", "everything the last tool said; all of a long question"],
  ["alt+o", "everything thought and said in the last run"],
  ["ctrl+t", "reasoning: short, whole, hidden"],
  ["ctrl+z", "back to the shell; fg returns"],
  ["ctrl+l", "draw the screen again"],
];

export interface KeyboardParts {
  readonly screen: Screen;
  readonly desk: QuestionDesk;
  readonly hint: PassingHint;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRunning: () => boolean;
  interrupt(): void;
  leave(): void;
  cycleMode(): void;
  readonly view: RunView;
  say(text: string): void;
  /** Runs a command as if it had been typed. */
  command(line: string): void;
  /** Newest first. */
  readonly earlierPrompts: () => readonly string[];
}

type Act = (parts: KeyboardParts) => void;

/** Where the keys are not for a question. */
const BOUND: readonly (readonly [key: KeyId, act: Act])[] = [
  ["shift+tab", (parts) => parts.cycleMode()],
  [
    "ctrl+t",
    ({ view, hint }) => {
      view.reasoningLevel = nextLevel(view.reasoningLevel);
      hint.show(`reasoning: ${view.reasoningLevel}`, TWICE_MS);
    },
  ],
  ["ctrl+o", (parts) => unfold(parts, "last")],
  ["alt+o", (parts) => unfold(parts, "all")],
  ["ctrl+r", (parts) => void searchPrompts(parts)],
  ["ctrl+g", (parts) => void writeOutside(parts)],
];

/** Where they may be. */
const ALWAYS_BOUND: readonly (readonly [key: KeyId, act: Act])[] = [
  ["ctrl+l", ({ screen }) => screen.redraw()],
  ["ctrl+z", ({ screen }) => screen.suspend()],
];

export class Keyboard {
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #escapedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: KeyboardParts) {}

  /** Whether the key was for the program. */
  press(data: string): boolean {
    const { screen, desk, hint } = this.parts;
    if (matchesKey(data, "ctrl+c")) {
      this.pressInterrupt();
      return true;
    }
    this.#interruptedAt = Number.NEGATIVE_INFINITY;
    hint.clear();
    const isEscape = matchesKey(data, "escape");
    if (!isEscape) this.#escapedAt = Number.NEGATIVE_INFINITY;
    if (matchesKey(data, "ctrl+d") && screen.editor.getText() === "" && !screen.dialog) {
      this.parts.leave();
      return true;
    }
    if (matchesKey(data, "ctrl+o") && desk.isAsking) {
      this.parts.say(desk.body.join("\n"));
      return true;
    }
    if (this.#act(ALWAYS_BOUND, data)) return true;
    if (screen.isAnswering) return false;
    return isEscape ? this.#escape() : this.#act(BOUND, data);
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

  #act(bound: readonly (readonly [key: KeyId, act: Act])[], data: string): boolean {
    const found = bound.find(([key]) => matchesKey(data, key));
    found?.[1](this.parts);
    return found !== undefined;
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

async function writeOutside({ screen, env, say }: KeyboardParts): Promise<void> {
  try {
    await editOutside(screen, env);
  } catch (error) {
    say(screen.theme.red(error instanceof Error ? error.message : String(error)));
  }
}
