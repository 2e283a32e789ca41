import type { JsonSchema, JsonValue } from "../../contracts/json.js";
import { createSchema, type ToolSchema } from "../../schema/input-schema.js";
import { SchemaIssues } from "../../schema/schema-issues.js";

/** The schema of a structured final answer. */
export interface OutputSchema {
  /** Loads what the schema needs; awaited before the rest is used. */
  ready(): Promise<void>;
  jsonSchema(): JsonSchema;
  /** The value in the answer's text, or what is wrong with it in the model's words. */
  read(text: string): Promise<{ readonly value: unknown } | { readonly problem: string }>;
}

/** @throws ConfigurationError `SCHEMA_UNSUPPORTED` */
export function outputSchemaOf(schema: ToolSchema): OutputSchema {
  const output = createSchema(schema, "output schema", { objectOnly: false });
  return {
    ready: () => output.ready(),
    jsonSchema: () => output.jsonSchema(),
    async read(text) {
      const json = findJson(text);
      if (!json) return { problem: "It is not JSON." };
      try {
        return { value: await output.parse(json.value) };
      } catch (error) {
        if (error instanceof SchemaIssues) return { problem: error.message };
        throw error;
      }
    },
  };
}

/** The answer as JSON: the whole text, or the one fenced block in it. Its end begins or ends a line. */
export function findJson(text: string): { readonly value: JsonValue } | undefined {
  const whole = tryParse(text);
  if (whole) return whole;
  const fenced = [
    ...text.matchAll(/(?<![`~])(`{3,}|~{3,})(?:json)?[^\S\n]*\n([\s\S]*?)(?:^[^\S\n]*\1|\1[^\S\n]*$)/gim),
  ];
  return fenced.length === 1 ? tryParse(fenced[0]![2]!) : undefined;
}

function tryParse(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}
