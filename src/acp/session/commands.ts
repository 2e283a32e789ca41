import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { ContentPart } from "../../contracts/content.js";

/** A command that the user can type as `/name …`: what is sent to the model in its place. */
export interface AcpCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** Shown while there is no input yet. Without it the command takes none. */
  readonly hint?: string | undefined;
  /** Makes the prompt from what follows the name. */
  readonly prompt: (input: string) => string;
}

/** The command that compacts the session, where the engine can. */
export const COMPACT: Omit<AcpCommand, "prompt"> = {
  name: "compact",
  description: "Summarize the conversation to make room.",
  hint: "what to keep in mind",
};

export function describeCommand({ name, description, hint }: Omit<AcpCommand, "prompt">): AvailableCommand {
  return { name, description, ...(hint !== undefined && { input: { hint } }) };
}

/** The command a prompt begins with, and the prompt's text behind its name. */
export function splitCommand(content: readonly ContentPart[]): { name: string; input: string } | null {
  const [first] = content;
  const match = first?.type === "text" ? /^\/(\S+)\s*([\s\S]*)$/.exec(first.text.trim()) : null;
  return match ? { name: match[1]!, input: match[2]! } : null;
}

/** The prompt that a command of the host's makes of what the user typed; other content of the prompt stays. */
export function expandCommand(
  content: readonly ContentPart[],
  commands: readonly AcpCommand[],
): readonly ContentPart[] {
  const typed = splitCommand(content);
  const command = typed && commands.find(({ name }) => name === typed.name);
  if (!command) return content;
  return [{ type: "text", text: command.prompt(typed.input) }, ...content.slice(1)];
}
