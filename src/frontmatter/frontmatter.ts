import type { JsonObject, JsonValue } from "../contracts/json.js";
import { splitFrontmatter } from "./split-frontmatter.js";

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
  /** What follows the frontmatter, with `\n` as its line breaks; the whole file when there is not one. */
  readonly body: string;
  /** The line on which the body begins. 1-based. */
  readonly bodyLine: number;
  /** Of the frontmatter as such; what a field may hold is for the reader's caller to say. */
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
