import type { JsonObject } from "../../../../src/contracts/json.js";
import { type ChatAnswer, type FaultReply, responseEvents, sse } from "../../../../src/testing/fault-server/index.js";
import { outcome, play, request } from "../streams.js";

/** A response as the fault server sends it. */
export function response(answer: ChatAnswer, extra: Partial<FaultReply> = {}): FaultReply {
  return { body: sse(responseEvents(answer), { named: true, done: false }), ...extra };
}

/** The events that these raw ones become, and what the stream threw. */
export async function readEvents(events: readonly (JsonObject | string)[], options: object = {}) {
  const { provider } = await play(
    { body: sse(events, { named: true, done: false }) },
    { api: "responses", ...options },
  );
  return outcome(provider.stream(request()));
}
