import { basename } from "node:path";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import type { OpenFile, SeenPart, Workspace } from "../../contracts/workspace.js";
import { type InputOf, integer, object, optional, string } from "../../schema/fields.js";
import { listedName, quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { assertDecided } from "../files/decided-path.js";
import { fileDigest, MAX_DIGESTED_BYTES } from "../files/file-digest.js";
import { countLines, fileNote } from "../files/file-note.js";
import { endSession, forCall, pathClaims, permissionOf } from "../files/file-tool.js";
import { missingPath } from "../files/missing-path.js";
import { decodeText, encodingOf } from "../files/text-encoding.js";
import { A_STRING, COUNT, valueSchema } from "../value-schema.js";
import { binaryKind, imageType, PDF_KIND } from "./file-kind.js";
import { type ByteSource, createLineIndex, type LineIndex } from "./line-reader.js";
import { MAX_PAGE_CHARS, type PageRequest, readPage, readPart } from "./text-page.js";

const DEFAULT_LIMIT = 2_000;
/** Shows what kind of file it is, and in most texts holds all of the first page. Unit: bytes. */
const START_BYTES = 96 * 1024;
/** The limit of an image or a PDF document: a result holds none of more than 5 MiB in base64, which is a third longer. Unit: bytes. */
const MAX_SHOWN_BYTES = (5 * 1024 * 1024 * 3) / 4;
/** UTF-16 is converted whole. Unit: bytes. */
const MAX_UTF16_BYTES = 64 * 1024 * 1024;
const MAX_LISTED_ENTRIES = 200;

const readFileInput = object({
  path: string("The file, relative to the workspace.", { minLength: 1 }),
  offset: integer("The first line to read, from 1.", { minimum: 1, default: 1 }),
  limit: integer("How many lines to read.", { minimum: 1, default: DEFAULT_LIMIT }),
  column: optional(integer("Continues within line offset only, from this character, from 1.", { minimum: 1 })),
});

const description = `Reads a text file as lines "number⇥text", up to 2,000 lines and 80,000 characters at a time, and says how to
continue. Shows images and PDF documents, lists directories, and gives the type and size of other files.`;

/** The value of a text; other files have none. */
const READ_VALUE = valueSchema({
  text: A_STRING,
  firstLine: COUNT,
  lines: COUNT,
  hasMore: { type: "boolean" },
  cutLines: { type: "array", items: COUNT },
});

/**
 * The tool `read_file`: a page of lines of any text file, an image, a PDF document, or what is in a directory.
 *
 * Pages of huge files are read with flat memory, and line starts seen on the way are remembered for the next page; files
 * up to 16 MiB are also counted to the end. What was read is noted in the workspace's file state, for later writes.
 */
export function createReadFileTool(given: Workspace): BaseTool<InputOf<typeof readFileInput>> {
  const states = new ReadStates();

  async function readPath(
    { path, ...page }: InputOf<typeof readFileInput>,
    { real, workspace }: { readonly real: string; readonly workspace: Workspace },
    context: ToolContext,
  ) {
    context.signal.throwIfAborted();
    const file = await openFile(workspace, real);
    if (file === null) return listing(workspace, path, real);
    try {
      return await readFile({ path, ...page, file, states, workspace, context });
    } finally {
      await file.close();
    }
  }

  /** `null` for a directory. */
  async function openFile({ files }: Workspace, real: string): Promise<OpenFile | null> {
    try {
      return await files.open(real);
    } catch (error) {
      if (isHarnessError(error, "FILE_UNSUPPORTED") && (await files.stat(real)).kind === "directory") return null;
      throw error;
    }
  }

  return defineBuiltinTool({
    name: "read_file",
    description,
    input: readFileInput,
    outputSchema: READ_VALUE,
    permission: "read_only",
    effects: {},
    worksIn: given,
    describe: ({ path, offset }) => ({ title: `Read ${path ?? "a file"}`, kind: "read", paths: [path], line: offset }),
    // Pages are bounded here already, at the end of a line and with a way to go on.
    maxResultChars: MAX_PAGE_CHARS + 1_000,
    claims: ({ path }) => pathClaims(given, path, "read"),
    checkPermission: ({ path }, about) => permissionOf(given, path, "read", about),
    async execute(request, context) {
      const workspace = forCall(given);
      const { files } = workspace;
      const real = await files.resolve(request.path, "read");
      await assertDecided(workspace, { path: request.path, access: "read", real }, context);
      try {
        return await files.withLock(real, "read", () => readPath(request, { real, workspace }, context));
      } catch (error) {
        throw isHarnessError(error, "PATH_NOT_FOUND") ? await missingPath(workspace, request.path, real) : error;
      }
    },
    endSession: (sessionId) => endSession(given, sessionId),
  });
}

interface Reading extends InputOf<typeof readFileInput> {
  readonly file: OpenFile;
  readonly states: ReadStates;
  readonly workspace: Workspace;
  readonly context: ToolContext;
}

async function readFile({ path, file, states, workspace, context, ...page }: Reading): Promise<ToolOutput> {
  const isSmall = file.stat.size <= MAX_DIGESTED_BYTES;
  const known = states.find(file);
  const isWhole = isSmall && !known;
  const start = await readStart(file, isWhole ? file.stat.size : Math.min(START_BYTES, file.stat.size));
  const state = known ?? states.keep(file, stateOf(file, start, isWhole));
  const { digest, lines, index } = state;
  const { output, seen } = await readContent({ path, ...page, file, index, start, isSmall, isWhole, context });
  const note = fileNote("read", lines, context);
  workspace.fileState.note(context.sessionId, file.path, digest, file.stat.version, seen, note);
  return output;
}

function stateOf(file: OpenFile, start: Buffer, isWhole: boolean): ReadState {
  const sample = start.subarray(0, START_BYTES);
  return {
    digest: fileDigest(isWhole ? start : null, file.stat),
    lines: isWhole ? countLines(start) : null,
    index: createLineIndex(encodingOf(start).hasBom ? 3 : 0, sample),
  };
}

interface Content extends Omit<Reading, "states" | "workspace"> {
  readonly index: LineIndex;
  readonly start: Buffer;
  readonly isSmall: boolean;
  /** Whether `start` is all of the file. */
  readonly isWhole: boolean;
}

/** The content of the file as the model reads it, and how much of it that is. */
async function readContent(content: Content): Promise<{ output: ToolOutput; seen: SeenPart }> {
  const { path, file, index, start, isSmall, isWhole, context, ...page } = content;
  const { signal } = context;
  const image = imageType(start);
  if (image) return { output: await showImage(path, image, file), seen: "all" };
  const encoding = encodingOf(start);
  if (encoding.name !== "utf-8") {
    const text = await utf16Text(path, file);
    const source = bytesSource(Buffer.from(text));
    return await readText({
      path,
      ...page,
      source,
      index: createLineIndex(0, Buffer.from(text)),
      countAll: true,
      signal,
    });
  }
  const kind = binaryKind(start);
  if (kind === PDF_KIND && file.stat.size <= MAX_SHOWN_BYTES) return { output: await showPdf(path, file), seen: "all" };
  if (kind) {
    const output = `${quoteName(path)} is not a text file: ${kind}, ${sizeOf(file)}. To look into it, use a command that reads this format.`;
    return { output, seen: "all" };
  }
  const source = isWhole ? bytesSource(start) : fileSource(file, start);
  return readText({ path, ...page, source, index, countAll: isSmall, signal });
}

async function readText({ column, ...page }: PageRequest & { readonly column?: number | undefined }) {
  const { text: output, seen, value } = await (column === undefined ? readPage(page) : readPart({ ...page, column }));
  return { output: value ? { output, value } : output, seen };
}

async function readStart(file: OpenFile, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for (let count = -1; length < size && count !== 0; length += count) {
    count = await file.read(bytes.subarray(length), length);
  }
  return bytes.subarray(0, length);
}

function bytesSource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: async (target, position) => bytes.copy(target, 0, position) };
}

