import { expect, test } from "vitest";
import { runCommand } from "../../../../src/program/terminal/commands/all-commands.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

test("a skill's name behind a slash is a prompt as it was typed, and an unknown name is refused", async () => {
  const [said, sent]: string[][] = [[], []];
  const scene = {
    agent: { skills: { skills: [{ name: "deploy" }] } },
    promptCommands: [],
    screen: { theme: createTheme({ NO_COLOR: "1" }) },
    say: (text: string) => said!.push(text),
    submit: (text: string) => sent!.push(text),
  };

  for (const line of ["/deploy to staging", "/deplo"]) await runCommand(line, scene as never);

  expect(sent).toEqual(["/deploy to staging"]);
  expect(said).toEqual([expect.stringContaining("There is no /deplo.")]);
});
