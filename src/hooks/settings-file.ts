import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonObject, JsonValue } from "../contracts/json.js";

/** A place in a settings file that is wrong. Its text quotes names and permission rules, no other value. */
export interface SettingsProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** As `hooks.PreToolUse[0].matcher`; empty for the file as a whole. A name that is no plain word is quoted as JSON. */
  readonly key: string;
  readonly message: string;
}

export type JsonPath = readonly (string | number)[];

/** One settings file that was read: its value, and where each part of it stands. */
export interface SettingsFile {
  readonly path: string;
  readonly value: JsonObject;
  /** SHA-256 of its text, in hexadecimal. */
  readonly digest: string;
  lineOf(path: JsonPath): number;
}

const MAX_FILE_BYTES = 1024 * 1024;
/** Settings are a few levels deep; what walks them is recursive. */
const MAX_DEPTH = 64;

/**
 * Reads one settings file; `null` when there is none. What is wrong with it as a whole is reported.
 *
 * `within`: the folder that the file must really be in, whatever links say.
 */
export async function readSettingsFile(
  path: string,
  report: (problem: SettingsProblem) => void,
  within?: string,
): Promise<SettingsFile | null> {
  const wrong = (message: string, line = 1) => {
    report({ file: path, line, key: "", message });
    return null;
  };
  let text: string | null;
  try {
    const real = await realpath(path);
    if (within !== undefined && !isWithin(real, await realpath(within))) {
      return wrong("is a link that leads out of the project, so it was not read; put the settings themselves there");
    }
    // The file that was looked at is the one that is read, though the link be turned meanwhile.
    text = await readText(real);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return wrong(`cannot be read (${code ?? (error as Error).message})`);
  }
  if (text === null) return wrong(`is no file of at most ${MAX_FILE_BYTES} bytes`);
  const digest = createHash("sha256").update(text).digest("hex");
  if (text.trim() === "") return { path, value: {}, digest, lineOf: () => 1 };
  if (isDeep(text)) return wrong(`is nested deeper than ${MAX_DEPTH} levels`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const lineAt = linesOf(text);
  const [first] = errors;
  if (first) return wrong(`is no valid JSON: ${printParseErrorCode(first.error)}`, lineAt(first.offset));
  if (tree?.type !== "object") return wrong("holds no JSON object");
  // JSON keeps the last of two, and would drop the rules of the first without a word.
  const twice = findRepeatedKey(tree);
  if (twice) return wrong(`says ${nameInText(twice.value)} twice in one object; write it once`, lineAt(twice.offset));
  const nodeAt = nodesOf(tree);
  return { path, value: JSON.parse(text), digest, lineOf: (at) => lineAt(nodeAt(at).offset) };
}

/** As it is written in a settings file: `hooks.PreToolUse[0].matcher`. */
export function keyOf(path: JsonPath): string {
  return path.reduce<string>(
    (key, part) => (typeof part === "number" ? `${key}[${part}]` : `${key === "" ? "" : `${key}.`}${nameOf(part)}`),
    "",
  );
}

/** A hostile name cannot write into the terminal that shows it. */
function nameOf(part: string): string {
  return /^[\w-]{1,80}$/.test(part) ? part : nameInText(part);
}

function nameInText(name: string): string {
  return printable(JSON.stringify(name.slice(0, 80)));
}

/** The text with its control characters escaped. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Finds the node of a path; of a key that is not there, the object it is missing from. A hostile file may have a great many
 * keys, and each of them may be asked for.
 */
function nodesOf(tree: Node): (path: JsonPath) => Node {
  const valuesOf = new Map<Node, Map<unknown, Node | undefined>>();
  const childOf = (node: Node, part: string | number): Node | undefined => {
    if (node.type === "array") return node.children?.[Number(part)];
    if (node.type !== "object") return undefined;
    const known =
      valuesOf.get(node) ?? new Map(node.children?.map(({ children }) => [children?.[0]?.value, children?.[1]]));
    valuesOf.set(node, known);
    return known.get(part);
  };
  return (path) => {
    let node = tree;
    for (const part of path) {
      const child = childOf(node, part);
      if (!child) break;
      node = child;
    }
    return node;
  };
}

/** Whether brackets outside texts are nested too deeply for a recursive reader. Every character is looked at once. */
function isDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The second of two properties of one name, of the first object that has such. */
function findRepeatedKey(node: Node): Node | undefined {
  const names = new Set<string>();
  for (const child of node.children ?? []) {
    const name = child.type === "property" ? child.children?.[0] : undefined;
    if (name && names.has(name.value)) return name;
    if (name) names.add(name.value);
    const found = findRepeatedKey(child);
    if (found) return found;
  }
  return undefined;
}

/** Tells the line of an offset, 1-based. Many are asked for when much of a file is wrong. */
function linesOf(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `null` for what is no file of a sensible size. A FIFO or device does not hold the reader up. */
async function readText(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = await file.stat();
    if (!about.isFile() || about.size > MAX_FILE_BYTES) return null;
    // Some editors begin a file with a byte order mark, which JSON does not know.
    return (await file.readFile("utf8")).replace(/^\uFEFF/, "");
  } finally {
    await file.close();
  }
}
