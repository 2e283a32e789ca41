import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
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
  if (text.trim() === "") return { path, value: {}, lineOf: () => 1 };
  if (isDeep(text)) return wrong(`is nested deeper than ${MAX_DEPTH} levels`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const [first] = errors;
  if (first) return wrong(`is no valid JSON: ${printParseErrorCode(first.error)}`, lineAt(first.offset));
  if (tree?.type !== "object") return wrong("holds no JSON object");
  // JSON keeps the last of two, and would drop the rules of the first without a word.
  const twice = findRepeatedKey(tree);
  if (twice)
    return wrong(`says ${JSON.stringify(twice.value)} twice in one object; write it once`, lineAt(twice.offset));
  return {
    path,
    value: JSON.parse(text),
    lineOf: (at) => lineAt(nearestNode(tree, at).offset),
  };
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
  return /^[\w-]{1,80}$/.test(part) ? part : printable(JSON.stringify(part.slice(0, 80)));
}

/** The text with its control characters escaped. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Of a key that is not there, the object it is missing from. */
function nearestNode(tree: Node, path: JsonPath): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, [...path.slice(0, length)]);
    if (node) return node;
  }
  return tree;
}

/** Whether brackets outside texts are nested too deeply for a recursive reader. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (piece === "[" || piece === "{") depth++;
    if (piece === "]" || piece === "}") depth--;
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
