import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import { descriptionWith } from "../shared/request/merged-schema.js";
import { objectSchema } from "../shared/request/object-schema.js";

/** How the API wants the properties of a tool's input to be called. */
const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * A tool's schema as the API takes it. A property whose name it refuses, such as `filter[id]`, is described in words: the
 * model can still give it, where other properties are not forbidden.
 */
export function anthropicInputSchema(schema: JsonSchema): JsonSchema {
  const whole = objectSchema(schema);
  const all = Object.entries(isRecord(whole.properties) ? whole.properties : {});
  const odd = all.filter(([name]) => !NAME.test(name));
  if (odd.length === 0) return whole;
  const { additionalProperties, required = [], ...rest } = whole;
  const names = Array.isArray(required) ? required.filter((name) => NAME.test(String(name))) : [];
  const lost = Array.isArray(required) ? required.filter((name) => !NAME.test(String(name))) : [];
  return {
    ...rest,
    properties: Object.fromEntries(all.filter(([name]) => NAME.test(name))) as JsonSchema,
    ...(names.length > 0 && { required: names }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    description: descriptionWith(whole.description, {
      properties: Object.fromEntries(odd),
      ...(lost.length > 0 && { required: lost }),
    }),
  };
}
