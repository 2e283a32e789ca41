import type { JsonSchema } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { descriptionWith } from "../shared/request/merged-schema.js";
import { objectSchema } from "../shared/request/object-schema.js";

/** The names that the API takes for properties of a tool's input. */
const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * A tool's schema as the API takes it. A property whose name it refuses, such as `filter[id]`, is described in words: the
 * model can still give it, where other properties are not forbidden.
 */
export function anthropicInputSchema(schema: JsonSchema): JsonSchema {
  const whole = objectSchema(schema);
  const properties = Object.entries(isObject(whole.properties) ? whole.properties : {});
  const [plain, odd] = partition(properties, ([name]) => NAME.test(name));
  if (odd.length === 0) return whole;
  const { additionalProperties, required: demanded, ...rest } = whole;
  const [required, lost] = partition(Array.isArray(demanded) ? demanded : [], (name) => NAME.test(String(name)));
  return {
    ...rest,
    properties: Object.fromEntries(plain) as JsonSchema,
    ...(required.length > 0 && { required }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    description: descriptionWith(whole.description, {
      properties: Object.fromEntries(odd),
      ...(lost.length > 0 && { required: lost }),
    }),
  };
}

function partition<T>(all: readonly T[], fits: (one: T) => boolean): [T[], T[]] {
  return [all.filter(fits), all.filter((one) => !fits(one))];
}
