import { isCommand } from "../commands/all-commands.js";

/** A line that the person typed: a prompt for the model, or work for the program. */
export type TypedLine =
  | { readonly kind: "prompt" }
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "own-command"; readonly command: string };

/** `!` begins a command of the person's own, `#` and a single line a fact to remember, a slash and a name a command. */
export function readTypedLine(text: string): TypedLine {
  const [, command] = /^!\s*(\S[\s\S]*)$/.exec(text) ?? [];
  if (command !== undefined) return { kind: "own-command", command };
  const [, fact] = /^#\s*([^#\s].*)$/.exec(text) ?? [];
  if (fact !== undefined) return { kind: "command", line: `/memory ${fact}` };
  return isCommand(text) ? { kind: "command", line: text } : { kind: "prompt" };
}
