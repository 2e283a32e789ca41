// Imports in instruction files: `@docs/style.md` in the middle of a string brings that file along.

/** The place where an import may begin: not inside a word, so that mail addresses are left alone. */
const IMPORT = /(?<![\p{L}\p{N}_`@/.-])@((?:~?\/|\.{1,2}\/)?[^\s`'"<>()[\]{},;:!?]+)/gu;
const CODE_FENCE = /^\s*(`{3,}|~{3,})/;
const CODE_SPAN = /(`+)[^`]+?\1/g;

/** The paths a string imports, in order, each once; what stands in code is not an import. */
export function importsIn(text: string): string[] {
  const found = new Set<string>();
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const mark = CODE_FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
      continue;
    }
    if (fence !== null) continue;
    for (const [, path] of line.replace(CODE_SPAN, "").matchAll(IMPORT)) {
      const clean = path!.replace(/[.…*_~]+$/u, "");
      if (clean !== "" && !/^~(?!\/)/.test(clean)) found.add(clean);
    }
  }
  return [...found];
}

/** Whether a missing target is worth mentioning: `@types/node` and `@ann` are names, `@docs/style.md` is a path. */
export function looksLikePath(path: string): boolean {
  return /^(?:~?\/|\.{1,2}\/)/.test(path) || /\.(?:md|mdx|markdown|mdc|txt|rst|adoc)$/i.test(path);
}
