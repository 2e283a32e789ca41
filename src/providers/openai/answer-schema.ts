import type { JsonSchema } from "../../contracts/json.js";
import { resolved } from "../shared/request/object-schema.js";
import { validSchema } from "../shared/request/valid-schema.js";
import { toStrictSchema } from "./strict-schema.js";

/** What a server takes of a structured answer's schema. */
interface AnswerHabits {
  readonly jsonSchema: boolean | "object";
  readonly strictSchema?: boolean | undefined;
  /** Whether the answer has to be an object. */
  readonly objectAnswers: boolean;
}

/** How a structured answer is asked for: by its schema, as any object, or by words alone. */
export function answerForm(schema: JsonSchema, habits: AnswerHabits): "schema" | "object" | "words" {
  if (habits.jsonSchema === false) return "words";
  const { type, anyOf, oneOf } = resolved(schema);
  const isObject = type === "object" && anyOf === undefined && oneOf === undefined;
  if (habits.jsonSchema === "object") return isObject ? "object" : "words";
  return isObject || !(habits.objectAnswers || habits.strictSchema) ? "schema" : "words";
}

/** The schema under its name, as both APIs take it. */
export function namedSchema(schema: JsonSchema, { strictSchema: strict = false }: AnswerHabits): object {
  return { name: "output", schema: strict ? toStrictSchema(schema).schema : validSchema(schema), strict };
}
