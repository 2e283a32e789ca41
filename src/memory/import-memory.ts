// Notes that another agent keeps as Markdown files, such as Claude Code's auto-memory, read as facts.
import { basename } from "node:path";
import type { FactStore } from "../contracts/fact.js";
import { markdownFilesIn } from "../files/markdown-files.js";
import { diskFiles, readProjectFile } from "../files/project-files.js";
import { readFrontmatter } from "../frontmatter/frontmatter.js";
import { checkOptions, PATH, required, withMethods } from "../json/check-options.js";
import { firstCharacters } from "../text/cut.js";

const MAX_FILES = 500;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_FACTS = 2_000;
/** As a fact may have. */
const MAX_FACT_CHARS = 2_000;

/** The outcome of `importMemory()`. */
export interface ImportedMemory {
  /** Facts that the store did not have before. */
  readonly added: number;
  /** Facts that it had. */
  readonly known: number;
  /** By file: what was not read, and why. */
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/**
 * Reads a directory of notes that another agent has kept, such as Claude Code's `~/.claude/projects/PROJECT/memory`, as facts: each item of
 * a list and each paragraph is one, tagged `imported`, with its file as the source's `reference`. Twice adds nothing. The directory is
 * not written to, and links that lead out of it are not followed.
 *
 * @throws ConfigurationError `OPTION_INVALID`, and what the store throws
 */
export async function importMemory(store: FactStore, directory: string): Promise<ImportedMemory> {
  checkOptions(
    "importMemory()",
    { store, directory },
    { store: required(withMethods("remember")), directory: required(PATH) },
  );
  const problems: { file: string; message: string }[] = [];
  const count = { added: 0, known: 0 };
  const files = await markdownFilesIn({ path: directory, files: diskFiles });
  if (files.length > MAX_FILES)
    problems.push({ file: directory, message: `it holds ${files.length} files; the first ${MAX_FILES} were read` });
  for (const file of files.slice(0, MAX_FILES)) {
    try {
      const bytes = await readProjectFile(diskFiles, file, { maxBytes: MAX_FILE_BYTES, within: directory });
      const { body } = await readFrontmatter(new TextDecoder().decode(bytes), file);
      for (const text of notesIn(body)) {
        if (count.added + count.known >= MAX_FACTS)
          throw new Error(`there are more than ${MAX_FACTS} facts; the rest was not read`);
        const source = { kind: "model", reference: file } as const;
        const { outcome } = await store.remember({ text, tags: ["imported", basename(file, ".md")], source });
        count[outcome === "known" ? "known" : "added"] += 1;
      }
    } catch (error) {
      problems.push({ file, message: (error as Error).message });
    }
  }
  return { ...count, problems };
}

/** The items of lists, and paragraphs. Headings, links to files alone and rules say nothing by themselves. */
function notesIn(body: string): string[] {
  const blocks = body
    .replaceAll("\r\n", "\n")
    .replace(/^#{1,6} .*$/gm, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.) )/);
  return blocks
    .map((block) =>
      block
        .trim()
        .replace(/^(?:[-*+]|\d+\.) /, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((note) => /\p{L}/u.test(note) && !/^\[[^\]]*\]\([^)]*\)\.?$/.test(note))
    .map((note) => firstCharacters(note, MAX_FACT_CHARS));
}