/** A page that was read already is not read again. */
function fileSource(file: OpenFile, start: Buffer): ByteSource {
  return {
    size: file.stat.size,
    read: async (target, position) =>
      position < start.length ? start.copy(target, 0, position) : file.read(target, position),
  };
}

async function utf16Text(path: string, file: OpenFile): Promise<string> {
  if (file.stat.size > MAX_UTF16_BYTES) {
    throw unsupported(path, `is UTF-16 text of ${sizeOf(file)}, too large to convert. Convert it with iconv first`);
  }
  const decoded = decodeText(await readStart(file, file.stat.size));
  if (decoded) return decoded.text;
  throw unsupported(path, `begins like UTF-16 text but is damaged or binary, ${sizeOf(file)}`);
}

async function showImage(path: string, mediaType: string, file: OpenFile): Promise<ToolOutput> {
  const size = sizeOf(file);
  if (file.stat.size > MAX_SHOWN_BYTES)
    return `${quoteName(path)} is an image (${mediaType}, ${size}), too large to show. Make a smaller copy of it with a command.`;
  const data = (await readStart(file, file.stat.size)).toString("base64");
  return {
    output: [
      { type: "text", text: `${quoteName(path)}: ${mediaType}, ${size}.` },
      { type: "image", mediaType, data },
    ],
  };
}

