import { resolve } from "node:path";
import type { Hook, HookInput, HookPoint, HookResult } from "../contracts/hook.js";
import type { StartProgram } from "../contracts/workspace-machine.js";
import {
  ANYTHING,
  checkOptions,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  PATH,
  recordOf,
  required,
  STRING,
  TEXT,
} from "../json/check-options.js";
import { childEnvironment } from "../processes/child-environment.js";
import type { BackgroundHooks } from "./background-hooks.js";
import { FILTER_OPTIONS, type FilteredHookOptions, filteredHook } from "./filtered-hook.js";
import { hasEffort, toWire, WIRE_OPTIONS, type WireContext } from "./hook-input-json.js";
import { answerOf, askedOf } from "./hook-output.js";
import { type Program, runElsewhere, runProgram } from "./hook-program.js";

const DEFAULT_TIMEOUT_MS = 600_000;
/** The signal ends the program first; the engine's own timer is for one that cannot be ended. */
const TIMEOUT_MARGIN_MS = 5_000;
/** Variables that are filled in without a shell. */
const PLACES = /\$\{((?:CLAUDE_)?PLUGIN_(?:ROOT|DATA)|CLAUDE_PROJECT_DIR)\}/g;
/** Variables about the user's session, which notifiers and formatters ask for. None of them is a secret. */
const SESSION_VARIABLES = [
  "LOGNAME",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_STATE_HOME",
  "VIRTUAL_ENV",
];

/** Options of `commandHook()`. */
export interface CommandHookOptions extends FilteredHookOptions, Omit<Partial<WireContext>, "dir"> {
  /** A command line for the shell, or with `args` the program itself. */
  readonly command: string;
  /** Given to the program as they are, without a shell. `${CLAUDE_PROJECT_DIR}` in them is filled in, and so
   * are the places of a plugin. */
  readonly args?: readonly string[] | undefined;
  /** Default: `bash`. */
  readonly shell?: "bash" | "powershell" | undefined;
  /** The project's directory: where the command runs, and `CLAUDE_PROJECT_DIR`. Default: the process's own. */
  readonly dir?: string | undefined;
  /** Unit: milliseconds. Default: 600_000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The meaning of a command that cannot be started, is not in time, or ends with another exit code than 0 and 2. Default:
   * `continue`, as in Claude Code; an answer that cannot be read blocks at the points that guard, unless this is set.
   */
  readonly onFailure?: "block" | "continue" | undefined;
  /** Variables the command gets beside the few it inherits. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Starts the command on another machine, as `startProgram` of a workspace does: in `dir` there, with its `sh`, and with no variables of
   * this machine.
   */
  readonly start?: StartProgram | undefined;
  /** Called before the command is started. What it throws is a failure of the hook: the command is not started. */
  readonly beforeStart?: ((point: HookPoint) => Promise<void>) | undefined;
  /** Starts the command and does not wait for it; what it answers is dropped. */
  readonly background?: BackgroundHooks | undefined;
  /** The keeper of a command that asks, by a first line `{"async": true}`, not to be waited for any longer. */
  readonly aside?: BackgroundHooks | undefined;
}

const OPTIONS = {
  command: required(STRING),
  args: listOf(TEXT, "strings"),
  shell: oneOf("bash", "powershell"),
  dir: PATH,
  ...WIRE_OPTIONS,
  env: recordOf(TEXT, "strings by name"),
  ...FILTER_OPTIONS,
  start: FUNCTION,
  beforeStart: FUNCTION,
  background: ANYTHING,
  aside: ANYTHING,
} satisfies OptionTable<CommandHookOptions>;

/**
 * A hook that is a program: it reads the event as JSON on its standard input, and replies by its exit code (0 goes on,
 * 2 blocks with standard error as the reason) or with JSON on its standard output. The protocol is Claude Code's, with
 * its names of tools and fields.
 *
 * The program runs in a process group of its own; when its time is over or the run has ended, all it started is ended.
 * Messages about its failures never hold the command line; what it printed to standard error is for the host alone.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a matcher that is not a regular expression
 * @see https://code.claude.com/docs/en/hooks (read 2026-11)
 */
