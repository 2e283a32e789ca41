import type { JsonObject, JsonValue } from "../contracts/json.js";

/** Something about a file that its author should know. */
export interface FrontmatterProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The field it is about; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
}

/** A Markdown file with fields above its text. */
export interface Frontmatter {
  /** Plain JSON, in the file's order. `null` when the file has no frontmatter. */
  readonly fields: JsonObject | null;
  /** The text after the frontmatter, with `\n` as its line breaks; the whole file when there is not one. */
  readonly body: string;
  /** The line on which the body begins. 1-based. */
  readonly bodyLine: number;
  /** The problems of the frontmatter as such; the reader's caller checks the fields. */
  readonly problems: readonly FrontmatterProblem[];
  /** The line of a field; of one that is not there, the first of the file. */
  lineOf(key: string): number;
}

/** Nobody describes a skill or an agent in more. */
const MAX_FRONTMATTER_CHARS = 64 * 1024;

/**
 * Reads the frontmatter of a Markdown file's text; never throws for what is in it.
 *
 * It is YAML. Where it is not, mostly because of an unquoted colon or a key that occurs twice, it is read field by field:
 * a field that is not YAML even alone is taken as text, a list as a list, and each is reported. Of two fields of one name
 * the last counts.
 *
 * `file` is the name that problems carry. A byte order mark and `\r\n` are understood.
 */
export async function readFrontmatter(text: string, file: string): Promise<Frontmatter> {
  const problems: FrontmatterProblem[] = [];
  const report = (line: number, key: string, message: string) => problems.push({ file, line, key, message });
  const { yaml, yamlLine, body, bodyLine, isUnclosed } = splitFrontmatter(text);
  const without = { fields: null, body, bodyLine, problems, lineOf: () => 1 };
  if (isUnclosed) {
    report(yamlLine - 1, "", 'the frontmatter that begins here has no end; close it with a line of "---"');
  }
  if (yaml === null) return without;
  if (yaml.length > MAX_FRONTMATTER_CHARS) {
    report(yamlLine, "", `the frontmatter has ${yaml.length} characters; at most ${MAX_FRONTMATTER_CHARS} are read`);
    return without;
  }
  // Loaded only by those who have something to read with it.
  const { readFields } = await import("./read-fields.js");
  const read = readFields(yaml, (line, key, message) => report(yamlLine + line, key, message));
  const lines = new Map(read.map(({ key, line }) => [key, yamlLine + line]));
  const fields = Object.fromEntries(read.map(({ key, value }): [string, JsonValue] => [key, value]));
  return { fields, body, bodyLine, problems, lineOf: (key) => lines.get(key) ?? 1 };
}

interface SplitText {
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
function splitFrontmatter(text: string): SplitText {
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
