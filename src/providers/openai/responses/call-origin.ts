// The origin of a call, when it is not the model itself with one of the request's own tools: a namespace that the server
// has found the tool in, or a program that the server runs. The call is refused without it in the next request, so it is
// kept beside the call.

import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import { type Fields, isObject } from "../../../json/is-object.js";

/** A call's origin as `providerData`; `undefined` for an ordinary call. */
export function callOriginData({ namespace, caller }: Fields): JsonObject | undefined {
  const origin: JsonObject = {
    ...(typeof namespace === "string" && namespace !== "" && { namespace }),
    ...(isObject(caller) && caller.type !== "direct" && { caller: caller as JsonObject }),
  };
  return Object.keys(origin).length > 0 ? { origin } : undefined;
}

/** The caller of a call, by its origin. */
export function callerIn(data: JsonValue | undefined): { readonly caller?: "program" } {
  return callOriginIn(data)?.caller === undefined ? {} : { caller: "program" };
}

/** The fields that were kept, as the call has them; `undefined` when none were. */
export function callOriginIn(data: JsonValue | undefined): JsonObject | undefined {
  return isObject(data) && isObject(data.origin) ? (data.origin as JsonObject) : undefined;
}
