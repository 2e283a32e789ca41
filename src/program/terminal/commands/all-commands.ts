import { nearestNames } from "../../../text/nearest-names.js";
import { agentCommands } from "./agent-commands.js";
import type { Command, CommandContext } from "./command.js";
import { contextCommands } from "./context-commands.js";
import { healthCommands } from "./health-commands.js";
import { helpCommand } from "./help-command.js";
import { keptSessions } from "./kept-sessions.js";
import { memoryCommands } from "./memory-commands.js";
import { outputCommands } from "./output-commands.js";
import { permissionsCommand } from "./permissions-command.js";
import { sessionCommands } from "./session-commands.js";
import { tasksCommand } from "./tasks-command.js";

/** Every command, in the order of /help. */
export const COMMANDS: readonly Command[] = [
  helpCommand(() => COMMANDS),
  ...sessionCommands,
  ...keptSessions,
  ...contextCommands,
  ...agentCommands,
  tasksCommand,
  permissionsCommand,
  ...healthCommands,
  ...memoryCommands,
  ...outputCommands,
  { name: "exit", aliases: ["quit"], summary: "leave; the session is kept", run: ({ leave }) => leave() },
];

/** Whether a line is a command: one slash and a name. Paths such as `/etc/hosts` are prompts. */
export function isCommand(line: string): boolean {
  return /^\/[a-z][\w:-]*(?:\s|$)/i.test(line);
}

/** Runs the command of a line, and shows what goes wrong. */
export async function runCommand(line: string, context: CommandContext): Promise<void> {
  const [, word = "", argument = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  const { yellow, red } = context.screen.theme;
  const name = word.toLowerCase();
  const command = COMMANDS.find((one) => one.name === name || one.aliases?.includes(name));
  const inFile = context.promptCommands.find((one) => one.name === name);
  if (!command && inFile) {
    context.submit(inFile.promptFor(argument.trim()), inFile.allowedTools);
    return;
  }
  if (!command) {
    const [nearest] = nearestNames(
      name,
      [...COMMANDS, ...context.promptCommands].map((one) => one.name),
      1,
    );
    context.say(
      yellow(`There is no /${name}.${nearest ? ` Did you mean /${nearest}?` : ""} /help lists the commands.`),
    );
    return;
  }
  if (command.needsIdle && context.conversation.isRunning) {
    context.say(yellow(`/${command.name} works once the agent is done. Esc interrupts it.`));
    return;
  }
  try {
    await command.run(context, argument.trim());
  } catch (error) {
    context.say(red(error instanceof Error ? error.message : String(error)));
  }
}
