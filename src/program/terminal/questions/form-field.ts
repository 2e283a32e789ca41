// One value that a server wants to know, as a question: its answers to choose from, or what a typed line means.
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import { fieldsOf, stringOf } from "../../../json/is-object.js";

/** A property of the schema that a server sends with its question. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The choices; none where the answer is typed. */
  readonly options: readonly FieldOption[];
  /** Several of the options may be chosen. */
  readonly takesMany: boolean;
  readonly initial: JsonValue | undefined;
  readonly schema: JsonObject;
}

export interface FieldOption {
  readonly label: string;
  readonly value: JsonValue;
}

/** The rest of a longer form is not asked for. */
const MAX_FIELDS = 30;
const MAX_OPTIONS = 200;

/** The values that a form asks for, in its order. */
export function formFieldsOf(form: JsonValue): FormField[] {
  const { properties, required } = fieldsOf(form);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(fieldsOf(properties ?? null))
    .slice(0, MAX_FIELDS)
    .map(([name, property]) => {
      const schema = fieldsOf(property ?? null) as JsonObject;
      const takesMany = schema.type === "array";
      return {
        name,
        title: stringOf(schema.title) || name,
        description: stringOf(schema.description),
        isRequired: needed.has(name),
        options: optionsOf(takesMany ? (fieldsOf(schema.items ?? null) as JsonObject) : schema),
        takesMany,
        initial: schema.default,
        schema,
      };
    });
}

function optionsOf(schema: JsonObject): FieldOption[] {
  if (schema.type === "boolean") {
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  }
  const { oneOf, anyOf, enum: values, enumNames: names } = schema;
  const named = [oneOf, anyOf].find((each) => Array.isArray(each)) as JsonValue[] | undefined;
  if (named) {
    return named.slice(0, MAX_OPTIONS).flatMap((each) => {
      const { const: value, title } = fieldsOf(each);
      return value === undefined ? [] : [{ label: stringOf(title) || String(value), value }];
    });
  }
  if (!Array.isArray(values)) return [];
  return values
    .slice(0, MAX_OPTIONS)
    .map((value, index) => ({ label: stringOf(Array.isArray(names) ? names[index] : "") || String(value), value }));
}

/** The meaning of a typed line, or what is wrong with it. */
export function readTyped(
  field: FormField,
  typed: string,
): { readonly value: JsonValue } | { readonly problem: string } {
  if (field.takesMany) return readMany(field, typed);
  const { type } = field.schema;
  if (type === "number" || type === "integer") return readNumber(field.schema, typed);
  return readString(field.schema, typed);
}

function readNumber({ type, minimum, maximum }: JsonObject, typed: string) {
  const value = Number(typed);
  if (typed === "" || !Number.isFinite(value)) return { problem: "That is not a number." };
  if (type === "integer" && !Number.isSafeInteger(value)) return { problem: "That is not a whole number." };
  if (typeof minimum === "number" && value < minimum) return { problem: `It must be at least ${minimum}.` };
  if (typeof maximum === "number" && value > maximum) return { problem: `It must be at most ${maximum}.` };
  return { value };
}

const FORMATS: Readonly<Record<string, { readonly isRight: (text: string) => boolean; readonly problem: string }>> = {
  email: { isRight: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), problem: "That is not an email address." },
  uri: { isRight: (text) => URL.canParse(text), problem: "That is not a URL." },
  date: {
    isRight: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
    problem: "That is not a date such as 2026-12-31.",
  },
  "date-time": {
    isRight: (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
    problem: "That is not a time such as 2026-12-31T23:59:00Z.",
  },
};

function readString({ format, minLength, maxLength }: JsonObject, typed: string) {
  const { length } = [...typed];
  if (typeof minLength === "number" && length < minLength)
    return { problem: `It needs at least ${minLength} characters.` };
  if (typeof maxLength === "number" && length > maxLength)
    return { problem: `It may have at most ${maxLength} characters.` };
  const rule = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return rule && !rule.isRight(typed) ? { problem: rule.problem } : { value: typed };
}

/** Options by number or by name, with commas in between. */
function readMany({ options, schema }: FormField, typed: string) {
  const { minItems, maxItems } = schema;
  const words = typed.split(",").flatMap((each) => each.trim() || []);
  const chosen = words.map((word) => {
    return options[Number(word) - 1] ?? options.find(({ label }) => label.toLowerCase() === word.toLowerCase());
  });
  const unknown = chosen.indexOf(undefined);
  if (unknown >= 0) return { problem: `There is no ${JSON.stringify(words[unknown])} to choose.` };
  const value = [...new Set(chosen.map((option) => option!.value))];
  if (typeof minItems === "number" && value.length < minItems) return { problem: `Choose at least ${minItems}.` };
  if (typeof maxItems === "number" && value.length > maxItems) return { problem: `Choose at most ${maxItems}.` };
  return { value };
}
