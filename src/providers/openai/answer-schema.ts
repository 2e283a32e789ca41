import type { JsonSchema } from "../../contracts/json.js";
import { resolved } from "../shared/request/object-schema.js";
import { validSchema } from "../shared/request/valid-schema.js";
import { toStrictSchema } from "./strict-schema.js";

/** The capabilities of a server that concern a structured answer's schema. */
interface AnswerCapabilities {
  readonly jsonSchema: boolean | "object";
  readonly strictSchema?: boolean | undefined;
  /** Whether the answer has to be an object. */
  readonly objectAnswers: boolean;
}

/** The form in which a structured answer is asked for: its schema, any object, or words alone. */
export function answerForm(schema: JsonSchema, server: AnswerCapabilities): "schema" | "object" | "words" {
  if (server.jsonSchema === false) return "words";
  const { type, anyOf, oneOf } = resolved(schema);
  const isForObjects = type === "object" && anyOf === undefined && oneOf === undefined;
  if (server.jsonSchema === "object") return isForObjects ? "object" : "words";
  return isForObjects || !(server.objectAnswers || server.strictSchema) ? "schema" : "words";
}

/** The schema under its name, as both APIs take it. */
export function namedSchema(schema: JsonSchema, { strictSchema: strict = false }: AnswerCapabilities): object {
  return { name: "output", schema: strict ? toStrictSchema(schema).schema : validSchema(schema), strict };
}
