// The interactive program: takes the terminal, runs until the person leaves, and gives the terminal back on every way out:
// an answer, a signal, an error nobody caught.
import type { ReadStream, WriteStream } from "node:tty";
import {
  checkOptions,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  optionOf,
  PATH,
  required,
  TEXT,
  withMethods,
} from "../../json/check-options.js";
import { TerminalDevice } from "./screen/terminal-device.js";
import { createTheme } from "./screen/theme.js";
import type { TerminalOptions } from "./terminal-agent.js";
import { TerminalApp } from "./terminal-app.js";

const RECORD = optionOf((value) => typeof value === "object" && value !== null, "an object");

const OPTIONS = {
  open: required(FUNCTION),
  provider: required(withMethods("stream")),
  models: optionOf((value) => typeof Object(value).connect === "function", "an object with names and connect()"),
  mode: oneOf("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"),
  sessionId: TEXT,
  prompt: TEXT,
  initPrompt: TEXT,
  historyFile: PATH,
  prices: FUNCTION,
  savedRules: listOf(TEXT, "rules"),
  saveRules: FUNCTION,
  names: withMethods("read", "rename"),
  trust: withMethods("asksFor", "read", "keep"),
  instructionFiles: FUNCTION,
  promptCommands: FUNCTION,
  version: TEXT,
  resumeCommand: TEXT,
  env: RECORD,
} satisfies OptionTable<TerminalOptions>;

/**
 * Lets a person talk to an agent at the process's terminal. Resolves with the exit code once they have left: 0, or that of
 * the signal that ended it. What was said is in the session store.
 *
 * To be called where standard input and output are terminals.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a wrong option; and what `open` throws, before the screen is taken
 */
export async function runTerminal(options: TerminalOptions): Promise<number> {
  checkOptions("runTerminal()", options, OPTIONS);
  const theme = createTheme(options.env ?? process.env);
  const device = new TerminalDevice(process.stdin as ReadStream, process.stdout as WriteStream);
  const app = new TerminalApp(device, theme, options);
  const agent = await options.open(app.approver);
  let exitCode = 0;
  const endWith = (code: number) => () => {
    exitCode = code;
    app.leave();
  };
  const off = onProcess([
    ["SIGINT", () => app.keyboard.pressInterrupt()],
    ["SIGTERM", endWith(143)],
    ["SIGHUP", endWith(129)],
    // Before the error is printed, which would be lost on a screen that is still ours.
    ["uncaughtExceptionMonitor", () => app.screen.stop()],
    ["exit", () => device.restore()],
  ]);
  try {
    await app.run(agent);
    await app.end();
  } finally {
    await app.screen.close();
    off();
    await agent.close();
  }
  if (app.sessionId !== undefined) {
    const command = options.resumeCommand ?? "loopwright --resume";
    process.stdout.write(theme.dim(`Go on with it: ${command} ${app.sessionId}\n`));
  }
  return exitCode;
}

/** Listens to the process. Returns what stops listening. */
function onProcess(listeners: readonly (readonly [event: string, listener: () => void])[]): () => void {
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
