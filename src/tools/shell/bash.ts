import type { JsonSchema } from "../../contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import type { CommandOutcome, Workspace } from "../../contracts/workspace.js";
import { checkOptions, FLAG, FUNCTION, numberFrom, type OptionTable, optionError } from "../../json/check-options.js";
import { flag, type InputOf, integer, object, optional, string } from "../../schema/fields.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { backgroundCommands } from "./bash-background.js";
import { filesAsKnown, reportChangedFiles } from "./changed-files.js";
import { describeExit, shownOutput, whereKept, withNotes } from "./format-output.js";
import { KeptOutput } from "./output-kept.js";
import { OutputProgress } from "./output-progress.js";
import { OutputWindow, SHOWN_BYTES, textOfWindow } from "./output-window.js";
import { SeparateStreams } from "./separate-streams.js";
import { SessionDirectories } from "./session-directories.js";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;
/** The shell ends a command at its own timeout; the tool's is only for a runner that does not. */
const TIMEOUT_MARGIN_MS = 10_000;

const createInput = ({ timeoutMs, maxTimeoutMs }: ShellTimes) =>
  object({
    command: string("The command line, as for `bash -c`.", {
      minLength: 1,
      problemOf: (command) => (command.includes("\0") ? "expected a command line without NUL characters" : null),
    }),
    timeout_ms: optional(
      integer(`Milliseconds until it is stopped. Default: ${timeoutMs}; none in the background.`, {
        minimum: 1,
        maximum: maxTimeoutMs,
      }),
    ),
    description: optional(string("What it does, in a few words, for the people watching.")),
    run_in_background: optional(flag("Return at once with a task id and keep it running.")),
  });
type BashInput = InputOf<ReturnType<typeof createInput>>;

const description = `Runs a command with bash in the workspace and returns its output and exit code.
There is no standard input. \`cd\` lasts to the next call; variables, functions and processes do not. For what has to keep
running, such as a server, set run_in_background; bash_output reads what it writes, bash_kill ends it. Read, edit and find
files with the other tools.`;

/** Options of `createBashTool()`. */
export interface BashToolOptions {
  /** Says that a command only reads, so that it may run beside other readers. Default: none does. */
  readonly isReadOnlyCommand?: ((command: string) => boolean) | undefined;
  /** The time limit of a command that sets none. Default: 30_000, at most `maxTimeoutMs`. Unit: milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The most that `timeout_ms` of a call may be. Default: 600_000, or `timeoutMs` if that is more. Unit: milliseconds. */
  readonly maxTimeoutMs?: number | undefined;
  /**
   * Whether `details`, and with them hooks, have `stdout` and `stderr` apart, each shortened to what the model would be shown.
   * Both streams then come in the order in which they are read: of what is written in one moment, that need not be the
   * order of writing. Default: `false`.
   */
  readonly separateStreams?: boolean | undefined;
}

interface ShellTimes {
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
}

export const BASH_OPTIONS = {
  isReadOnlyCommand: FUNCTION,
  timeoutMs: numberFrom(1, "milliseconds", LONGEST_TIMER_MS),
  maxTimeoutMs: numberFrom(1, "milliseconds", LONGEST_TIMER_MS),
  separateStreams: FLAG,
} satisfies OptionTable<BashToolOptions>;

const BASH_VALUE: JsonSchema = {
  type: "object",
  properties: {
    exitCode: { type: ["integer", "null"], description: "null: a signal ended it" },
    output: { type: "string", description: "both streams; of more than 2 MiB, the first and last half" },
    taskId: { type: "string", description: "alone, of a command in the background" },
  },
};

/**
 * The tool `bash`: runs a command in the workspace's shell.
 *
 * A non-zero exit is not an error: the result says the exit code, and `details` has `exitCode`, `signal`, `timedOut` and
 * `durationMs`, with `artifact` when the output was too long to show. Such output goes to the artifact store, at most
 * 64 MiB of it. New output is reported as progress, `{ output }`, at most ten times a second. Aborted calls reject with
 * the signal's reason once nothing of the command is left.
 *
 * With `run_in_background` the call returns at once, `details` has `taskId`, and the command runs until it ends by
 * itself, by `bash_kill`, its own `timeout_ms`, the end of the session or the workspace's `close`. A reminder says once
 * that it has ended. At most 16 run at a time in a session.
 */
