import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readPage } from "../docs/pages.js";
import { CI_STEPS, commandsOf, PAGES, placeOf, savedProgramsOf } from "./page-commands.js";

const page = (text: string) => ({ path: "page.md", text });

test("lines of sh blocks and inline commands are commands, comments and names are none", () => {
  const text =
    "Run `npx loopwright`, or `node`.\n\n```sh\nnpm ci && npm test # all of it\n\n# no command\n```\n\n```ts\n`npm x`\n```\n";

  expect(commandsOf(page(text))).toEqual([
    { page: "page.md", line: 1, text: "npx loopwright" },
    { page: "page.md", line: 4, text: "npm ci && npm test" },
  ]);
});

test("a command that nothing runs is an error that names its place", () => {
  const [command] = commandsOf(page("```sh\nnpm run surprise\n```\n"));

  expect(() => placeOf(command!)).toThrow('page.md:2 tells a person to type "npm run surprise", which nothing runs');
});

test("every command of the first pages is run", () => {
  const commands = PAGES.flatMap((path) => commandsOf(readPage(path)));

  expect(commands.map(placeOf)).toEqual(expect.arrayContaining(["clone", "app"]));
});

test("what only CI runs is a step of CI", () => {
  const steps = readFileSync(join(ROOT, ".ci/run"), "utf8");
  const commands = PAGES.flatMap((path) => commandsOf(readPage(path))).filter((one) => placeOf(one) === "ci");

  for (const { text } of commands) expect(steps).toContain(CI_STEPS[text]);
});

test("a program that is saved and run has the name that its page gives it", () => {
  const [first, ...others] = PAGES.flatMap((path) => savedProgramsOf(readPage(path)));

  expect(first).toMatchObject({ page: "README.md", file: "first.mjs", text: "node first.mjs" });
  expect(others.length).toBeGreaterThan(2);
});

test("a name without a program that shows what it prints is an error", () => {
  expect(() => savedProgramsOf(page("Run `node lost.mjs`.\n"))).toThrow('no program below "node lost.mjs"');
});
