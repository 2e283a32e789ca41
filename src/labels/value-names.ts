// The rule for a text that names a value: as a whole word, and an id only where it cannot be taken for a number that means something else.
import type { Target, TargetKind } from "../contracts/label.js";

/** The form in which values are compared: of an address without its scheme and last slash; letters count as small ones, except in paths. */
export function valueKey(kind: TargetKind, value: string): string {
  const text = value.trim();
  if (kind === "url") return `url ${withoutScheme(text)}`;
  return `id ${text.toLowerCase()}`;
}

function withoutScheme(url: string): string {
  const rest = url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
  const slash = rest.search(/[/?#]/);
  return slash < 0 ? rest.toLowerCase() : rest.slice(0, slash).toLowerCase() + rest.slice(slash);
}

/**
 * Whether a text holds the value as a whole word. One or two characters name nothing, and a number is an id only behind `#` or a word of
 * its field's name. An amount is any whole number, and a point in time is named by its day. An address has to be there as a whole.
 */
export function isNamedIn(text: string, { field, kind, value }: Target): boolean {
  const given = kind === "url" ? withoutScheme(value.trim()) : value.trim();
  // A point in time is named by its day.
  const wanted = (kind === "amount" && /^(\d{4}-\d{2}-\d{2})[T ]\d/.exec(given)?.[1]) || given;
  if (wanted === "" || (kind !== "amount" && wanted.length < 3)) return false;
  if (!text.toLowerCase().includes(wanted.toLowerCase())) return false;
  const isNumber = kind !== "amount" && /^\d+$/.test(wanted);
  const before = isNumber ? `(?:#|\\b(?:${wordsOf(field)})s?\\W{0,3})` : "(?:^|[\\s\"'`([{<=,;:]|//|mailto:)";
  const after = kind === "url" ? "(?=/?(?:[\\s\"'`)\\]}>,;!]|[.?:](?:\\s|$)|$))" : "(?![\\w@/-]|[.:]\\w)";
  const pattern = new RegExp(`${before}(${escaped(wanted)})${after}`, "gi");
  return [...text.matchAll(pattern)].some(([, named]) => isSameName(kind, named!, wanted));
}

/** Letters count as small ones, except in paths and behind the host of an address. */
function isSameName(kind: TargetKind, named: string, wanted: string): boolean {
  if (kind === "path") return named === wanted;
  return kind !== "url" || withoutScheme(named) === withoutScheme(wanted);
}

function wordsOf(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[^A-Za-z]+/);
  return (
    words
      .filter((word) => word.length > 1)
      .map(escaped)
      .join("|") || "id"
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
