import picomatch from "picomatch";
import { ToolError } from "../contracts/errors.js";

/**
 * A test for paths against a glob. Hidden names match like others, and a leading `!` is a character.
 *
 * Brackets and parentheses also match as themselves, because folders are named `[id]` and `(group)` by web frameworks.
 *
 * @throws ToolError `PATTERN_INVALID`
 */
export function createGlobMatcher(glob: string): (path: string) => boolean {
  const literal = glob.replace(/[[\]()]/g, "\\$&");
  try {
    const expressions = [...new Set([glob, literal])].map((each) =>
      picomatch.makeRe(each, { dot: true, nonegate: true }),
    );
    return (path) => expressions.some((expression) => expression.test(path));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("PATTERN_INVALID", {
      message: `The glob "${glob.slice(0, 200)}" cannot be used: ${reason}. Write one such as "src/**/*.ts".`,
      cause,
    });
  }
}

/** A glob that matches exactly this name. */
export function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}()!+@|\\]/g, "\\$&");
}

/** The names a glob spells out: `dist` in `**\/dist/*.{js,css}`. */
export function namesIn(glob: string): ReadonlySet<string> {
  return new Set(glob.split(/[/{},]/).filter((part) => part !== "" && !/[*?[\]()!+@|]/.test(part)));
}

/** How many folders deep a path may be that matches; infinite when the glob does not tell. */
export function depthOf(glob: string): number {
  const isOpen = glob.includes("**") || /[({][^)}]*\//.test(glob);
  return isOpen ? Number.POSITIVE_INFINITY : glob.split("/").length;
}
