// What each field of a program's row may hold. A row is data: everything that is not a string, a number, a pattern or a list of those
// is refused, and so is a field that has no line here.
import type { OptionLists } from "../../../../src/permissions/shell/invocation/option-lists.js";
import type { CommandRow, ProgramRow } from "../../../../src/permissions/shell/programs/program-row.js";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string" && value.trim() !== "";
const flag: Check = (value) => typeof value === "boolean";
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const pattern: Check = (value) => value instanceof RegExp;
const words: Check = (value) => typeof value === "string";
/** Options with spaces between them; git also counts brackets as such. */
const options: Check = (value) => typeof value === "string" && /^\s*(?:[-()]\S*\s*)*$/.test(value);
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value as string);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const mapOf =
  (check: Check): Check =>
  (value) =>
    isPlain(value) && Object.values(value).every(check);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isPlain(value) && faultsIn(value, fields).length === 0;

const ROLE = oneOf("read", "directory", "pattern", "write", "edit", "create", "output", "delete", "text", "mention");
const EXTENT = oneOf("nothing", "named", "project", "anything");

const LISTS: Readonly<Record<keyof OptionLists, Check>> = {
  flags: options,
  values: options,
  attached: options,
  reads: options,
  loads: options,
  writes: options,
  empties: options,
  codes: options,
  runs: options,
  hazards: options,
  hazardValues: options,
  harmless: pattern,
};

const COMMAND: Readonly<Record<keyof CommandRow, Check>> = { ...LISTS, kind: oneOf("reads"), endsAfter: count };

const ROW: Readonly<Record<Exclude<keyof ProgramRow, "analyze" | "spelt">, Check>> = {
  ...LISTS,
  manual: text,
  kind: oneOf("reads"),
  does: shape({ writes: EXTENT, runs: EXTENT, connects: EXTENT }),
  anyOptions: flag,
  commands: mapOf(shape(COMMAND)),
  globals: options,
  aliases: mapOf(text),
  destroys: listOf((each) => Array.isArray(each) && each.length === 2 && pattern(each[0]) && text(each[1])),
  escapes: shape({
    text: pattern,
    code: pattern,
    line: pattern,
    end: pattern,
    isCode: flag,
    statements: pattern,
    codeOf: (value) => typeof value === "function",
    own: pattern,
  }),
  takesCode: shape({
    brings: pattern,
    operands: count,
    reaches: pattern,
    code: pattern,
    isScript: flag,
    compiles: flag,
  }),
  repeatable: listOf(words),
  scripts: listOf(words),
  operands: either(ROLE, listOf(ROLE)),
  instead: listOf(
    shape({ with: options, operands: ROLE, only: oneOf("files", "names"), recursive: flag, transfers: oneOf("none") }),
  ),
  transfers: oneOf("copy", "move", "link"),
  noFiles: shape({ operands: pattern, values: pattern }),
  filesFirst: options,
  looks: shape({ with: options, unless: options }),
  shows: pattern,
  readsWords: pattern,
  checks: pattern,
  each: pattern,
  sets: text,
  most: count,
  least: count,
  anyWith: options,
  needs: options,
  namesFiles: options,
  acts: options,
  assigned: mapOf(oneOf("read", "write")),
  readsBesides: shape({ file: text, unless: pattern }),
  starts: shape({
    from: oneOf("operands", "any", "run"),
    skip: count,
    mayStandFirst: flag,
    implied: flag,
    keepsInput: flag,
    code: shape({ with: options, unless: options }),
    elsewhere: flag,
    opaque: flag,
    unless: pattern,
  }),
  host: shape({ is: text, option: options }),
  takesAll: pattern,
  recursive: either(flag, options),
  only: oneOf("files", "names"),
  search: shape({ follows: pattern, skips: options, omits: options, only: options, shows: options }),
  lastOptions: options,
  posix: flag,
  singleDash: flag,
  helps: pattern,
  informs: text,
  steeredBy: text,
  responseFiles: flag,
  digits: flag,
};

/** The fields of a row that are no data, or not what they should be. */
export function faultsInRow({ analyze, spelt, ...row }: ProgramRow): readonly string[] {
  return faultsIn(row, ROW);
}

function faultsIn(value: object, fields: Readonly<Record<string, Check>>): readonly string[] {
  return Object.entries(value).flatMap(([name, held]) =>
    held === undefined || (Object.hasOwn(fields, name) && fields[name]!(held)) ? [] : [name],
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
