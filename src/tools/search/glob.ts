import { basename, dirname, join, resolve } from "node:path";
import pLimit from "p-limit";
import { z } from "zod";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { TimeSlices } from "./cooperative-yield.js";
import { createGlobMatcher, depthOf, escapeGlob, namesInGlob, splitGlob } from "./glob-pattern.js";
import { displayPath, isReadable, resolveFolder } from "./search-base.js";
import { type SearchSource, searchSource } from "./search-source.js";
import { walkFiles } from "./walk-files.js";

const SHOWN = 100;
/** Paths the sandbox looks at together: enough to hide its waits, few enough to leave file handles to others. */
const CHECKED_AT_ONCE = 16;

const input = z.object({
  pattern: z.string().min(1).describe("A glob such as `src/**/*.{ts,tsx}` or `**/package.json`."),
  path: z.string().optional().describe("The folder to search. Default: the whole workspace."),
});

const description = `Finds files by name, newest first, at most ${SHOWN} of them.
Supports \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`[!a]\`, \`{a,b}\`, and \`\\*\` for the character; hidden files count. A pattern without \`**/\` matches in the searched folder
only. Skips what .gitignore ignores, version control folders and, without a .gitignore, dependencies and build output,
unless the pattern or the path names them. To search inside files use grep.`;

/**
 * The tool `glob`: finds files by a pattern, newest first.
 *
 * Links to folders are not followed, unless the pattern begins with one; what the sandbox refuses is not shown.
 * `details.total` is the number of files that match.
 */
export function createGlobTool(workspace: Workspace): BaseTool<z.infer<typeof input>> {
  return defineBuiltinTool({
    name: "glob",
    description,
    input,
    permission: "read_only",
    async execute({ pattern, path = "." }, { signal }) {
      const folder = await resolveFolder(workspace, path);
      const { base, glob } = await split(searchSource(workspace), pattern, folder);
      const start = await workspace.resolve(base, "read");
      const found = await find(workspace, start, glob, namesInGlob(pattern), signal);
      return { output: describe(found, pattern, displayPath(workspace, folder)), details: { total: found.total } };
    },
  });
}

/** The folder a pattern begins with, and the rest. The path of a file is taken as it is, whatever characters it has. */
async function split(source: SearchSource, pattern: string, folder: string): Promise<{ base: string; glob: string }> {
  const whole = resolve(folder, pattern);
  if ((await source.fileTime(whole)) !== undefined) return { base: dirname(whole), glob: escapeGlob(basename(whole)) };
  const { base, rest } = splitGlob(pattern);
  const start = resolve(folder, base);
  // The folder itself is no file in it, and what lies above it is none of this search's.
  return rest === "" && start !== folder
    ? { base: dirname(start), glob: escapeGlob(basename(start)) }
    : { base: start, glob: rest };
}

interface Match {
  readonly path: string;
  readonly mtimeMs: number;
}

async function find(
  workspace: Workspace,
  base: string,
  glob: string,
  asked: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ readonly total: number; readonly newest: readonly string[] }> {
  const matches = createGlobMatcher(glob);
  const newest = new Newest(SHOWN);
  const slices = new TimeSlices(signal);
  const source = searchSource(workspace);
  const rules = await slices.waitFor(source.rules(base, asked));
  for (const file of walkFiles(source, rules, matches, depthOf(glob))) {
    if (slices.due()) await slices.pause();
    if (file instanceof Promise) await slices.waitFor(file);
    if (!file || file instanceof Promise) continue;
    const path = join(base, file.path);
    if (file.isLink && !(await isReadable(workspace, path))) continue;
    const time = source.fileTime(path);
    // The disk answers at once, and waiting for each file would cost more than the search.
    const mtimeMs = time instanceof Promise ? await slices.waitFor(time) : time;
    if (mtimeMs !== undefined) newest.add({ path, mtimeMs });
  }
  return newest.readable(workspace);
}

/** The newest files seen, in bounded memory. */
class Newest {
  #total = 0;
  #matches: Match[] = [];

  constructor(private readonly limit: number) {}

  add(match: Match): void {
    this.#total++;
    this.#matches.push(match);
    if (this.#matches.length > 20 * this.limit) this.#cut();
  }

  /** Without those the sandbox refuses. */
  async readable(workspace: Workspace): Promise<{ total: number; newest: string[] }> {
    this.#cut();
    const checks = await pLimit(CHECKED_AT_ONCE).map(this.#matches, ({ path }) => isFile(workspace, path));
    const readable = this.#matches.filter((_, index) => checks[index]);
    const refused = this.#matches.length - readable.length;
    return { total: this.#total - refused, newest: readable.map(({ path }) => displayPath(workspace, path)) };
  }

  #cut(): void {
    this.#matches.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
    this.#matches.length = Math.min(this.#matches.length, this.limit);
  }
}

function describe(found: { total: number; newest: readonly string[] }, pattern: string, folder: string): string {
  if (found.total === 0) {
    return `No file matches "${pattern}" in "${folder}". What .gitignore ignores is skipped unless the pattern names it.`;
  }
  const list = found.newest.join("\n");
  if (found.total === found.newest.length) return list;
  return `${list}\n[The newest ${found.newest.length} of ${found.total} files. Use a narrower pattern to see others]`;
}

/** Looked up anew, by way of the sandbox: a folder may have been exchanged for a link while it was read. */
async function isFile(workspace: Workspace, path: string): Promise<boolean> {
  return workspace.files.stat(path).then(
    ({ kind }) => kind === "file",
    () => false,
  );
}
