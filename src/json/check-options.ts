// The checks every option goes through; each names option, value and expectation.
import { ConfigurationError } from "../contracts/errors.js";
import { clip } from "../text/cut.js";
import { nearestNames } from "../text/nearest-names.js";

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(clip(value, 61));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object of another shape" : String(value);
}

/** The rule for one option. Made by the functions below; nested tables are checked in turn. */
export interface OptionRule {
  readonly accepts: (value: unknown) => boolean;
  /** Ends the sentence "expected …". */
  readonly expected: string;
  /** Refused when it is absent. */
  readonly isRequired?: true;
  /** Its value never enters a message. */
  readonly isSecret?: true;
  /** Checks what is inside an accepted value; `path` names the value. */
  readonly checkInside?: (path: string, value: never, owner: string) => void;
}

/** A rule that also has the value of an option that is left out. */
type DefaultRule<Value> = OptionRule & { readonly defaultValue: Value };

/** Every option of a factory, each with its rule: `satisfies OptionTable<MyOptions>` keeps table and type together. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: OptionRule | DefaultRule<Exclude<Options[Name], undefined>>;
};

/** Options after their table has filled in its defaults. */
export type WithDefaults<Options, Table> = Options & {
  readonly [Name in keyof Options as Name extends keyof Table
    ? Table[Name] extends DefaultRule<unknown>
      ? Name
      : never
    : never]-?: Exclude<Options[Name], undefined>;
};

export interface TableContext {
  /** Precedes each name in messages, as `limits.`. */
  readonly prefix?: string;
  /** Names people bring from other libraries, and what they are called here. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Another owner, whose options people give to this one. */
  readonly other?: { readonly owner: string; readonly table: object };
  /** Names that are not in the table are none of its business, rather than slips. */
  readonly mayHaveOthers?: boolean;
}

/**
 * Checks what a factory was given against the table of what it understands, nested tables included. Returns it with the defaults
 * of this table, not of nested ones; an option that is absent and has none is left out.
 *
 * `undefined` counts as absent. `owner` is the factory as its user writes it, such as `createWorkspace()`.
 *
 * @throws ConfigurationError `OPTION_INVALID` that names the option, what it is and what was expected; an unknown option
 * is refused with the nearest known name
 */
export function checkOptions<Options, Table extends Readonly<Record<string, OptionRule>>>(
  owner: string,
  options: Options,
  table: Table,
  context: TableContext = {},
): WithDefaults<Options, Table> {
  const { prefix = "", mayHaveOthers = false } = context;
  if (!isRecord(options)) throw optionError(owner, prefix.slice(0, -1) || "options", options, "an object");
  for (const name of Object.keys(options)) {
    if (!mayHaveOthers && !Object.hasOwn(table, name)) throw unknownOption(owner, name, table, context);
  }
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const rule: OptionRule & Partial<DefaultRule<unknown>> = table[name]!;
    const value = Reflect.get(options, name);
    if (value !== undefined || rule.isRequired) checkOne(prefix + name, value, rule, owner);
    const taken = value === undefined ? rule.defaultValue : value;
    if (taken !== undefined) settings[name] = taken;
  }
  return settings as WithDefaults<Options, Table>;
}

function unknownOption(owner: string, name: string, table: object, context: TableContext): ConfigurationError {
  const { prefix = "", renamed = {}, other } = context;
  const known = Object.keys(table);
  const same = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
  const moved = other && isIn(other.table, same ?? name) && !isIn(table, same ?? name) ? (same ?? name) : undefined;
  const hint = moved ?? same ?? nearestNames(name, known, 1)[0];
  const meant = hint === undefined ? "" : ` Did you mean "${hint}"?`;
  const advice = moved === undefined ? meant : ` Pass "${moved}" to ${other!.owner} instead.`;
  return new ConfigurationError("OPTION_INVALID", {
    message: `${owner} has no option "${prefix}${name}".${advice} It takes ${known.join(", ")}.`,
    details: { option: `${prefix}${name}`, ...(hint !== undefined && { didYouMean: hint }) },
  });
}

/** Whether a table has an option, such as `limits.maxTurns` by its first name. */
function isIn(table: object, option: string): boolean {
  return Object.hasOwn(table, option.split(".")[0]!);
}

