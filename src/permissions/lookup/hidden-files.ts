import type { AnalyzedCommand } from "../shell/analysis.js";

/** A search that leaves out hidden files, since nothing says otherwise; a pattern for names may. */
export function skipsHidden({ program, words }: AnalyzedCommand): boolean {
  if (program !== "rg") return false;
  return words.every((word, at) => {
    if (word === null || /^(?:--hidden|--unrestricted|--no-ignore.*|--i?glob=[^!]?.*|-[a-zA-Z]*[.u].*)$/.test(word)) {
      return /^--i?glob=!/.test(word ?? "");
    }
    const glued = /^-[a-zA-Z]*g(.*)$/s.exec(word)?.[1] ?? (/^--i?glob$/.test(word) ? "" : undefined);
    return glued === undefined || (glued || (words[at + 1] ?? "")).startsWith("!");
  });
}
