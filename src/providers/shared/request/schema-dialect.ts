// The one walk over JSON Schemas. A dialect is a table with a rule for each keyword: draft 2020-12 for every tool, and a
// vendor's subset of it. A keyword without a place is written into the description, so that the model still reads it.

import type { JsonSchema } from "../../../contracts/json.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { asRecord, descriptionWith, type OpenSchema } from "./merged-schema.js";

/** A schema as it is given. */
export type SourceSchema = Fields;

/** Writes a keyword into the node's schema; `false` when the dialect has no place for it. */
export type Rule = (node: SchemaNode, value: unknown, keyword: string) => boolean;

/** Keywords by what becomes of them, in lines with spaces between them. `"oneOf>anyOf"` renames one. */
export interface KeywordTable {
  readonly keep: string;
  /** Says nothing about the values. */
  readonly silent: string;
  /** Hold one schema, one schema or a boolean, a list of schemas, or schemas by name. */
  readonly schema?: string;
  readonly any?: string;
  readonly list?: string;
  readonly named?: string;
  readonly rules?: Readonly<Record<string, Rule>>;
}

/** A kind of JSON Schema. */
export interface SchemaDialect {
  /** The given schema in the form that the table is for; a boolean stays as it is. */
  read(given: unknown): SourceSchema | boolean;
  readonly table: KeywordTable;
  /** In place of the table, beside a reference. */
  readonly besideReference?: KeywordTable;
  /** Whether keywords that are not in the table stay. */
  readonly keepsOthers?: boolean;
  /** Adds the parts of a schema that follow from no single keyword. */
  finish?(node: SchemaNode): void;
  /** Whether nothing may stand beside a reference: it becomes the only alternative of a schema with the rest. */
  readonly referencesStandAlone?: boolean;
}

/** The walk's position. */
interface SchemaPlace {
  /** Path of a keyword here without its name, e.g. `"properties.name."`. */
  readonly path: string;
  readonly depth: number;
  readonly dropped: string[];
}

/** One schema of a tree, while its keywords are written. */
export class SchemaNode {
  readonly schema: OpenSchema = {};
  /** Keywords that have no place. */
  readonly lost: OpenSchema = {};

  constructor(
    private readonly dialect: SchemaDialect,
    readonly source: SourceSchema,
    readonly place: SchemaPlace,
  ) {}

  /** Whether a keyword has found its place: one that is there already is not overwritten. */
  put(keyword: string, value: unknown): boolean {
    if (Object.hasOwn(this.schema, keyword)) return false;
    this.schema[keyword] = value;
    return true;
  }

  /** The schema at a place below this one. */
  convert(given: unknown, ...steps: readonly (string | number)[]): OpenSchema {
    const { path, depth, dropped } = this.place;
    return convert(this.dialect, given, { path: `${path}${steps.join(".")}.`, depth: depth + 1, dropped });
  }

  /** The schemas of a list below this place. */
  convertAll(list: readonly unknown[], keyword: string): OpenSchema[] {
    return list.map((one, at) => this.convert(one, keyword, at));
  }

  /** Notes that something of the schema has no form of its own. */
  drop(what: string): void {
    this.place.dropped.push(this.place.path + what);
  }

  /** Writes keywords without a place into the description. */
  describe(lost: OpenSchema): void {
    if (Object.keys(lost).length === 0) return;
    for (const keyword of Object.keys(lost)) this.drop(keyword);
    this.schema.description = descriptionWith(this.schema.description, lost);
  }
}

/** The schema in a dialect, and the places of what has no form there. */
export function inDialect(dialect: SchemaDialect, root: unknown): { schema: JsonSchema; dropped: string[] } {
  const dropped: string[] = [];
  return { schema: convert(dialect, root, { path: "", depth: 0, dropped }) as JsonSchema, dropped };
}

/** Deeper schemas are left as they are. */
const MAX_DEPTH = 100;

function convert(dialect: SchemaDialect, given: unknown, place: SchemaPlace): OpenSchema {
  if (place.depth > MAX_DEPTH) return given as OpenSchema;
  const source = dialect.read(given);
  if (typeof source === "boolean") return source as never;
  const node = new SchemaNode(dialect, source, place);
  const rules = rulesOf((typeof source.$ref === "string" && dialect.besideReference) || dialect.table);
  for (const [keyword, value] of Object.entries(source)) {
    const rule = rules.get(keyword) ?? (dialect.keepsOthers ? keep : undefined);
    if (!rule?.(node, value, keyword)) node.lost[keyword] = value;
  }
  dialect.finish?.(node);
  node.describe(node.lost);
  if (dialect.referencesStandAlone) wrapReference(node);
  return node.schema;
}

function wrapReference(node: SchemaNode): void {
  const { $ref } = node.schema;
  if (typeof $ref !== "string" || Object.keys(node.schema).every((keyword) => keyword.startsWith("$"))) return;
  delete node.schema.$ref;
  if (!node.put("anyOf", [{ $ref }]) && !node.put("oneOf", [{ $ref }])) node.describe({ $ref });
}

const RULES = new WeakMap<KeywordTable, ReadonlyMap<string, Rule>>();

function rulesOf(table: KeywordTable): ReadonlyMap<string, Rule> {
  let rules = RULES.get(table);
  if (!rules) {
    const { rules: own = {}, ...lines } = table;
    const shared = Object.entries(lines).flatMap(([kind, line]: [string, string]) =>
      line.split(" ").map((entry): [string, Rule] => {
        const [keyword = "", name = keyword] = entry.split(">");
        return [keyword, (node, value) => KINDS[kind]!(node, value, keyword, name)];
      }),
    );
    rules = new Map([...shared, ...Object.entries(own)]);
    RULES.set(table, rules);
  }
  return rules;
}

const keep: Rule = (node, value, keyword) => node.put(keyword, value);

/** Writes a keyword under a name. */
type Kind = (node: SchemaNode, value: unknown, keyword: string, name: string) => boolean;

const KINDS: Readonly<Record<string, Kind>> = {
  keep: (node, value, _keyword, name) => node.put(name, value),
  silent: () => true,
  schema: (node, value, keyword, name) => isObject(value) && node.put(name, node.convert(value, keyword)),
  any: (node, value, keyword, name) => node.put(name, node.convert(value, keyword)),
  list(node, value, keyword, name) {
    if (!Array.isArray(value) || value.length === 0 || Object.hasOwn(node.schema, name)) return false;
    return node.put(name, node.convertAll(value, keyword));
  },
  named(node, value, keyword, name) {
    if (!isObject(value)) return false;
    const schemas = Object.entries(value).map(([key, one]) => [key, node.convert(one, keyword, key)]);
    node.schema[name] = { ...asRecord(node.schema[name]), ...Object.fromEntries(schemas) };
    return true;
  },
};

/** A reference to a definition under the name that the newest draft has for definitions. */
export const reference: Rule = (node, value) => node.put("$ref", String(value).replace("#/definitions/", "#/$defs/"));
