import { ToolError } from "../../../contracts/errors.js";
import { createPathTest } from "../../../paths/glob.js";

const MAX_ALTERNATIVES = 1_000;
const MAX_LENGTH = 5_000;

/**
 * A test for paths against a glob: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `(a|b)`, and `\` before a character that is
 * to be taken as it is. Hidden names match like others.
 *
 * Brackets also match as themselves, because directories are named `[id]` by web frameworks. Linear in the path, whatever
 * the glob.
 *
 * @throws ToolError `PATTERN_INVALID` for more than 1,000 alternatives or 5,000 characters
 */
export function createGlobMatcher(glob: string): (path: string) => boolean {
  if (glob.length > MAX_LENGTH) throw unusable(glob, `it is longer than ${MAX_LENGTH} characters`);
  const alternatives = expand(glob.replace(/^(?:\.\/)+/, ""));
  if (alternatives.length > MAX_ALTERNATIVES) {
    throw unusable(glob, `it represents more than ${MAX_ALTERNATIVES} others`);
  }
  const readings = new Set(alternatives.flatMap((each) => [each, escapeUnescaped(each, /[[\]]/g)]));
  const tests = [...readings].map(createPathTest);
  return (path) => tests.some((test) => test(path));
}

function unusable(glob: string, reason: string): ToolError {
  return new ToolError("PATTERN_INVALID", {
    message: `The glob "${glob.slice(0, 200)}" cannot be used: ${reason}. Write one such as "src/**/*.ts".`,
  });
}

/** Without its alternatives: `{a,b}c` is `ac` and `bc`. One that has none, as `{x}` or `(x)`, stays as it is written. */
function expand(glob: string): string[] {
  const group = findGroup(glob);
  if (!group) return [escapeUnescaped(glob, /[{}()]/g)];
  const { start, end, parts } = group;
  const before = escapeUnescaped(glob.slice(0, start), /[{}()]/g);
  const rest = expand(glob.slice(end));
  const middles = parts.flatMap(expand);
  if (middles.length * rest.length > MAX_ALTERNATIVES) return Array(MAX_ALTERNATIVES + 1).fill("");
  return middles.flatMap((middle) => rest.map((after) => before + middle + after));
}

const CLOSING: Record<string, string> = { "{": "}", "(": ")" };

/** The first group in braces with a comma, or in parentheses with a bar, that is not inside another. */
function findGroup(glob: string): { start: number; end: number; parts: string[] } | undefined {
  for (let start = 0; start < glob.length; start++) {
    if (glob[start] === "\\") start++;
    else if (CLOSING[glob[start]!]) {
      const group = readGroup(glob, start);
      if (group && group.parts.length > 1) return group;
    }
  }
  return undefined;
}

function readGroup(glob: string, start: number): { start: number; end: number; parts: string[] } | undefined {
  const separator = glob[start] === "{" ? "," : "|";
  const open = [CLOSING[glob[start]!]];
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < glob.length; at++) {
    const character = glob[at]!;
    if (character === "\\") at++;
    else if (CLOSING[character]) open.push(CLOSING[character]);
    else if (character === open.at(-1)) open.pop();
    else if (character === separator && open.length === 1) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    }
    if (open.length === 0) return { start, end: at + 1, parts: [...parts, glob.slice(from, at)] };
  }
  return undefined;
}

function escapeUnescaped(glob: string, what: RegExp): string {
  const pieces = new RegExp(`\\\\[\\s\\S]|${what.source}`, "g");
  return glob.replace(pieces, (piece) => (piece.startsWith("\\") ? piece : `\\${piece}`));
}

/** The directory a glob begins with, taken literally, and the rest; no rest when nothing in it is special. */
export function splitGlob(glob: string): { readonly base: string; readonly rest: string } {
  const names = glob.replace(/\/{2,}/g, "/").split("/");
  const special = names.findIndex((name) => /[*?[\]{}()]/.test(name.replace(/\\[\s\S]/g, "")));
  const base = special === -1 ? names : names.slice(0, special);
  const start = base.length === 1 && base[0] === "" ? "/" : base.join("/");
  return { base: start.replace(/\\([\s\S])/g, "$1"), rest: special === -1 ? "" : names.slice(special).join("/") };
}

/** A glob that matches exactly this name. */
export function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}()!+@|\\]/g, "\\$&");
}

/** The names a glob spells out: `dist` in `**\/dist/*.{js,css}`. */
export function namesInGlob(glob: string): ReadonlySet<string> {
  return new Set(glob.split(/[/{},]/).filter((part) => part !== "" && !/[*?[\]()!+@|]/.test(part)));
}

/** The greatest depth of a path that matches; infinite when the glob does not limit it. */
export function depthOf(glob: string): number {
  const isOpen = glob.includes("**") || /[({][^)}]*\//.test(glob);
  return isOpen ? Number.POSITIVE_INFINITY : glob.split("/").length;
}