export function createBashTool(workspace: Workspace, options: BashToolOptions = {}): BaseTool<BashInput> {
  checkOptions("createBashTool()", options, BASH_OPTIONS);
  const times = timesOf(options);
  const input = createInput(times);
  const directories = new SessionDirectories(workspace);

  async function runInForeground({ command, timeout_ms }: BashInput, context: ToolContext): Promise<ToolOutput> {
    const timeoutMs = timeout_ms ?? times.timeoutMs;
    const window = new OutputWindow(SHOWN_BYTES);
    const kept = new KeptOutput(context.artifacts ?? workspace.artifacts, context.sessionId);
    const progress = new OutputProgress((update) => context.progress(update));
    const place = await directories.enter(context);
    const streams = options.separateStreams ? new SeparateStreams() : undefined;
    const onChunk = (chunk: Uint8Array) => {
      window.write(chunk);
      progress.write(chunk);
      return kept.write(chunk);
    };
    context.whenCutOff?.(() => (window.bytes === 0 ? "" : shownOutput(window.end(), "it was not kept")));

    const asKnown = await filesAsKnown(workspace, context);
    const outcome = await workspace.shell
      .run({
        command,
        cwd: place.directory,
        env: variablesOf(workspace, context, place.previous),
        timeoutMs,
        signal: context.signal,
        ...(streams ? streams.readBy(onChunk) : { onOutput: onChunk }),
      })
      .catch(async (error) => {
        await kept.discard();
        throw error;
      })
      .finally(() => progress.end());

    const output = window.end();
    const where = output.text === undefined ? await kept.end() : undefined;
    const moved = await directories.leave(context, place, outcome);
    await reportChangedFiles(workspace, context, asKnown);
    const { exitCode, signal, timedOut, durationMs } = outcome;
    const artifact = where && "path" in where ? where : undefined;
    return {
      output: withNotes(shownOutput(output, where ? whereKept(output.bytes, where) : ""), [
        place.note,
        describeEnd(outcome, { timeoutMs, maxTimeoutMs: times.maxTimeoutMs }, output.bytes),
        moved,
      ]),
      details: {
        exitCode,
        signal,
        timedOut,
        durationMs,
        // The effects of a command before its end are not known.
        ...((timedOut || signal !== null) && { outcome: "unknown" }),
        ...streams?.shown(),
        ...(artifact && { artifact: artifact.path }),
      },
      artifact,
      get value() {
        return { exitCode, output: textOfWindow(output) };
      },
    };
  }

  async function startInBackground(args: BashInput, context: ToolContext): Promise<ToolOutput> {
    const { directory, previous, note } = await directories.enter(context);
    const { command, description: name, timeout_ms: timeoutMs } = args;
    const env = variablesOf(workspace, context, previous);
    const { id } = backgroundCommands(workspace).start(
      { command, cwd: directory, env, timeoutMs, name: name ?? command },
      context,
    );
    const started = `Runs in the background as "${id}". bash_output reads what it writes, bash_kill ends it.`;
    return { output: withNotes(started, [note]), details: { taskId: id }, value: { taskId: id } };
  }

  return defineBuiltinTool({
    name: "bash",
    description,
    input,
    outputSchema: BASH_VALUE,
    permission: "execute",
    worksIn: workspace,
    describe: ({ command }) => ({
      title: command ? `\`${command.replaceAll("`", "'")}\`` : "Run a command",
      kind: "execute",
      command,
    }),
    replayable: false,
    timeoutMs: Math.min(times.maxTimeoutMs + TIMEOUT_MARGIN_MS, LONGEST_TIMER_MS),
    claims: ({ command }) => [{ mode: options.isReadOnlyCommand?.(command) ? "read" : "write", key: "*" }],
    execute: async (args, context) =>
      args.run_in_background ? startInBackground(args, context) : runInForeground(args, context),
    reminder: (about) => backgroundCommands(workspace).reminder(about),
    async endSession(sessionId) {
      directories.endSession(sessionId);
      await backgroundCommands(workspace).endSession(sessionId);
    },
  });
}

function timesOf({ timeoutMs, maxTimeoutMs }: BashToolOptions): ShellTimes {
  const most = maxTimeoutMs ?? Math.max(MAX_TIMEOUT_MS, timeoutMs ?? 0);
  if (timeoutMs !== undefined && timeoutMs > most) {
    throw optionError("createBashTool()", "timeoutMs", timeoutMs, `at most maxTimeoutMs, ${most}`);
  }
  return { timeoutMs: timeoutMs ?? Math.min(DEFAULT_TIMEOUT_MS, most), maxTimeoutMs: most };
}

/** `OLDPWD` is taken over by the shell, so that `cd -` works across calls. */
function variablesOf(
  workspace: Workspace,
  { sessionId }: ToolContext,
  previous: string | undefined,
): Record<string, string> {
  const temporary = workspace.temporaryDirectory?.(sessionId);
  return { ...(temporary !== undefined && { TMPDIR: temporary }), ...(previous !== undefined && { OLDPWD: previous }) };
}

function describeEnd(
  outcome: CommandOutcome,
  { timeoutMs, maxTimeoutMs }: ShellTimes,
  bytes: number,
): string | undefined {
  const without = bytes === 0 ? ", without output" : "";
  if (outcome.timedOut) {
    const more = timeoutMs < maxTimeoutMs ? `. timeout_ms can be up to ${maxTimeoutMs}` : "";
    return `Timed out after ${timeoutMs / 1000} s${without}: the command and all it started were ended${more}`;
  }
  if (outcome.exitCode === 0 && bytes > 0) return undefined;
  return `${describeExit(outcome)}${without}`;
}
