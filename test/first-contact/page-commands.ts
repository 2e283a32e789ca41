// What a page tells a person to type, and where each command is run. A command that is not in the table is an error, so that
// no page gets one that nothing runs.
import { blocksOf, type Page, programsOf } from "../docs/pages.js";

/** What a person reads in the first hour. */
export const PAGES = ["README.md", "docs/getting-started.md"] as const;

/** A command of a page. */
export interface Command {
  readonly page: string;
  /** Its line in the page, from 1. */
  readonly line: number;
  /** As it stands in the page. */
  readonly text: string;
}

/** Where a command is run: in a fresh clone, in an app of its own, or by a step of `.ci/run` alone. */
export type Place = "clone" | "app" | "ci";

const PLACES: readonly (readonly [command: RegExp, place: Place])[] = [
  [/^git clone$/, "clone"],
  [/^npm ci && npm run demo$/, "clone"],
  [/^npm ci && npm test$/, "clone"],
  [/^mkdir ([\w-]+) && cd \1$/, "app"],
  [/^npm init -y$/, "app"],
  [/^npm install loopwright( zod)?$/, "app"],
  [/^node [\w-]+\.mjs$/, "app"],
  [/^npx loopwright$/, "app"],
];

/** Commands of contributors, and the step of `.ci/run` that runs each. */
export const CI_STEPS: Readonly<Record<string, string>> = {
  "npm run docs": "npm run docs",
  "npm run platforms": "npm run packaging -- --platforms",
};

/** What inline code is a command and not a name: one of these with an argument. */
const INLINE = /`((?:npm|npx|node|git|pnpm|yarn|bun|bunx|deno|corepack|docker|curl|loopwright) [^`]+)`/g;

/** The commands of a page, in order: each line of its `sh` blocks, and inline code that is a command. */
export function commandsOf(page: Page): Command[] {
  const blocks = blocksOf(page);
  const inBlocks = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ line, code }) => code.split("\n").map((text, at) => ({ line: line + at, text })));
  const fenced = new Set(blocks.flatMap(({ line, code }) => code.split("\n").map((_, at) => line + at)));
  const inline = page.text
    .split("\n")
    .flatMap((text, at) => [...text.matchAll(INLINE)].map(([, command]) => ({ line: at + 1, text: command! })))
    .filter(({ line }) => !fenced.has(line));
  return [...inBlocks, ...inline]
    .map(({ line, text }) => ({ page: page.path, line, text: text.replace(/(^|\s)#.*$/, "").trim() }))
    .filter(({ text }) => text !== "")
    .sort((a, b) => a.line - b.line);
}

/** @throws Error for a command that nothing runs */
export function placeOf({ page, line, text }: Command): Place {
  const found = PLACES.find(([command]) => command.test(text));
  if (found) return found[1];
  if (Object.hasOwn(CI_STEPS, text)) return "ci";
  throw new Error(
    `${page}:${line} tells a person to type "${text}", which nothing runs. Add it to test/first-contact/page-commands.ts.`,
  );
}

/** A program of a page that a person saves and runs, and what it has to print. */
export interface SavedProgram extends Command {
  readonly file: string;
  readonly code: string;
  readonly prints: string;
}

/** The programs of a page that show what they print. A `node name.mjs` in the text names the first program below it. */
export function savedProgramsOf(page: Page): SavedProgram[] {
  const named = commandsOf(page).filter(({ text }) => text.startsWith("node "));
  const programs = programsOf(page).flatMap((program) => {
    if (program.prints === null) return [];
    const at = named.findIndex(({ line }) => line < program.line);
    const [command] = at === -1 ? [] : named.splice(at, 1);
    const file = command?.text.slice("node ".length) ?? `line-${program.line}.mjs`;
    return { ...program, text: `node ${file}`, file, prints: program.prints };
  });
  if (named.length === 0) return programs;
  throw new Error(`${page.path}:${named[0]!.line}: no program below "${named[0]!.text}" shows what it prints.`);
}
