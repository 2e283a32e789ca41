import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { JsonValue } from "../contracts/json.js";
import { copyJson } from "../json/copy.js";

/** One field, and its line within the frontmatter, from 0. */
export interface Field {
  readonly key: string;
  readonly value: JsonValue;
  readonly line: number;
}

type Report = (line: number, key: string, message: string) => void;

/** One field's own lines. */
interface Chunk {
  readonly key: string;
  readonly line: number;
  readonly lines: string[];
}

/** More than any description holds; the product of aliases of aliases is bounded by it. */
const MAX_ALIASES = 20;
const FIELD_LINE = /^(?:"([^"]+)"|'([^']+)'|([A-Za-z_][\w-]*))\s*:(?:\s|$|(?!\/\/)\S)/;
/** Words that begin lines of the dialogues with which descriptions show when to use something. */
const DIALOGUE = /^(user|assistant|system|human|context|examples?|commentary|note)$/i;

/** The fields of a frontmatter. In the order of the file; of one name, the last. */
export function readFields(text: string, report: Report): Field[] {
  return readYaml(text) ?? readByField(text, report);
}

/** `null` when the text as a whole is not a YAML mapping. */
function readYaml(text: string): Field[] | null {
  try {
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter, logLevel: "silent", merge: false });
    if (document.errors.length > 0) return null;
    const { contents } = document;
    if (contents === null) return [];
    if (!isMap(contents)) return null;
    const values = copyJson(document.toJS({ maxAliasCount: MAX_ALIASES })) as { [key: string]: JsonValue };
    return contents.items.map(({ key }) => {
      const name = isScalar(key) ? String(key.value) : String(key);
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      return { key: name, value: values[name] ?? null, line: lineCounter.linePos(offset).line - 1 };
    });
  } catch {
    return null; // Nested too deeply, or more aliases than anybody writes.
  }
}

/** Reads each field alone, so that one that is not YAML spoils none of the others. */
function readByField(text: string, report: Report): Field[] {
  const fields = new Map<string, Field>();
  for (const chunk of chunksOf(text, report)) {
    const { key, line } = chunk;
    const earlier = fields.get(key);
    if (earlier) report(line, key, `"${key}" occurs twice; what it says here counts`);
    const alone = readYaml(chunk.lines.join("\n"))?.find((field) => field.key === key);
    if (!alone) report(line, key, `"${key}" is not valid YAML and was read as plain text; put its value in quotes`);
    fields.delete(key);
    fields.set(key, { key, line, value: alone ? alone.value : plainValue(chunk) });
  }
  return [...fields.values()];
}

function chunksOf(text: string, report: Report): Chunk[] {
  const chunks: Chunk[] = [];
  let strayLine: number | undefined;
  for (const [line, content] of text.split("\n").entries()) {
    const [, double, single, plain] = FIELD_LINE.exec(content) ?? [];
    const key = double ?? single ?? plain;
    if (key !== undefined && !DIALOGUE.test(key)) chunks.push({ key, line, lines: [content] });
    else if (chunks.length > 0) chunks.at(-1)!.lines.push(content);
    else if (content.trim() !== "" && !content.startsWith("#")) strayLine ??= line;
  }
  if (strayLine !== undefined) report(strayLine, "", 'this is not a field; write "name: value"');
  return chunks;
}

/** The value as it is written: a list where every line is an item, otherwise text. */
function plainValue({ lines: [first = "", ...more] }: Chunk): JsonValue {
  const head = first.slice(first.indexOf(":") + 1).trim();
  const rest = more.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (head === "" && rest.length > 0 && rest.every((line) => /^\s*-(\s|$)/.test(line))) {
    return rest.map((line) => unquoted(line.replace(/^\s*-/, "").trim()));
  }
  const flow = /^\[(.*)\]$/.exec(head);
  if (flow && rest.length === 0) return listed(flow[1]!);
  if (/^[|>][-+\d]*$/.test(head)) return blockOf(more);
  const lines = [head, ...more.map((line) => line.trim())];
  return unquoted(lines.join("\n").trim());
}

function listed(items: string): string[] {
  return items
    .split(",")
    .map((item) => unquoted(item.trim()))
    .filter((item) => item !== "");
}

function blockOf(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines
    .map((line) => line.slice(indent))
    .join("\n")
    .trimEnd();
}

function unquoted(text: string): string {
  const [, quote, inside] = /^(["'])([\s\S]*)\1$/.exec(text) ?? [];
  return quote === undefined ? text : inside!;
}
