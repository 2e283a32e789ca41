import type { ProviderEvent } from "../../contracts/provider.js";
import { walkJson } from "../../json/walk.js";

/** The weight of an event beside its text: a flood of empty events must end, too. */
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

/** About as long as the value's JSON text, without making it. What has no end is measured to the walk's, and refused as it is copied. */
function jsonSize(value: unknown): number {
  let size = 0;
  walkJson(value, (each, key) => {
    size += key.length + (typeof each === "string" ? each.length + 6 : 4);
    return true;
  });
  return size;
}
