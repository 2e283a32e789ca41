export interface SplitText {
  /** The lines between the two marks; `null` when there are not. */
  readonly yaml: string | null;
  /** The line of the file on which they begin. 1-based. */
  readonly yamlLine: number;
  readonly body: string;
  readonly bodyLine: number;
  /** It begins with a mark, and no second one follows. */
  readonly isUnclosed: boolean;
}

const FIELD = /^[A-Za-z_][\w-]*\s*:/;

/** Cuts a string at its frontmatter: lines between two lines of `---`, the first of them before any other text. */
export function splitFrontmatter(text: string): SplitText {
  const whole = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = whole.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const without = { yaml: null, yamlLine: first + 2, body: whole, bodyLine: 1, isUnclosed: false };
  if (first < 0 || lines[first]!.trimEnd() !== "---") return without;
  const end = lines.findIndex((line, index) => index > first && /^(---|\.\.\.)\s*$/.test(line));
  // A Markdown file may also begin with a rule, which is written alike.
  if (end < 0) return { ...without, isUnclosed: FIELD.test(lines[first + 1] ?? "") };
  return {
    yaml: lines.slice(first + 1, end).join("\n"),
    yamlLine: first + 2,
    body: lines.slice(end + 1).join("\n"),
    bodyLine: end + 2,
    isUnclosed: false,
  };
}
