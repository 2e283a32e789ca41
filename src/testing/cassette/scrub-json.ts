import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { isSecretName, redact } from "../../observability/redact.js";

/** Removes secrets from a value that goes into a cassette. Doing it twice changes nothing more. */
export type ScrubJson = <T>(value: T) => T;

/** Shorter values are too common in ordinary text to be taken for secrets. */
const MIN_SECRET_CHARS = 8;

const HIDDEN = "[redacted value]";

/** A scrubber for everything that looks like a secret, and for the secrets of this process's environment. */
export function createScrubJson(environment: Readonly<Record<string, string | undefined>>): ScrubJson {
  const known = Object.entries(environment)
    .filter(([name, value]) => isSecretName(name) && (value?.length ?? 0) >= MIN_SECRET_CHARS)
    .map(([, value]) => new RegExp(value!.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "g"));
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return redact(value, known);
    if (Array.isArray(value)) return value.map(scrub);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => {
      // Signatures and ids that only their provider reads: without them the history could not go back to it.
      if (name === "providerData") return [name, inner];
      // A resemblance to a key in base64 is an accident, and without these characters a picture is lost.
      if (name === "data" && "mediaType" in value) return [name, inner];
      const isSecret = typeof inner === "string" && inner !== "" && isSecretName(name);
      return [name, isSecret ? HIDDEN : scrub(inner)];
    });
    return Object.fromEntries(entries);
  };
  return scrub as ScrubJson;
}

/**
 * The events of one response without secrets. One may be cut between deltas, so text is cleaned as a whole: where that
 * changes it, the first delta has all of it. The arguments of a call stay the same in its deltas and at its end.
 */
export function scrubEvents<T extends { readonly event: JsonObject }>(events: readonly T[], scrub: ScrubJson): T[] {
  const cleaned = events.map((one) => ({ ...one, event: scrub(one.event) }));
  for (const type of ["text-delta", "reasoning-delta"]) {
    for (const run of runsOf(events, type)) replaceRun(cleaned, run, "text", joined(events, run, "text"), scrub);
  }
  for (const [at, { event }] of events.entries()) {
    if (event.type !== "tool-call-end") continue;
    const call = scrub(event.call) as JsonObject;
    const deltas = events.flatMap((one, place) =>
      one.event.type === "tool-call-delta" && one.event.index === event.index && place < at ? [place] : [],
    );
    const whole = joined(events, deltas, "json");
    const isClean = JSON.stringify(call) === JSON.stringify(event.call) && scrub(whole) === whole;
    if (!isClean) writeRun(cleaned, deltas, "json", JSON.stringify(call.arguments));
  }
  return cleaned.filter(({ event }) => event.text !== null && event.json !== null);
}

/** Places of deltas that follow one another. */
function runsOf(events: readonly { readonly event: JsonObject }[], type: string): number[][] {
  const runs: number[][] = [];
  for (const [at, { event }] of events.entries()) {
    if (event.type !== type) continue;
    if (events[at - 1]?.event.type === type) runs.at(-1)!.push(at);
    else runs.push([at]);
  }
  return runs;
}

function joined(events: readonly { readonly event: JsonObject }[], places: readonly number[], field: string): string {
  return places.map((at) => String(events[at]!.event[field])).join("");
}

function replaceRun<T extends { event: JsonObject }>(
  cleaned: T[],
  places: readonly number[],
  field: string,
  whole: string,
  scrub: ScrubJson,
): void {
  const clean = scrub(whole);
  if (clean !== whole) writeRun(cleaned, places, field, clean);
}

function writeRun<T extends { event: JsonObject }>(
  cleaned: T[],
  places: readonly number[],
  field: string,
  whole: string,
): void {
  for (const [order, at] of places.entries()) {
    const value: JsonValue = order === 0 ? whole : null;
    cleaned[at] = { ...cleaned[at]!, event: { ...cleaned[at]!.event, [field]: value } };
  }
}
