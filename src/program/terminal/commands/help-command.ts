import { DrawnBlock, indented } from "../transcript/block.js";
import type { Command } from "./command.js";

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ["enter", "send; an agent at work reads it at its next step"],
  ["shift+enter, ctrl+j", "a new line; so does \\ before enter"],
  ["@", "a file by its name"],
  ["↑ ↓", "earlier prompts"],
  ["esc, ctrl+c", "interrupt the agent"],
  ["ctrl+c twice, ctrl+d", "leave; the session is kept"],
  ["shift+tab", "ask before changes, edit without asking, plan"],
  ["ctrl+o", "all of a long question"],
  ["ctrl+z", "back to the shell; fg returns"],
  ["ctrl+l", "draw the screen again"],
];

/** /help: the commands and the keys. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    summary: "commands and keys",
    run({ screen }) {
      const { bold, cyan, dim } = screen.theme;
      const rows = commands().map(
        ({ name, argument, summary }) => [`/${name}${argument ? ` ${argument}` : ""}`, summary] as const,
      );
      const left = Math.max(...[...rows, ...KEYS].map(([name]) => name.length)) + 4;
      const table = (lines: readonly (readonly [string, string])[], width: number) =>
        lines.flatMap(([name, what]) =>
          indented(dim(what), width, " ".repeat(left), `  ${cyan(name.padEnd(left - 2))}`),
        );
      screen.add(
        new DrawnBlock((width) => [
          `  ${bold("Commands")}`,
          ...table(rows, width),
          "",
          `  ${bold("Keys")}`,
          ...table(KEYS, width),
        ]),
      );
    },
  };
}
