import { safeLine } from "../screen/safe-text.js";
import type { Screen } from "../screen/screen.js";
import type { Theme } from "../screen/theme.js";
import type { TerminalAgent } from "../terminal-agent.js";
import { TextBlock } from "./block.js";

/** The greeting above every conversation: where the agent works, and how to get help. */
export function greeting({ bold, dim }: Theme, root: string, version = ""): TextBlock {
  return new TextBlock(
    [
      `${bold("loopwright")}${version && dim(` ${version}`)} ${dim(`· ${safeLine(root)}`)}`,
      dim("/help for commands and keys · @ for files · esc interrupts"),
    ].join("\n"),
  );
}

/** Says what could not be used as it is written, and what of the project is not in use. */
export function sayNotInUse(screen: Screen, { problems = [], untrusted = [] }: TerminalAgent): void {
  const { yellow } = screen.theme;
  const lines = problems.map(({ source, message }) => yellow(`! ${safeLine(source)}: ${safeLine(message)}`));
  if (untrusted.length > 0) {
    const files = [...new Set(untrusted.map(({ source }) => safeLine(source)))].join(", ");
    lines.push(yellow(`! Not in use, as this project is not trusted: ${files}`));
  }
  if (lines.length > 0) screen.add(new TextBlock(lines.join("\n")));
}
