// The first frame of the program: the screen is there and takes what is typed, while everything else is loaded.
import type { ReadStream, WriteStream } from "node:tty";
import { KeybindingsManager, matchesKey, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { EXIT } from "../../exit-codes.js";
import { NO_TERMINAL_SETTINGS, type TerminalSettings } from "../settings/terminal-settings.js";
import { greeting } from "../transcript/greeting.js";
import { Screen } from "./screen.js";
import { TerminalDevice } from "./terminal-device.js";
import { createTheme } from "./theme.js";

/** The exit code of SIGHUP. */
const HANGUP = 129;

export interface FirstScreenOptions {
  /** The directory in which the agent works. */
  readonly root: string;
  readonly version?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings?: TerminalSettings | undefined;
}

/** A screen that nobody but the person uses yet. */
export interface FirstScreen {
  readonly screen: Screen;
  /** The user's settings: its looks, and the behavior of the program. */
  readonly settings: TerminalSettings;
  /** Neither handed over nor taken away. */
  readonly isOpen: boolean;
  /** Gives the screen to the program. Returns the lines that were sent already. */
  handOver(): readonly string[];
  /** Takes all of it away again, unless it was handed over. */
  remove(): Promise<void>;
}

/** Takes the terminal. Resolves when the first frame is drawn. Leaving ends the process until the screen is handed over. */
export async function openFirstScreen(options: FirstScreenOptions): Promise<FirstScreen> {
  const device = new TerminalDevice(process.stdin as ReadStream, process.stdout as WriteStream);
  const { root, version, env, settings = NO_TERMINAL_SETTINGS } = options;
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, settings.editorKeys));
  const screen = new Screen(device, createTheme(env, settings.theme));
  const sent: string[] = [];
  let isOpen = true;
  const leave = (code: number) => {
    screen.stop();
    process.exit(code);
  };
  const signals = [
    ["SIGINT", () => leave(EXIT.interrupted)],
    ["SIGTERM", () => leave(EXIT.terminated)],
    ["SIGHUP", () => leave(HANGUP)],
  ] as const;
  const end = () => {
    isOpen = false;
    for (const [signal, listener] of signals) process.off(signal, listener);
  };
  screen.transcript.add(greeting(screen.theme, root, version));
  screen.editor.onSubmit = (line) => sent.push(line);
  screen.onKey((data) => {
    const isLeaving = matchesKey(data, "ctrl+c") || (matchesKey(data, "ctrl+d") && screen.editor.getText() === "");
    if (isOpen && isLeaving) leave(EXIT.interrupted);
    return false;
  });
  for (const [signal, listener] of signals) process.on(signal, listener);
  process.on("exit", () => device.restore());
  // Before the error is printed, which would be lost on a screen that is still ours.
  process.on("uncaughtExceptionMonitor", () => screen.stop());
  await screen.start();
  return {
    screen,
    settings,
    get isOpen() {
      return isOpen;
    },
    handOver() {
      end();
      return sent;
    },
    async remove() {
      if (!isOpen) return;
      end();
      screen.clear();
      await screen.close();
    },
  };
}
