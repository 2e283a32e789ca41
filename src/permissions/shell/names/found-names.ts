import type { ListedNames, ShellWord } from "../words/shell-word.js";

/** A place to start from that a pattern can hold as it stands, and that no program takes for an option. */
const START = /^[\w.@/+][\w.@/+-]*$/;

/** The names below some directories, by default the current one; `null` for directories that a pattern cannot hold. */
export function namesBelow(
  starts: readonly string[],
  names: readonly string[],
  listing: Omit<ListedNames, "patterns">,
): ListedNames | null {
  if (!starts.every((start) => START.test(start) && !leavesDirectory(start))) return null;
  const directories = starts.length === 0 ? ["."] : starts;
  const places = directories.map((start) => (start === "/" ? "" : start.replace(/\/+$/, "")));
  return { ...listing, patterns: places.flatMap((place) => names.map((name) => `${place}/${name}`)) };
}

/** It goes up on its way. */
export function leavesDirectory(path: string): boolean {
  return /(?:^|\/)\.\.(?:\/|$)/.test(path);
}

/** The pattern of its finds among all that lies below: files of one name, when it asks for that alone. */
export function below(args: readonly ShellWord[]): string {
  const names = namesAsked(args);
  const isAlternative = args.some(({ value }) => /^(?:-o|-or|!|-not|,)$/.test(value ?? ""));
  return names.length === 1 && !isAlternative ? `**/${names[0]}` : "**";
}

/** The names that `-name` and `-iname` ask for. */
export function namesAsked(args: readonly ShellWord[]): readonly string[] {
  return args.flatMap(({ value }, index) => {
    const before = args[index - 1]?.value ?? "";
    const isNegated = /^(?:!|-not)$/.test(args[index - 2]?.value ?? "");
    return /^-i?name$/.test(before) && !isNegated && value !== null && !value.includes("/") ? [value] : [];
  });
}
