import { clip } from "./cut.js";

/** Control characters, line breaks, and marks that reorder what is shown around them. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const HIDDEN_OR_QUOTED = new RegExp(`${HIDDEN.source}|["\\\\]`, "gu");
/** Longer than any path a person wrote. Unit: characters. */
const MAX_SHOWN_CHARS = 500;

/**
 * A file name or path for a sentence: in double quotes, cut after 500 characters. In one with control, line-break or
 * direction characters these are escaped as in JSON, so that a name cannot pass for anything else.
 */
export function quoteName(name: string): string {
  const shown = clip(name, MAX_SHOWN_CHARS);
  return HIDDEN.test(shown) ? escapedName(shown) : `"${shown}"`;
}

/** A file name or path for a line of a list: as it is, or quoted and escaped when it would not stay on its line. */
export function listedName(name: string): string {
  return HIDDEN.test(name) ? escapedName(name) : name;
}

function escapedName(name: string): string {
  const escaped = name.replace(HIDDEN_OR_QUOTED, (character) => {
    const short = JSON.stringify(character).slice(1, -1);
    return short === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : short;
  });
  return `"${escaped}"`;
}
