import { describeKeys } from "../input/actions.js";
import { DrawnBlock, indented } from "../transcript/block.js";
import type { Command } from "./command.js";

/** /help: the commands and the keys. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    summary: "commands and keys",
    run({ screen, promptCommands, settings }) {
      const keys = describeKeys(settings.keys);
      const { bold, cyan, dim } = screen.theme;
      const rows = [...commands(), ...promptCommands].map(
        ({ name, argument, summary }) => [`/${name}${argument ? ` ${argument}` : ""}`, summary] as const,
      );
      const left = Math.max(...[...rows, ...keys].map(([name]) => name.length)) + 4;
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
          ...table(keys, width),
        ]),
      );
    },
  };
}