/** A wrong option; called by factories for what a table cannot say, such as one option that depends on another. */
export function optionError(owner: string, name: string, value: unknown, expected: string, isSecret?: true) {
  const shown =
    value === undefined ? "missing" : isSecret ? `not usable (its type is ${typeof value})` : describe(value);
  return new ConfigurationError("OPTION_INVALID", {
    message: `Option "${name}" of ${owner} is ${shown}; expected ${expected}.`,
    details: { option: name },
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Any value that the predicate accepts. */
export function optionOf(accepts: (value: unknown) => boolean, expected: string): OptionRule {
  return { accepts, expected };
}

/** The same rule for an option that has to be there. */
export function required(rule: OptionRule): OptionRule {
  return { ...rule, isRequired: true };
}

/** The same rule for an option that has this value when it is left out. */
export function byDefault<const Value>(defaultValue: Value, rule: OptionRule): DefaultRule<Value> {
  return { ...rule, defaultValue };
}

/** The same rule for an option whose value is never repeated. */
export function secret(rule: OptionRule): OptionRule {
  return { ...rule, isSecret: true };
}

/** Any value that one of two rules accepts. */
export function eitherOf(one: OptionRule, other: OptionRule): OptionRule {
  return {
    accepts: (value) => one.accepts(value) || other.accepts(value),
    expected: `${one.expected}, or ${other.expected}`,
    checkInside: (path: string, value: unknown, owner: string) => {
      const rule = one.accepts(value) ? one : other;
      rule.checkInside?.(path, value as never, owner);
    },
  };
}

export const ANYTHING: OptionRule = { accepts: () => true, expected: "anything" };
export const FLAG: OptionRule = { accepts: (value) => typeof value === "boolean", expected: "true or false" };
export const FUNCTION: OptionRule = { accepts: (value) => typeof value === "function", expected: "a function" };
/** By its shape: a signal of another realm, or of a library, is not an instance of this one's class. */
export const SIGNAL: OptionRule = {
  accepts: (value) => typeof Object(value).addEventListener === "function",
  expected: "an AbortSignal",
};

/** A string with something other than whitespace in it. */
export const STRING: OptionRule = {
  accepts: (value) => typeof value === "string" && value.trim() !== "",
  expected: "a non-empty string",
};

/** Any string. */
export const TEXT: OptionRule = { accepts: (value) => typeof value === "string", expected: "a string" };
/** The path of a file or directory, as a string. */
export const PATH: OptionRule = {
  accepts: (value) => typeof value === "string" && value !== "" && !value.includes("\0"),
  expected: "the path of a file or directory",
};

/** A number from `min` to `max`; whole unless `isFraction`. */
export function numberFrom(min: number, unit: string, max = Number.POSITIVE_INFINITY, isFraction = false): OptionRule {
  const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
  return {
    accepts: (value) =>
      typeof value === "number" && value >= min && value <= max && (isFraction || Number.isSafeInteger(value)),
    expected: `a ${isFraction ? "" : "whole "}number ${range} (${unit})`,
  };
}

export function oneOf(...values: readonly unknown[]): OptionRule {
  return {
    accepts: (value) => values.includes(value),
    expected: values.map((value) => JSON.stringify(value)).join(" or "),
  };
}

/** An object that has these methods. */
export function withMethods(...methods: readonly string[]): OptionRule {
  return {
    accepts: (value) =>
      ((typeof value === "object" && value !== null) || typeof value === "function") &&
      methods.every((method) => typeof Reflect.get(value, method) === "function"),
    expected: `an object with ${methods.map((method) => `${method}()`).join(", ")}`,
  };
}

/** An array whose items all follow one rule. */
export function listOf(item: OptionRule, items: string): OptionRule {
  return {
    accepts: Array.isArray,
    expected: `an array of ${items}`,
    checkInside: (path: string, values: readonly unknown[], owner: string) => {
      for (const [index, value] of values.entries()) checkOne(`${path}[${index}]`, value, item, owner);
    },
  };
}

/** An object whose values all follow one rule, whatever their names. */
export function recordOf(item: OptionRule, entries: string): OptionRule {
  return {
    accepts: isRecord,
    expected: `an object of ${entries}`,
    checkInside: (path: string, values: object, owner: string) => {
      for (const [name, value] of Object.entries(values))
        checkOne(isPlain(name) ? `${path}.${name}` : `${path}["${clip(name, 60)}"]`, value, item, owner);
    },
  };
}

/** An object of options with a table of its own. */
export function tableOf(table: Readonly<Record<string, OptionRule>>, renamed?: TableContext["renamed"]): OptionRule {
  return {
    accepts: isRecord,
    expected: "an object",
    checkInside: (path: string, options: object, owner: string) =>
      checkOptions(owner, options, table, { prefix: `${path}.`, ...(renamed && { renamed }) }),
  };
}

function isPlain(name: string): boolean {
  return /^[\w$-]{1,60}$/.test(name);
}

function checkOne(path: string, value: unknown, rule: OptionRule, owner: string): void {
  if (!rule.accepts(value)) throw optionError(owner, path, value, rule.expected, rule.isSecret);
  rule.checkInside?.(path, value as never, owner);
}
