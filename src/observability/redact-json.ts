import type { JsonValue } from "../contracts/json.js";
import { isSecretName, redact } from "./redact.js";

/** A copy without secrets: every text is cleaned, and fields with a secret's name keep nothing of their value. */
export function redactJson(value: JsonValue, more: readonly RegExp[] = []): JsonValue {
  if (typeof value === "string") return redact(value, more);
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, at) => (isOption(value[at - 1]) ? "[redacted value]" : redactJson(item, more)));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] => [
      redact(key, more),
      isSecretName(key) && isFilled(item) ? "[redacted value]" : redactJson(item, more),
    ]),
  );
}

/** Arguments come as lists, too: what follows `--password` is one. */
function isOption(before: JsonValue | undefined): boolean {
  return typeof before === "string" && before.startsWith("-") && isSecretName(before);
}

function isFilled(item: JsonValue): boolean {
  return item !== null && item !== "" && typeof item !== "boolean";
}
