// Serves: Z.ai (GLM) and gateways that answer a failure with status 200.
import { isObject } from "../../../json/is-object.js";

/**
 * Whether an object inside a successful response is a gateway's own failure: nothing but a message, often with a code, such as
 * `{ "code": 401, "msg": "…" }` or `{ "detail": "…" }`.
 */
export function isBareFailure(data: unknown): boolean {
  if (!isObject(data) || data.type !== undefined) return false;
  const { message, msg, error_msg, detail, errors } = data;
  const isText = [message, msg, error_msg, detail].some((said) => typeof said === "string");
  return isText || Array.isArray(detail) || (Array.isArray(errors) && errors.length > 0);
}
