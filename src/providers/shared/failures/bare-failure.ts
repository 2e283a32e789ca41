import { isRecord } from "../is-record.js";

/**
 * Whether an object inside a successful response is a gateway's own failure: nothing but a message, often with a code, such as
 * `{ "code": 401, "msg": "…" }` or `{ "detail": "…" }`.
 */
export function isBareFailure(data: unknown): boolean {
  if (!isRecord(data) || data.type !== undefined) return false;
  const { message, msg, detail } = data;
  return typeof message === "string" || typeof msg === "string" || typeof detail === "string" || Array.isArray(detail);
}
