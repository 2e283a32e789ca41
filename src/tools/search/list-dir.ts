import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { type InputOf, integer, object, string } from "../../schema/fields.js";
import { listedName, quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { assertDecided } from "../files/decided-path.js";
import { forCall, permissionOf } from "../files/file-tool.js";
import { missingPath } from "../files/missing-path.js";
import { COUNT, PATHS, valueSchema } from "../value-schema.js";
import { type DirectoryTree, readDirectoryTree, type TreeEntry } from "./directory-tree.js";

const DEFAULT_DEPTH = 2;
const MAX_DEPTH = 20;
/** Entries shown of one tree. */
const MAX_ENTRIES = 400;

const listDirInput = object({
  path: string("The directory to list. Default: the workspace.", { minLength: 1, default: "." }),
  depth: integer("How many levels of directories to open.", {
    minimum: 1,
    maximum: MAX_DEPTH,
    default: DEFAULT_DEPTH,
  }),
});

const description = `Lists a directory as a tree with the sizes of files, up to ${MAX_ENTRIES} entries. What git ignores, dependencies and
build output are named but not opened: pass their path to see them.`;

/**
 * The tool `list_dir`: a directory as a tree with sizes.
 *
 * Opens directories level by level, so that what does not fit is what lies deepest; each directory that is not shown whole says
 * so. Whatever the sandbox refuses is named with the reason and not opened. Works on any `Workspace`.
 */
export function createListDirTool(given: Workspace): BaseTool<InputOf<typeof listDirInput>> {
  return defineBuiltinTool({
    name: "list_dir",
    description,
    input: listDirInput,
    outputSchema: valueSchema({ paths: PATHS, total: COUNT }),
    permission: "read_only",
    effects: {},
    worksIn: given,
    describe: ({ path }) => ({ title: `List ${path ?? "."}`, kind: "search", paths: [path] }),
    checkPermission: ({ path }, about) => permissionOf(given, path, "read", about),
    async execute({ path, depth }, context) {
      const workspace = forCall(given);
      const { files } = workspace;
      const { signal } = context;
      const real = await files.resolve(path, "read");
      await assertDecided(workspace, { path, access: "read", real }, context);
      try {
        const [seen] = (await files.many?.look([{ path: real }])) ?? [];
        if ((seen?.kind ?? (await files.stat(real)).kind) !== "directory") throw notADirectory(path);
        const tree = await readDirectoryTree(workspace, real, { depth, maxEntries: MAX_ENTRIES, signal });
        const { shown, total } = tree;
        return {
          output: render(tree, path),
          details: { shown, total },
          get value() {
            return { paths: pathsOf(tree.entries, path === "." ? "" : `${path.replace(/\/+$/, "")}/`), total };
          },
        };
      } catch (error) {
        throw isHarnessError(error, "PATH_NOT_FOUND") ? await missingPath(workspace, path, real) : error;
      }
    },
  });
}

function render({ entries, hidden, shown, total }: DirectoryTree, path: string): string {
  if (total === 0) return `The directory ${quoteName(path)} is empty.`;
  const lines = [`${path.replace(/\/+$/, "")}/`, ...linesOf(entries, hidden, 1)];
  if (shown === MAX_ENTRIES)
    lines.push(`[There is room for ${MAX_ENTRIES} entries. List a directory by its path to see more]`);
  return lines.join("\n");
}

/** A directory's path ends with a slash. */
function pathsOf(entries: readonly TreeEntry[], above: string): string[] {
  return entries.flatMap(({ name, kind, entries: inside = [] }) =>
    kind === "directory" ? [`${above}${name}/`, ...pathsOf(inside, `${above}${name}/`)] : [`${above}${name}`],
  );
}

function linesOf(entries: readonly TreeEntry[], hidden: number, level: number): string[] {
  const indent = "  ".repeat(level);
  const lines = entries.flatMap((entry) => [
    `${indent}${nameOf(entry)}${noteOf(entry)}`,
    ...(entry.entries ? linesOf(entry.entries, entry.hidden ?? 0, level + 1) : []),
  ]);
  return hidden > 0 ? [...lines, `${indent}… ${hidden.toLocaleString("en-US")} more`] : lines;
}

function nameOf({ name, kind }: TreeEntry): string {
  return kind === "directory" ? `${listedName(name)}/` : listedName(name);
}

function noteOf({ kind, size, link, note, entries }: TreeEntry): string {
  const target = link === undefined ? "" : ` -> ${link}`;
  const isLink = kind === "symlink" && link === undefined ? "symbolic link, " : "";
  const bytes = size === undefined ? "" : `  ${readableSize(size)}`;
  const why = note ?? (entries?.length === 0 ? "empty" : undefined);
  return `${target}${bytes}${why === undefined ? "" : `  [${isLink}${why}]`}`;
}

function notADirectory(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is a file, not a directory. Read it with read_file.`,
    details: { path },
  });
}

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

/** The size in units of 1,000, with one digit behind the point. */
function readableSize(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${UNITS[power]}`;
}
