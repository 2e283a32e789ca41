import type { ProviderEvent } from "../../contracts/provider.js";
import { MAX_JSON_DEPTH } from "../../json/copy.js";

/** What an event weighs beside its text: a flood of empty events must end, too. */
const EVENT_BYTES = 32;

/** About how much memory an event takes in what the engine keeps. Never 0. Unit: bytes, one for each character. */
export function sizeOf(event: ProviderEvent): number {
  return EVENT_BYTES + textSize(event);
}

function textSize(event: ProviderEvent): number {
  if (event?.type === "text-delta" || event?.type === "reasoning-delta") return lengthOf(event.text);
  if (event?.type === "tool-call-delta") return lengthOf(event.json);
  if (event?.type === "tool-call-end") return jsonSize(event.call?.arguments) + lengthOf(event.call?.malformed);
  if (event?.type === "media") return jsonSize(event.part);
  if (event?.type === "reasoning-end") return jsonSize(event.providerData);
  return 0;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

/** About as long as the value's JSON text, without making it. What refers to itself is for `copyJson` to refuse. */
function jsonSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null || depth > MAX_JSON_DEPTH) return 4;
  let size = 2;
  for (const key of Object.keys(value)) size += key.length + 4 + jsonSize(Reflect.get(value, key), depth + 1);
  return size;
}
