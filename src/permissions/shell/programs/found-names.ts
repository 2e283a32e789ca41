import type { ShellWord } from "../shell-word.js";

/** What of all that lies below it finds: files of one name, when it asks for that alone. */
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
