import type { Command } from "./command.js";

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ["enter", "send; while the agent works, it reads this at its next step"],
  ["shift+enter, ctrl+j, \\ enter", "a new line"],
  ["@", "a file by its name"],
  ["↑ ↓", "earlier prompts"],
  ["esc, ctrl+c", "interrupt the agent"],
  ["ctrl+c twice, ctrl+d", "leave; the session is kept"],
  ["shift+tab", "switch: ask before changes, edit without asking, plan"],
  ["ctrl+o", "all of a long question"],
  ["ctrl+l", "draw the screen again"],
];

/** /help: the commands and the keys. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    summary: "commands and keys",
    run({ say, screen }) {
      const { bold, cyan, dim } = screen.theme;
      const rows = commands().map(({ name, argument, summary }) => [`/${name}${argument ? ` ${argument}` : ""}`, summary] as const);
      const table = (lines: readonly (readonly [string, string])[]) => {
        const width = Math.max(...lines.map(([left]) => left.length)) + 3;
        return lines.map(([left, right]) => `${cyan(left.padEnd(width))}${dim(right)}`).join("\n");
      };
      say(`${bold("Commands")}\n${table(rows)}\n\n${bold("Keys")}\n${table(KEYS)}`);
    },
  };
}
