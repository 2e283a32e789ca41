import { z } from "zod";
import type { BaseTool, ToolContext } from "../contracts/tool.js";
import type { ArtifactStore, CommandOutcome, Workspace } from "../contracts/workspace.js";
import { defineTool } from "../registry/define-tool.js";
import { OutputProgress } from "./output-progress.js";
import { type EndedOutput, OutputWindow } from "./output-window.js";
import { SessionFolders } from "./session-folders.js";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;
/** The shell ends a command at its own timeout; the tool's is only for a runner that does not. */
const TIMEOUT_MARGIN_MS = 10_000;
const ARTIFACT_BYTES = 64 * 1024 * 1024;
const SHOWN_BYTES = 2 * 1024 * 1024;

const input = z.object({
  command: z
    .string()
    .min(1)
    .refine((command) => !command.includes("\0"), "a command line without NUL characters")
    .describe("The command line, as for `bash -c`."),
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .default(DEFAULT_TIMEOUT_MS)
    .describe("The command is ended after this many milliseconds."),
  description: z.string().optional().describe("What the command does, in a few words, for whoever watches."),
});

const description = `Runs a command with bash in the workspace and answers with its output and exit code.
Both streams come in the order they were written. There is no standard input. \`cd\` lasts to the next call; variables,
functions and processes do not: whatever still runs when the shell ends is ended too. Use the file and search tools to
read, edit and find files.`;

export interface BashToolOptions {
  /** Says that a command only reads, so that it may run beside other readers. Default: none does. */
  isReadOnlyCommand?(command: string): boolean;
}

/**
 * The tool `bash`: runs a command in the workspace's shell.
 *
 * A non-zero exit is no error: the answer says the exit code, and `details` holds `exitCode`, `signal`, `timedOut` and
 * `durationMs`, with `artifact` when the output was too long to show. Such output goes to the artifact store, at most
 * 64 MiB of it. New output is reported as progress, `{ output }`, at most ten times a second. Aborted calls reject with
 * the signal's reason once nothing of the command is left.
 */
export function createBashTool(workspace: Workspace, options: BashToolOptions = {}): BaseTool<z.infer<typeof input>> {
  const folders = new SessionFolders(workspace);

  return defineTool({
    name: "bash",
    description,
    input,
    permission: "execute",
    replayable: false,
    timeoutMs: MAX_TIMEOUT_MS + TIMEOUT_MARGIN_MS,
    claims: ({ command }) => [{ mode: options.isReadOnlyCommand?.(command) ? "read" : "write", key: "*" }],
    async execute({ command, timeout_ms }, context) {
      const store = context.artifacts ?? workspace.artifacts;
      const output = new OutputWindow(store ? ARTIFACT_BYTES : SHOWN_BYTES);
      const progress = new OutputProgress((update) => context.progress(update));
      const { folder, note } = await folders.enter(context);

      const outcome = await workspace.shell
        .run({
          command,
          cwd: folder,
          timeoutMs: timeout_ms,
          signal: context.signal,
          onOutput(chunk) {
            output.write(chunk);
            progress.write(chunk);
          },
        })
        .finally(() => progress.end());

      const ended = output.end();
      const kept = ended.text === undefined ? await keep(ended, context, store) : undefined;
      const moved = await folders.leave(context, folder, outcome.cwd);
      const { exitCode, signal, timedOut, durationMs } = outcome;
      const notes = [note, describe(outcome, timeout_ms, output.bytes), moved].filter((line) => line !== undefined);
      return {
        output: withNotes(shown(ended, output.bytes, kept), notes),
        details: { exitCode, signal, timedOut, durationMs, ...(kept && "path" in kept && { artifact: kept.path }) },
      };
    },
    async endSession(sessionId) {
      workspace.shellFolders.endSession(sessionId);
    },
  });
}

type Kept = { readonly path: string } | { readonly problem: string };

/** The command has run, so its answer matters more than a store that fails: the answer says so instead. */
async function keep(output: EndedOutput, context: ToolContext, store: ArtifactStore | undefined): Promise<Kept> {
  if (!store) return { problem: "it was not kept, because there is no artifact store" };
  try {
    const about = { sessionId: context.sessionId, mediaType: "text/plain" };
    return { path: (await store.put(output.kept, about)).path };
  } catch (error) {
    return { problem: `it could not be kept: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function shown(output: EndedOutput, bytes: number, kept: Kept | undefined): string {
  if (output.text !== undefined) return output.text;
  const what = bytes > ARTIFACT_BYTES ? "its first and last 32 MiB" : "all of it";
  const where = kept && "path" in kept ? `${what}: see "${kept.path}" with read_file` : kept?.problem;
  return `${output.head}\n\n[… the middle of ${bytes} bytes is left out; ${where} …]\n\n${output.tail}`;
}

function describe(
  { exitCode, signal, timedOut }: CommandOutcome,
  timeoutMs: number,
  bytes: number,
): string | undefined {
  const without = bytes === 0 ? ", without output" : "";
  if (timedOut) {
    return `Timed out after ${timeoutMs / 1000} s${without}: the command and all it started were ended. timeout_ms can be up to ${MAX_TIMEOUT_MS}`;
  }
  if (signal) return `Ended by ${signal}${without}`;
  if (exitCode !== 0) return `Exit code ${exitCode}${without}`;
  return bytes === 0 ? "Exit code 0, without output" : undefined;
}

function withNotes(text: string, notes: readonly string[]): string {
  const separator = text === "" || text.endsWith("\n") || notes.length === 0 ? "" : "\n";
  return `${text}${separator}${notes.map((note) => `[${note}]`).join("\n")}`;
}