/** The text stays where the document is left out, because the model's server takes none. */
async function showPdf(path: string, file: OpenFile): Promise<ToolOutput> {
  const data = (await readStart(file, file.stat.size)).toString("base64");
  const about = `${quoteName(path)}: ${PDF_KIND}, ${sizeOf(file)}. If you cannot see it, use a command that reads this format.`;
  return {
    output: [
      { type: "text", text: about },
      { type: "file", mediaType: "application/pdf", data, name: basename(file.path) },
    ],
  };
}

async function listing(workspace: Workspace, path: string, real: string): Promise<string> {
  const entries = await workspace.files.list(real);
  const names = entries
    .map(({ name, kind }) => (kind === "directory" ? `${listedName(name)}/` : listedName(name)))
    .sort();
  const shown = names.slice(0, MAX_LISTED_ENTRIES);
  const more = names.length > shown.length ? [`… and ${names.length - shown.length} more`] : [];
  const content = names.length === 0 ? "It is empty." : "It contains:";
  return [`${quoteName(path)} is a directory, not a file. ${content}`, ...shown, ...more].join("\n");
}

function sizeOf(file: OpenFile): string {
  return `${file.stat.size.toLocaleString("en-US")} bytes`;
}

function unsupported(path: string, problem: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", { message: `${quoteName(path)} ${problem}.`, details: { path } });
}

const MAX_FILES = 32;
/** A file changed again so soon may carry the same time: some file systems count in steps of two seconds. */
const CLOCK_TICK_MS = 2_000;

/** The index of one state of a file, so that its next page costs that page. */
interface ReadState {
  readonly digest: string;
  readonly lines: number | null;
  readonly index: LineIndex;
}

/** The states of the files read last. */
class ReadStates {
  readonly #states = new Map<string, ReadState & { readonly version: string }>();

  /** `undefined` when the file is not known as it was opened. */
  find({ path, stat }: OpenFile): ReadState | undefined {
    const known = this.#states.get(path);
    if (known?.version !== stat.version) return undefined;
    this.#states.delete(path);
    this.#states.set(path, known);
    return known;
  }

  keep({ path, stat }: OpenFile, state: ReadState): ReadState {
    this.#states.delete(path);
    if (Date.now() - stat.mtimeMs < CLOCK_TICK_MS) return state;
    this.#states.set(path, { ...state, version: stat.version });
    const [oldest] = this.#states.keys();
    if (this.#states.size > MAX_FILES && oldest !== undefined) this.#states.delete(oldest);
    return state;
  }
}
