// The facts that the transports carry from the request to the handler.
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { A2aServerSdk } from "../a2a-sdk.js";
import type { UserId } from "./task-address.js";

/** The one who has sent a request. */
export interface Caller {
  readonly user: UserId;
  readonly request: Request;
  /** Aborts when the client has left the response. */
  readonly left: AbortSignal;
}

const KEY = "loopwright.caller";

export function callContext(
  sdk: A2aServerSdk,
  caller: Caller,
  requestedVersion: string | undefined,
): ServerCallContext {
  const state = new Map<string, unknown>([[KEY, caller]]);
  return new sdk.ServerCallContext({ state, ...(requestedVersion && { requestedVersion }) });
}

export function callerOf(context: ServerCallContext): Caller {
  return context.state.get(KEY) as Caller;
}
