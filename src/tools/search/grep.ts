import { ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { checkOptions, eitherOf, type OptionTable, oneOf, optionOf, PATH } from "../../json/check-options.js";
import { choice, flag, type InputOf, integer, object, optional, string } from "../../schema/fields.js";
import { quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { assertDecided } from "../files/decided-path.js";
import { forCall, permissionOf } from "../files/file-tool.js";
import { A_STRING, COUNT, PATHS, valueSchema } from "../value-schema.js";
import { TimeSlices } from "./cooperative-yield.js";
import { FILE_TYPES, globOfType } from "./file-types.js";
import { findCandidates } from "./grep-candidates.js";
import { readSearchPattern, type SearchPattern } from "./pattern/search-pattern.js";
import { findRipgrep } from "./ripgrep.js";
import { displayPath, isApproved, isReadable, resolveExisting, workspacePath } from "./search-base.js";
import { findSecrets } from "./secret-files.js";
import { searchSource } from "./walk/workspace-source.js";
import { type FileMatch, type FoundLine, SearchExpired, type SearchTask, searchFiles } from "./worker/file-search.js";
import { MAX_SEARCHED_BYTES } from "./worker/search-worker.js";

const DEFAULT_HEAD_LIMIT = 200;
/** Files named that were not searched. */
const MAX_LEFT_OUT = 10;
const DEFAULT_TIME_BUDGET_MS = 10_000;

const contextLines = (description: string) => optional(integer(description, { minimum: 0, maximum: 100 }));

const grepInput = object({
  pattern: string("Escape `( ) [ ] . * + ? ^ $ | \\` to mean the character.", {
    minLength: 1,
  }),
  path: optional(string("The file or directory to search. Default: the workspace.")),
  glob: optional(string("Only files like `*.ts` or `src/**/*.{ts,tsx}`.", { minLength: 1 })),
  type: optional(choice(FILE_TYPES, "Only files of this type.")),
  output_mode: choice(
    ["files_with_matches", "content", "count"],
    "Paths, matching lines, or the number of matches in each file.",
    { default: "files_with_matches" },
  ),
  "-A": contextLines("Lines after each match."),
  "-B": contextLines("Lines before each match."),
  "-C": contextLines("Lines before and after each match."),
  "-i": flag("Ignore case.", { default: false }),
  "-n": flag("Show line numbers.", { default: true }),
  multiline: flag("Let matches span lines, and `.` match line breaks.", { default: false }),
  head_limit: integer("At most this many lines, files or counts.", {
    minimum: 1,
    maximum: 10_000,
    default: DEFAULT_HEAD_LIMIT,
  }),
});

type GrepInput = InputOf<typeof grepInput>;

const description = `Searches the contents of files for a JavaScript regular expression (flags "u" and "m").
Returns paths, or with output_mode "content" lines as \`path:line:text\`. Skips binary files, what .gitignore ignores,
dependencies and build output, and files of secrets such as .env, unless path or glob names them.`;

export interface GrepToolOptions {
  /** The ripgrep to use, or `false` for none. Default: the one on the `PATH`, or of `@vscode/ripgrep`. */
  readonly ripgrep?: string | false | undefined;
  /** The time of one search. Unit: milliseconds. Default: 10_000. */
  readonly timeBudgetMs?: number | undefined;
}

export const GREP_OPTIONS = {
  ripgrep: eitherOf(PATH, oneOf(false)),
  timeBudgetMs: optionOf((value) => typeof value === "number" && value >= 1, "a number of at least 1 (milliseconds)"),
} satisfies OptionTable<GrepToolOptions>;

/**
 * The tool `grep`: searches file contents, with the same answer whether or not the machine has ripgrep.
 *
 * A file whose reading needs approval is asked for when `path` names it, and left out otherwise, since whether it matches
 * would reveal what is in it; where nothing matches, the result names such files. The search runs in a worker thread;
 * ripgrep only narrows down the files, without which each file is read. A file of more than 64 MB is not searched but named. A search that takes longer than the time budget is ended, also inside a
 * catastrophic pattern, and says how far it came.
 */
export function createGrepTool(given: Workspace, options: GrepToolOptions = {}): BaseTool<GrepInput> {
  checkOptions("createGrepTool()", options, GREP_OPTIONS);
  let found: Promise<string | null> | undefined;
  const ripgrep = async () => {
    if (options.ripgrep !== undefined) return options.ripgrep || null;
    found ??= findRipgrep();
    return found;
  };

  return defineBuiltinTool({
    name: "grep",
    description,
    input: grepInput,
    outputSchema: GREP_VALUE,
    permission: "read_only",
    effects: {},
    worksIn: given,
    describe: ({ pattern = "", path }) => ({
      title: `Search for ${JSON.stringify(pattern)}${path === undefined ? "" : ` in ${path}`}`,
      kind: "search",
      paths: [path],
    }),
    checkPermission: ({ path = "." }, about) => permissionOf(given, path, "read", about),
    async execute(call, context) {
      const workspace = forCall(given);
      const pattern = readSearchPattern(call.pattern, { ignoreCase: call["-i"], multiline: call.multiline });
      const { real, kind } = await resolveExisting(workspace, call.path ?? ".");
      await assertDecided(workspace, { path: call.path ?? ".", access: "read", real }, context);
      if (kind === "other") throw notSearchable(call.path ?? ".");
      const { onDisk } = workspace.files;
      const source = searchSource(workspace);
      const program = kind === "directory" && onDisk ? await ripgrep() : null;
      const findPaths = (signal: AbortSignal) => {
        if (kind !== "directory") return only(real);
        return findCandidates({
          source,
          directory: real,
          root: workspace.root,
          globs: globsOf(call),
          pattern,
          ripgrep: program,
          signal,
        });
      };
      const matches = searchFiles(findPaths, taskOf(call, pattern), {
        timeoutMs: options.timeBudgetMs ?? DEFAULT_TIME_BUDGET_MS,
        signal: context.signal,
        files: onDisk ? undefined : workspace.files,
        bulk: source.bulk,
      });
      const mayShow = async (path: string) =>
        (await isReadable(workspace, path)) &&
        isApproved(workspace, path, { base: real, sessionId: context.sessionId });
      const collected = await collect(workspace, call, matches, { mayShow, signal: context.signal });
      const isNothing = collected.lines.length === 0 && !collected.expired && kind === "directory";
      const leftOut = isNothing ? await findSecrets({ workspace, source }, real, globsOf(call), context.signal) : [];
      return {
        output: report(workspace, call, { ...collected, leftOut }),
        get value() {
          return dataOf(call, collected);
        },
      };
    },
  });
}

function globsOf({ glob, type }: GrepInput): string[] {
  return [...(glob ? [glob] : []), ...(type ? [globOfType(type)] : [])];
}

async function* only(path: string): AsyncGenerator<string> {
  yield path;
}

function taskOf(call: GrepInput, pattern: SearchPattern): SearchTask {
  const isContent = call.output_mode === "content";
  return {
    pattern: call.pattern,
    source: pattern.source,
    flags: pattern.flags,
    multiline: call.multiline,
    whole: call.multiline ? pattern.source : pattern.whole,
    namesReturn: pattern.namesReturn,
    mode: isContent ? "content" : call.output_mode === "count" ? "count" : "files",
    before: isContent ? (call["-B"] ?? call["-C"] ?? 0) : 0,
    after: isContent ? (call["-A"] ?? call["-C"] ?? 0) : 0,
    // One more than is shown says that there is more.
    maxLines: call.head_limit + 1,
  };
}

interface Collected {
  readonly lines: readonly string[];
  /** The matches that the lines show, as data. */
  readonly found: FoundInFile[];
  readonly isCut: boolean;
  /** Files that were not searched. */
  readonly tooLarge: readonly string[];
  readonly expired?: SearchExpired;
}

interface FoundInFile {
  readonly path: string;
  readonly match: FileMatch;
}

const GREP_VALUE = valueSchema(
  { paths: PATHS, isCut: { type: "boolean" } },
  {
    matches: { type: "array", items: valueSchema({ path: A_STRING, line: COUNT, text: A_STRING }) },
    counts: { type: "array", items: valueSchema({ path: A_STRING, count: COUNT }) },
  },
);

/** At most `head_limit` of what the mode lists, as the lines show it; context lines are no matches. */
function dataOf(call: GrepInput, { found, isCut, expired }: Collected) {
  const limit = call.head_limit;
  const matches = found
    .flatMap(({ path, match }) =>
      match.lines.filter(([, isMatch]) => isMatch).map(([line, , text]) => ({ path, line, text })),
    )
    .slice(0, limit);
  const about = { isCut: isCut || expired !== undefined };
  if (call.output_mode === "content")
    return { ...about, paths: [...new Set(matches.map(({ path }) => path))], matches };
  const files = found.slice(0, limit);
  const paths = files.map(({ path }) => path);
  if (call.output_mode === "files_with_matches") return { ...about, paths };
  return { ...about, paths, counts: files.map(({ path, match: { count } }) => ({ path, count })) };
}

/** Takes as many lines as are shown, and ends the search then. */
async function collect(
  workspace: Workspace,
  call: GrepInput,
  matches: AsyncIterable<FileMatch>,
  { mayShow, signal }: { readonly mayShow: (path: string) => Promise<boolean>; readonly signal: AbortSignal },
): Promise<Collected> {
  const lines: string[] = [];
  const found: FoundInFile[] = [];
  const tooLarge: string[] = [];
  const slices = new TimeSlices(signal);
  let shown = 0;
  try {
    for await (const match of matches) {
      if (slices.due()) await slices.pause();
      if (!(await mayShow(match.path))) continue;
      const path = displayPath(workspace, match.path);
      if (match.isTooLarge) tooLarge.push(path);
      if (match.count > 0) found.push({ path, match });
      for (const line of match.count > 0 ? linesOf(path, match, call) : []) {
        if (line !== SEPARATOR && shown++ === call.head_limit) return { lines, found, isCut: true, tooLarge };
        lines.push(line);
      }
    }
  } catch (error) {
    if (!(error instanceof SearchExpired)) throw error;
    return { lines, found, isCut: false, tooLarge, expired: error };
  }
  return { lines, found, isCut: false, tooLarge };
}

const SEPARATOR = "--";

function linesOf(path: string, match: FileMatch, call: GrepInput): string[] {
  if (call.output_mode === "files_with_matches") return [path];
  if (call.output_mode === "count") return [`${path}:${match.count}`];
  return match.lines.flatMap((line, i) => {
    const previous = match.lines[i - 1];
    const isApart = previous !== undefined && previous[0] + 1 < line[0] && hasContext(call);
    return [...(isApart ? [SEPARATOR] : []), lineOf(path, line, call["-n"])];
  });
}

function hasContext(call: GrepInput): boolean {
  return Boolean(call["-A"] || call["-B"] || call["-C"]);
}

/** As ripgrep writes it: `:` after what matches, `-` after what surrounds it. */
function lineOf(path: string, [number, matches, text]: FoundLine, withNumber: boolean): string {
  const mark = matches ? ":" : "-";
  return withNumber ? `${path}${mark}${number}${mark}${text}` : `${path}${mark}${text}`;
}

function report(workspace: Workspace, call: GrepInput, collected: Collected & { readonly leftOut: readonly string[] }) {
  const { lines, isCut, tooLarge, expired, leftOut } = collected;
  const notes: string[] = [];
  if (tooLarge.length > 0) {
    const size = `${MAX_SEARCHED_BYTES / 1024 / 1024} MB`;
    notes.push(`[Not searched, larger than ${size}: ${tooLarge.slice(0, 5).join(", ")}]`);
  }
  if (expired) {
    const next = expired.next ? `; it stopped at ${quoteName(workspacePath(workspace, expired.next))}` : "";
    const how = `The search was ended after its time budget: ${expired.searched} files had been searched${next}. Use a simpler pattern, a path or a glob`;
    if (lines.length === 0) throw new ToolError("SEARCH_TIMEOUT", { message: `${how}.` });
    notes.push(`[${how}]`);
  }
  if (isCut) {
    notes.push(
      `[There is more than these ${call.head_limit}. Use a narrower pattern, path or glob, or a larger head_limit]`,
    );
  }
  if (leftOut.length > 0) {
    const more = leftOut.length > MAX_LEFT_OUT ? ` and ${leftOut.length - MAX_LEFT_OUT} more` : "";
    const names = leftOut.slice(0, MAX_LEFT_OUT).map((path) => displayPath(workspace, path));
    notes.push(
      `[Not searched, because they usually hold secrets: ${names.join(", ")}${more}. To search one, name it in path]`,
    );
  }
  const found = lines.length === 0 ? [`Nothing matches "${call.pattern}" in ${quoteName(call.path ?? ".")}.`] : lines;
  return [...found, ...notes].join("\n");
}

function notSearchable(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is neither a file nor a directory, so it cannot be searched. Pass one of those.`,
  });
}
