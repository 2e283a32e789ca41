import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { type InputOf, object, string } from "../../schema/fields.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { backgroundCommands } from "./bash-background.js";
import { withNotes } from "./format-output.js";

/** Conflicts with `bash` alone, so that a command started in the same message is there to be read. */
export const BACKGROUND_CLAIM = { mode: "write", key: "bash:background" } as const;

const bashOutputInput = object({ task_id: string("The id that bash returned, such as `bash_1`.", { minLength: 1 }) });

/**
 * The tool `bash_output`: what a background command has written since the last time, and whether it still runs.
 *
 * `details` holds `taskId`, `running`, `exitCode`, `signal` and `durationMs`, with `artifact` once it has ended and
 * wrote more than is shown at once. An unknown id fails with `COMMAND_NOT_FOUND` and lists the session's commands.
 */
export function createBashOutputTool(workspace: Workspace): BaseTool<InputOf<typeof bashOutputInput>> {
  return defineBuiltinTool({
    name: "bash_output",
    description: `Reads what a background command has written since the last time, and says whether it still runs.
An unknown id lists the commands there are.`,
    input: bashOutputInput,
    permission: "none",
    describe: ({ task_id = "a command" }) => ({ title: `Read the output of ${task_id}`, kind: "execute" }),
    polls: true,
    claims: () => [BACKGROUND_CLAIM],
    async execute({ task_id }, { sessionId }) {
      const command = backgroundCommands(workspace).get(sessionId, task_id);
      const text = command.read();
      const { ended, kept, durationMs } = command;
      const outcome = ended && "outcome" in ended ? ended.outcome : undefined;
      const artifact = kept && "path" in kept ? kept : undefined;
      return {
        output: withNotes(text, [`${task_id}: ${command.state()}${text === "" ? ", no new output" : ""}`]),
        details: {
          taskId: task_id,
          running: ended === undefined,
          exitCode: outcome?.exitCode ?? null,
          signal: outcome?.signal ?? null,
          durationMs,
          ...(artifact && { artifact: artifact.path }),
        },
        artifact,
      };
    },
  });
}
