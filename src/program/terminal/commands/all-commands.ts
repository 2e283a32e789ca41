import { nearestNames } from "../../../text/nearest-names.js";
import type { PromptCommand } from "../../project/prompt-commands.js";
import { safeLine } from "../screen/safe-text.js";
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

/** Sends a command's prompt, unless the hooks for it object; what they add goes with it. */
async function submitExpanded(command: PromptCommand, given: string, context: CommandContext): Promise<void> {
  const { agent, conversation, say, screen } = context;
  const prompt = command.promptFor(given);
  const about = { commandName: command.name, commandArgs: given, commandSource: command.source, prompt };
  const payload = { expansionType: "slash_command", ...about } as const;
  const outcome = await agent.engine.notify("UserPromptExpansion", payload, conversation.sessionId);
  for (const message of [...(outcome?.systemMessages ?? []), ...(outcome?.failures ?? [])]) say(safeLine(message));
  if (outcome?.blocked || outcome?.continue === false) {
    const why = outcome.reason ?? outcome.stopReason ?? "by a hook";
    say(screen.theme.yellow(safeLine(`/${command.name} was blocked: ${why}`)));
    return;
  }
  context.submit([prompt, ...(outcome?.additionalContext ?? [])].join("\n\n"), command.allowedTools);
}

/** Runs the command of a line, and shows what goes wrong. */
export async function runCommand(line: string, context: CommandContext): Promise<void> {
  const [, word = "", argument = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  const { yellow, red } = context.screen.theme;
  const name = word.toLowerCase();
  const command = COMMANDS.find((one) => one.name === name || one.aliases?.includes(name));
  const inFile = context.promptCommands.find((one) => one.name === name);
  if (!command && inFile) {
    await submitExpanded(inFile, argument.trim(), context).catch((error) => context.say(red(String(error))));
    return;
  }
  if (!command && context.agent.skills?.skills.some((skill) => skill.name === name)) return context.submit(line);
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
