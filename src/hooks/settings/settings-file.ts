import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProjectFiles } from "../../files/project-files.js";
import { type ProjectFileError, readProjectFile } from "../../files/project-files.js";
import { sha256 } from "../../files/sha256.js";
import { isObject } from "../../json/is-object.js";

/** A place in a settings file that is wrong. The message quotes names and permission rules, no other value. */
export interface SettingsProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** As `hooks.PreToolUse[0].matcher`; empty for the file as a whole. A name that is not a plain word is quoted as JSON. */
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

/** The places for what is wrong: what leaves the rest of a file usable, and what does not. */
export interface Reporters {
  report(problem: SettingsProblem): void;
  refuse(problem: SettingsProblem): void;
}

const MAX_FILE_BYTES = 1024 * 1024;
/** Settings are a few levels deep; what walks them is recursive. */
const MAX_DEPTH = 64;
const NO_FILE = `is not a file of at most ${MAX_FILE_BYTES} bytes`;
const TROUBLES: Partial<Record<ProjectFileError["trouble"], string>> = {
  "not a file": NO_FILE,
  "too large": NO_FILE,
  outside: "is a link that leads out of the project, so it was not read; put the settings themselves there",
};

/**
 * Reads one settings file; `null` when there is not one, or none that can be read. What is wrong with it as a whole is
 * reported: to `refuse` where none of it can be used, to `report` where the rest can.
 *
 * `within`: the directory that the file must really be in, whatever links say.
 */
export async function readSettingsFile(
  files: ProjectFiles,
  path: string,
  { report, refuse }: Reporters,
  within?: string,
): Promise<SettingsFile | null> {
  const wrong = (message: string, line = 1) => {
    refuse({ file: path, line, key: "", message });
    return null;
  };
  let text: string;
  try {
    // Some editors begin a file with a byte order mark, which JSON does not know; the decoder leaves it out.
    text = new TextDecoder().decode(await readProjectFile(files, path, { maxBytes: MAX_FILE_BYTES, within }));
  } catch (error) {
    const { trouble, message } = error as ProjectFileError;
    return trouble === "missing" ? null : wrong(TROUBLES[trouble] ?? message.replace(/^it /, ""));
  }
  const digest = sha256(text);
  if (text.trim() === "") return { path, value: {}, digest, lineOf: () => 1 };
  if (isDeep(text)) return wrong(`is nested deeper than ${MAX_DEPTH} levels`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: true });
  const lineAt = linesOf(text);
  const [first] = errors.filter(({ error }) => printParseErrorCode(error) !== "InvalidCommentToken");
  if (first) return wrong(`is not valid JSON: ${printParseErrorCode(first.error)}`, lineAt(first.offset));
  if (tree?.type !== "object") return wrong("does not hold a JSON object");
  const [comment] = errors;
  const remark = (message: string, offset: number) => report({ file: path, line: lineAt(offset), key: "", message });
  if (comment) remark("holds comments, which JSON does not have; they were skipped", comment.offset);
  // JSON keeps the last of two, and would drop the rules of the first without a word.
  const twice = findRepeatedKey(tree);
  if (twice) remark(`says ${nameInText(twice.value)} twice in one object; both count, write it once`, twice.offset);
  const nodeAt = nodesOf(tree);
  const value = jsonOf(tree) as JsonObject;
  return { path, value, digest, lineOf: (at) => lineAt(nodeAt(at).offset) };
}

/** The value of a part of a file. Of two properties of one name, lists and objects are joined, and other values are the last. */
function jsonOf(node: Node): JsonValue {
  if (node.type === "array") return (node.children ?? []).map(jsonOf);
  if (node.type !== "object") return node.value as JsonValue;
  const values = new Map<string, JsonValue>();
  for (const { children } of node.children ?? []) {
    const [name, value] = children ?? [];
    if (!name || !value) continue;
    const key = String(name.value);
    const earlier = values.get(key);
    values.set(key, earlier === undefined ? jsonOf(value) : joined(earlier, jsonOf(value)));
  }
  return Object.fromEntries(values);
}

function joined(first: JsonValue, second: JsonValue): JsonValue {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
  if (!isObject(first) || !isObject(second)) return second;
  const both = new Map(Object.entries(first));
  for (const [key, value] of Object.entries(second)) {
    const earlier = both.get(key);
    both.set(key, earlier === undefined ? value : joined(earlier, value));
  }
  return Object.fromEntries(both);
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

/** The string with its control characters escaped. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
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

/** Whether brackets outside strings are nested too deeply for a recursive reader. Every character is looked at once. */
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

/** Finds the line of an offset, 1-based. Many are asked for when much of a file is wrong. */
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
