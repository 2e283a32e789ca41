import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import type { TerminalAgent } from "../terminal-agent.js";
import { TextBlock } from "./block.js";

/** The greeting above every conversation: where the agent works, how to get help, and what of the project is not in use. */
export function greeting(
  { bold, dim, yellow }: Theme,
  { workspace, problems = [], untrusted = [] }: TerminalAgent,
  version = "",
): TextBlock {
  const lines = [
    `${bold("loopwright")}${version && dim(` ${version}`)} ${dim(`· ${safeLine(workspace.root)}`)}`,
    dim("/help for commands and keys · @ for files · esc interrupts"),
    ...problems.map(({ source, message }) => yellow(`! ${safeLine(source)}: ${safeLine(message)}`)),
  ];
  if (untrusted.length > 0) {
    const files = [...new Set(untrusted.map(({ source }) => safeLine(source)))].join(", ");
    lines.push(yellow(`! Not in use, as this project is not trusted: ${files}`));
  }
  return new TextBlock(lines.join("\n"));
}
