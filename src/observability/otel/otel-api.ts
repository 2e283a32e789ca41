// The part of OpenTelemetry's API in use. Importing a name that another version lacks would end in a syntax error, which says
// nothing about versions; so the names are looked up, and checked when an engine is traced.
import * as api from "@opentelemetry/api";
import { checkPeer } from "../../peers/load-peer.js";

export const { context, diag, metrics, SpanKind, SpanStatusCode, trace } = api;

/** @throws ConfigurationError `PEER_UNSUPPORTED` */
export function checkApi(): void {
  checkPeer("@opentelemetry/api", api, ["context", "diag", "metrics", "SpanKind", "SpanStatusCode", "trace"]);
}
