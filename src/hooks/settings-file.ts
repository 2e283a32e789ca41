import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonObject, JsonValue } from "../contracts/json.js";

/** A place in a settings file that is wrong. Its text never holds the setting's value. */
export interface SettingsProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** As `hooks.PreToolUse[0].matcher`; empty for the file as a whole. */
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
    if (within !== undefined && !(await isReallyWithin(path, within))) {
      return wrong("is a link that leads out of the project, so it was not read; put the settings themselves there");
    }
    text = await readText(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return wrong(`cannot be read (${code ?? (error as Error).message})`);
  }
  if (text === null) return wrong(`is no file of at most ${MAX_FILE_BYTES} bytes`);
  if (text.trim() === "") return { path, value: {}, lineOf: () => 1 };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const [first] = errors;
  if (first) return wrong(`is no valid JSON: ${printParseErrorCode(first.error)}`, lineAt(first.offset));
  if (tree?.type !== "object") return wrong("holds no JSON object");
  return {
    path,
    value: JSON.parse(text),
    lineOf: (at) => lineAt(nearestNode(tree, at).offset),
  };
}

/** As it is written in a settings file: `hooks.PreToolUse[0].matcher`. */
export function keyOf(path: JsonPath): string {
  return path.reduce<string>(
    (key, part) => (typeof part === "number" ? `${key}[${part}]` : key === "" ? part : `${key}.${part}`),
    "",
  );
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

async function isReallyWithin(path: string, folder: string): Promise<boolean> {
  const way = relative(await realpath(folder), await realpath(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `null` for what is no file of a sensible size. A FIFO or device does not hold the reader up. */
async function readText(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = await file.stat();
    if (!about.isFile() || about.size > MAX_FILE_BYTES) return null;
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
