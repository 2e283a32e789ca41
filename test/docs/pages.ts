import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A Markdown page of the repository. */
export interface Page {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

/** A `ts` block, and the `text` block after it that shows what it prints. */
export interface Program extends Block {
  readonly prints: string | null;
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), "utf8") };
}

/** README, changelog, the pages for contributors, and everything in `docs/` that is written by hand, but for the site's front page. */
export function allPages(): Page[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => file.split(sep).join("/"))
    .filter((file) => file.endsWith(".md") && file !== "index.md" && !/^(?:api|\.vitepress)\//.test(file))
    .map((file) => `docs/${file}`);
  const github = readdirSync(join(ROOT, ".github")).filter((file) => file.endsWith(".md"));
  const root = ["README.md", "CHANGELOG.md", "AGENTS.md", ...github.sort().map((file) => `.github/${file}`)];
  return [...root, ...docs.sort()].map(readPage);
}

/** The fenced blocks of a page, in order. @throws Error for a fence without an end */
export function blocksOf({ path, text }: Page): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; code: string[] } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (!fence) open?.code.push(line);
    else if (!open) open = { language: fence[1]!.trim(), line: index + 2, code: [] };
    else {
      blocks.push({ page: path, line: open.line, language: open.language, code: open.code.join("\n") });
      open = null;
    }
  }
  if (open) throw new Error(`${path}:${open.line - 1}: a fence has no end.`);
  return blocks;
}

/** The `ts` blocks of a page. A `text` block that follows one shows what it prints. */
export function programsOf(page: Page): Program[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, index) => {
    if (block.language !== "ts") return [];
    const next = blocks[index + 1];
    return { ...block, prints: next?.language === "text" ? next.code : null };
  });
}

/** The first cell of each row of the table under a heading, where it is a name in backquotes. */
export function namesInTable(page: Page, heading: string): string[] {
  const section = page.text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page.path} has no heading "${heading}".`);
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!);
}
