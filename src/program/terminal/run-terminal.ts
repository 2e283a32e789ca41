// The interactive program: has the terminal, runs until the person leaves, and gives the terminal back on every way out:
// an answer, a signal, an error nobody caught.
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
import { type FirstScreen, openFirstScreen } from "./screen/first-screen.js";
import type { TerminalOptions } from "./terminal-agent.js";
import { TerminalApp } from "./terminal-app.js";

const RECORD = optionOf((value) => typeof value === "object" && value !== null, "an object");

const OPTIONS = {
  open: required(FUNCTION),
  root: PATH,
  provider: required(withMethods("stream")),
  models: optionOf((value) => typeof Object(value).connect === "function", "an object with names and connect()"),
  mode: oneOf("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"),
  sessionId: TEXT,
  limits: RECORD,
  budget: RECORD,
  prompt: TEXT,
  initPrompt: TEXT,
  historyFile: PATH,
  prices: FUNCTION,
  savedRules: listOf(TEXT, "rules"),
  saveRules: FUNCTION,
  keepPluginTrust: FUNCTION,
  names: withMethods("read", "rename"),
  modes: withMethods("of", "keep"),
  trust: withMethods("asksFor", "read", "keep"),
  instructionFiles: FUNCTION,
  promptCommands: FUNCTION,
  version: TEXT,
  settings: RECORD,
  resumeCommand: TEXT,
  env: RECORD,
} satisfies OptionTable<TerminalOptions>;

/**
 * Lets a person talk to an agent at the process's terminal. Resolves with the exit code once they have left: 0, or that of
 * the signal that ended it. What was said is in the session store.
 *
 * To be called where standard input and output are terminals. `first` is the screen, where it is taken already.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a wrong option; and what `open` throws, once the terminal is given back
 */
export async function runTerminal(options: TerminalOptions, first?: FirstScreen): Promise<number> {
  checkOptions("runTerminal()", options, OPTIONS);
  const { version, env = process.env, resumeCommand = "loopwright --resume" } = options;
  const { root = process.cwd(), settings } = options;
  const shown = first ?? (await openFirstScreen({ root, version, env, settings }));
  const { screen } = shown;
  const app = new TerminalApp(screen, options, shown.settings);
  const agent = await options.open(app.approver).catch(async (error: unknown) => {
    await shown.remove();
    throw error;
  });
  let exitCode = 0;
  const endWith = (code: number) => () => {
    exitCode = code;
    app.leave();
  };
  const off = onProcess([
    ["SIGINT", () => screen.isLent || app.keyboard.pressInterrupt()],
    ["SIGTERM", endWith(143)],
    ["SIGHUP", endWith(129)],
  ]);
  try {
    await app.run(agent, () => shown.handOver());
    await app.end();
  } finally {
    await screen.close();
    off();
    await agent.close();
  }
  if (app.sessionId !== undefined)
    process.stdout.write(screen.theme.dim(`Go on with it: ${resumeCommand} ${app.sessionId}\n`));
  return exitCode;
}

/** Listens to the process. Returns what stops listening. */
function onProcess(listeners: readonly (readonly [event: string, listener: () => void])[]): () => void {
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
