import type { Theme } from "../screen/theme.js";

/** Enough to see what a change is about; the file has the rest. */
export const SHOWN_DIFF_LINES = 24;

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The numbers of lines that a unified diff adds and removes. */
export function countChanges(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n");
  return {
    added: lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).length,
    removed: lines.filter((line) => line.startsWith("-") && !line.startsWith("--- ")).length,
  };
}

/** The ending of the file that a diff is about. */
const LANGUAGE = /^\+\+\+ .*\.(\w+)\s*$/m;

/**
 * A unified diff for the screen: line numbers, removed lines red, added ones green, or in the colours of their language where those
 * are loaded. `text` cleans what is in a line.
 */
export function diffLines(
  diff: string,
  theme: Theme,
  text: (line: string) => string,
  limit = SHOWN_DIFF_LINES,
): readonly string[] {
  const shown: string[] = [];
  let [old, now] = [0, 0];
  let isFirst = true;
  const language = LANGUAGE.exec(diff)?.[1];
  const colored = (body: string) =>
    (shown.length < limit ? theme.markdown.highlightCode?.(body, language)[0] : undefined) ?? body;
  for (const line of diff.split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [old, now] = [Number(hunk[1]), Number(hunk[2])];
      if (!isFirst) shown.push(theme.dim("   …"));
      isFirst = false;
    } else if (old + now > 0 || !isFirst) {
      const body = text(line.slice(1));
      if (line.startsWith("-")) shown.push(theme.red(`${number(old++)} - ${body}`));
      else if (line.startsWith("+")) {
        const code = colored(body);
        const mark = `${number(now++)} +`;
        shown.push(code === body ? theme.green(`${mark} ${body}`) : `${theme.green(mark)} ${code}`);
      } else if (line.startsWith(" ")) {
        shown.push(`${theme.dim(number(now))}   ${colored(body)}`);
        old++;
        now++;
      } else if (line !== "") shown.push(theme.dim(body === "" ? line : text(line)));
    }
  }
  if (shown.length <= limit) return shown;
  const left = shown.length - limit + 1;
  return [...shown.slice(0, limit - 1), theme.dim(`   … ${left} more lines`)];
}

function number(line: number): string {
  return String(line).padStart(4);
}
