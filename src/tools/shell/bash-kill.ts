import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { OWN_WORDS } from "../../labels/join-labels.js";
import { type InputOf, object, string } from "../../schema/fields.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { backgroundCommands } from "./bash-background.js";
import { BACKGROUND_CLAIM } from "./bash-output.js";

const bashKillInput = object({ task_id: string("The id that bash returned, such as `bash_1`.", { minLength: 1 }) });

/**
 * The tool `bash_kill`: ends a background command and everything it started; answers when nothing is left.
 *
 * Its output can still be read with `bash_output`. One that has ended already is not an error.
 */
export function createBashKillTool(workspace: Workspace): BaseTool<InputOf<typeof bashKillInput>> {
  return defineBuiltinTool({
    name: "bash_kill",
    description: "Ends a background command and everything it started.",
    input: bashKillInput,
    permission: "none",
    returns: OWN_WORDS,
    describe: ({ task_id = "a command" }) => ({ title: `Stop ${task_id}`, kind: "execute" }),
    claims: () => [BACKGROUND_CLAIM],
    async execute({ task_id }, { sessionId }) {
      const command = backgroundCommands(workspace).get(sessionId, task_id);
      const { ended } = command;
      await command.kill();
      return {
        output: `${ended ? "Had ended before" : "Ended"}: ${command.describe()}. bash_output shows what it wrote last.`,
        details: { taskId: task_id, running: false },
      };
    },
  });
}