export function commandHook<P extends HookPoint = HookPoint>(options: CommandHookOptions): Hook<P> {
  checkOptions("commandHook()", options, OPTIONS);
  const { hostDirectory, transcriptPath, sessionTitle, start } = options;
  const dir = hostDirectory === undefined ? resolve(options.dir ?? ".") : (options.dir ?? hostDirectory);
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const own = start ? options.env : { ...sessionVariables(), ...childEnvironment(options.env) };
  const env = { ...own, CLAUDE_PROJECT_DIR: dir };
  const run = start ? (program: Program) => runElsewhere(start, program) : runProgram;

  async function ask(input: HookInput, signal: AbortSignal): Promise<HookResult> {
    await options.beforeStart?.(input.hookEventName);
    const wire = JSON.stringify(toWire(input, { dir, hostDirectory, transcriptPath, sessionTitle }));
    const { effort } = input;
    const timer = new AbortController();
    const endAfter = (ms: number) =>
      setTimeout(() => timer.abort(new Error(`the command did not end within ${ms} ms`)), ms);
    let timeout = endAfter(timeoutMs);
    return new Promise((resolve, reject) => {
      const running = run({
        ...programOf(options, dir),
        cwd: start ? dir : (hostDirectory ?? dir),
        env: hasEffort(effort) ? { ...env, CLAUDE_EFFORT: effort } : env,
        input: `${wire}\n`,
        signal: AbortSignal.any([signal, timer.signal]),
        onFirstLine(line) {
          const { aside } = options;
          const wish = readAside(line);
          if (!aside || !wish) return;
          if (!aside.adopt(running, () => timer.abort(new Error("the settings were closed")))) return;
          clearTimeout(timeout);
          timeout = endAfter(Math.min(wish.timeoutMs, timeoutMs));
          resolve({});
        },
      }).finally(() => clearTimeout(timeout));
      running.then((outcome) => resolve(answerOf(outcome, askedOf(input)))).catch(reject);
    });
  }

  const when = { timeoutMs: timeoutMs + TIMEOUT_MARGIN_MS, onFailure: options.onFailure ?? "continue" } as const;
  return filteredHook(options, when, (input, signal) => {
    if (!options.background) return ask(input, signal);
    options.background.start((ended) => ask(input, ended));
    return undefined;
  });
}

/** The time a program goes on aside that asks, by its first line, not to be waited for; `null` when it does not. */
function readAside(line: string): { readonly timeoutMs: number } | null {
  try {
    const { async: isAside, asyncTimeout } = Object(JSON.parse(line)) as { async?: unknown; asyncTimeout?: unknown };
    if (isAside !== true) return null;
    return { timeoutMs: typeof asyncTimeout === "number" ? Math.max(1, asyncTimeout) : Number.POSITIVE_INFINITY };
  } catch {
    return null;
  }
}

function sessionVariables(): Record<string, string> {
  return Object.fromEntries(
    SESSION_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function programOf(
  { command, args, shell = "bash", start, env }: CommandHookOptions,
  dir: string,
): { readonly file: string; readonly args: readonly string[] } {
  const known = { ...env, CLAUDE_PROJECT_DIR: dir };
  const filled = (text: string) =>
    text.replace(PLACES, (whole, name: string) => known[name as keyof typeof known] ?? whole);
  if (args) return { file: filled(command), args: args.map(filled) };
  if (shell === "powershell") {
    return { file: "pwsh", args: ["-NoProfile", "-NonInteractive", "-Command", command] };
  }
  if (start) return { file: "sh", args: ["-c", command] };
  // Standard input is a socket, at which bash would read the user's .bashrc and what it prints would be the answer.
  return { file: "bash", args: ["--norc", "-c", command] };
}
