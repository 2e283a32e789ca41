import type { JsonObject, JsonValue } from "../../contracts/json.js";

/** Keywords whose values are patterns a server wrote: matching one can take longer than the universe will last. */
const PATTERNS: ReadonlySet<string> = new Set(["pattern", "patternProperties", "format"]);
/** Keywords whose values are not schemas, or map names to schemas: a property may be called "pattern". */
const LITERAL: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

/**
 * A server's schema is checked here in everything but its patterns, which the server checks itself. The model is shown
 * the whole.
 */
export function withoutPatterns(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept: [string, JsonValue][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "patternProperties") kept.push(["additionalProperties", true]);
    if (PATTERNS.has(keyword)) continue;
    if (keyword === "additionalProperties" && "patternProperties" in schema) continue;
    kept.push([keyword, LITERAL.has(keyword) ? value : NAMED.has(keyword) ? eachOf(value) : withoutPatterns(value)]);
  }
  return Object.fromEntries(kept);
}

function eachOf(named: JsonValue): JsonValue {
  if (typeof named !== "object" || named === null || Array.isArray(named)) return named;
  return Object.fromEntries(
    Object.entries(named as JsonObject).map(([name, schema]) => [name, withoutPatterns(schema)]),
  );
}
