import { basename, dirname, join, resolve } from "node:path";
import pLimit from "p-limit";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { type InputOf, object, optional, string } from "../../schema/fields.js";
import { quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { assertDecided } from "../files/decided-path.js";
import { forCall, permissionOf } from "../files/file-tool.js";
import { COUNT, PATHS, valueSchema } from "../value-schema.js";
import { TimeSlices } from "./cooperative-yield.js";
import { createGlobMatcher, depthOf, escapeGlob, namesInGlob, splitGlob } from "./pattern/glob-pattern.js";
import { displayPath, isReadable, resolveDirectory, workspacePath } from "./search-base.js";
import type { SearchSource } from "./walk/search-source.js";
import { walkFiles } from "./walk/walk-files.js";
import { searchSource } from "./walk/workspace-source.js";

const SHOWN = 100;
/** Paths the sandbox looks at together: enough to hide its waits, few enough to leave file handles to others. */
const CHECKED_AT_ONCE = 16;
const LINKS_AT_ONCE = 200;

const globInput = object({
  pattern: string("A glob such as `src/**/*.{ts,tsx}` or `**/package.json`.", { minLength: 1 }),
  path: optional(string("The directory to search. Default: the whole workspace.")),
});

const description = `Finds files by name, newest first, at most ${SHOWN}. A pattern without \`**/\` matches in the searched directory only.
Skips what .gitignore ignores, dependencies and build output, unless the pattern or the path names them.`;

/**
 * The tool `glob`: finds files by a pattern, newest first.
 *
 * Links to directories are not followed, unless the pattern begins with one; what the sandbox refuses is not shown.
 * `details.total` is the number of files that match.
 */
export function createGlobTool(given: Workspace): BaseTool<InputOf<typeof globInput>> {
  return defineBuiltinTool({
    name: "glob",
    description,
    input: globInput,
    outputSchema: valueSchema({ paths: PATHS, total: COUNT }),
    permission: "read_only",
    effects: {},
    worksIn: given,
    describe: ({ pattern = "files", path }) => ({
      title: `Find ${pattern}${path === undefined ? "" : ` in ${path}`}`,
      kind: "search",
      paths: [path],
    }),
    checkPermission: ({ pattern, path = "." }, about) =>
      permissionOf(given, startOf(given, path, pattern), "read", about),
    async execute({ pattern, path = "." }, context) {
      const { signal } = context;
      const workspace = forCall(given);
      const source = searchSource(workspace);
      const directory = await resolveDirectory(workspace, path);
      const asked = namesInGlob(pattern);
      // A search that begins at the root in any case takes a list of all files, which also says whether the pattern is one of them.
      if (source.bulk && splitGlob(pattern).base === "") await source.rules(directory, asked);
      const { base, glob } = await split(source, pattern, directory);
      const start = await workspace.resolve(base, "read");
      await assertDecided(workspace, { path: startOf(workspace, path, pattern), access: "read", real: start }, context);
      const found = await find({ workspace, source, base: start, glob, asked, signal });
      const { newest, total } = found;
      const output = describe(found, pattern, workspacePath(workspace, directory));
      return { output, details: { total }, value: { paths: [...newest], total } };
    },
  });
}

/** The directory a pattern begins with, and the rest. The path of a file is taken as it is, whatever characters it has. */
async function split(
  source: SearchSource,
  pattern: string,
  directory: string,
): Promise<{ base: string; glob: string }> {
  const whole = resolve(directory, pattern);
  if ((await source.fileTime(whole)) !== undefined) return { base: dirname(whole), glob: escapeGlob(basename(whole)) };
  const { base, rest } = splitGlob(pattern);
  const start = resolve(directory, base);
  // The directory itself is not a file in it, and what lies above it is none of this search's.
  return rest === "" && start !== directory
    ? { base: dirname(start), glob: escapeGlob(basename(start)) }
    : { base: start, glob: rest };
}

interface Match {
  readonly path: string;
  readonly mtimeMs: number;
}

interface GlobSearch {
  readonly workspace: Workspace;
  readonly source: SearchSource;
  readonly base: string;
  readonly glob: string;
  readonly asked: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

async function find({ workspace, source, base, glob, asked, signal }: GlobSearch) {
  const matches = createGlobMatcher(glob);
  const newest = new NewestFiles(workspace, SHOWN);
  const slices = new TimeSlices(signal);
  const rules = await slices.waitFor(source.rules(base, asked));
  const links: string[] = [];
  // Together, since elsewhere each question is a round trip.
  const addLinks = async () => {
    const adds = links.splice(0).map(async (path) => {
      const mtimeMs = await source.fileTime(path);
      if (mtimeMs !== undefined && (await isReadable(workspace, path))) newest.add({ path, mtimeMs });
    });
    await slices.waitFor(Promise.all(adds));
  };
  for (const file of walkFiles(source, rules, matches, depthOf(glob))) {
    if (slices.due()) await slices.pause();
    if (file instanceof Promise) await slices.waitFor(file);
    if (!file || file instanceof Promise) continue;
    const path = join(base, file.path);
    if (file.isLink) {
      if (links.push(path) === LINKS_AT_ONCE) await addLinks();
      continue;
    }
    const time = source.fileTime(path);
    // The disk answers at once, and waiting for each file would cost more than the search.
    const mtimeMs = time instanceof Promise ? await slices.waitFor(time) : time;
    if (mtimeMs !== undefined) newest.add({ path, mtimeMs });
    if (newest.isFull) await newest.cut();
  }
  await addLinks();
  return newest.end();
}

interface CheckedMatch extends Match {
  /** Whether the sandbox is known to let it be read. */
  readonly isChecked: boolean;
}

/** The newest files seen that the sandbox lets be read, in bounded memory. */
class NewestFiles {
  #total = 0;
  #matches: CheckedMatch[] = [];

  constructor(
    private readonly workspace: Workspace,
    private readonly limit: number,
  ) {}

  get isFull(): boolean {
    return this.#matches.length > 20 * this.limit;
  }

  add(match: Match): void {
    this.#total++;
    this.#matches.push({ ...match, isChecked: false });
  }

  /** Keeps the newest of those that may be read. */
  async cut(): Promise<void> {
    const sorted = this.#matches.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
    const kept: CheckedMatch[] = [];
    for (let at = 0; at < sorted.length && kept.length < this.limit; ) {
      const batch = sorted.slice(at, at + Math.max(CHECKED_AT_ONCE, this.limit - kept.length));
      at += batch.length;
      const checks = await pLimit(this.workspace.files.many ? batch.length : CHECKED_AT_ONCE).map(
        batch,
        async ({ isChecked, path }) => isChecked || isFile(this.workspace, path),
      );
      for (const [index, match] of batch.entries()) {
        if (checks[index]) kept.push({ ...match, isChecked: true });
        else this.#total--;
      }
    }
    this.#matches = kept.slice(0, this.limit);
  }

  async end(): Promise<{ total: number; newest: string[] }> {
    await this.cut();
    return { total: this.#total, newest: this.#matches.map(({ path }) => displayPath(this.workspace, path)) };
  }
}

function describe(found: { total: number; newest: readonly string[] }, pattern: string, directory: string): string {
  if (found.total === 0) {
    return `No file matches ${quoteName(pattern)} in ${quoteName(directory)}. What .gitignore ignores is skipped unless the pattern names it.`;
  }
  const list = found.newest.join("\n");
  if (found.total === found.newest.length) return list;
  return `${list}\n[The newest ${found.newest.length} of ${found.total} files. Use a narrower pattern to see others]`;
}

/** Looked up again through the sandbox: a directory may have been exchanged for a link while it was read. */
async function isFile(workspace: Workspace, path: string): Promise<boolean> {
  // Elsewhere it was found to be one by the real path, and is not read.
  if (workspace.files.many) return isReadable(workspace, path);
  return workspace.files.stat(path).then(
    ({ kind }) => kind === "file",
    () => false,
  );
}

/** The directory where a search begins, as far as its pattern says so. */
function startOf({ root }: Workspace, path: string, pattern: string): string {
  return resolve(root, path, splitGlob(pattern).base);
}
