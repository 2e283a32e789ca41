import type { JsonValue } from "../../contracts/json.js";

/** Longest part of a value that a divergence shows. Unit: characters. */
const MAX_SHOWN_CHARS = 300;

/** The place where two values begin to differ, and what stands there on each side. */
export interface Difference {
  /** E.g. `messages[2].content[0].text`; empty for the values themselves. */
  readonly path: string;
  /** As JSON text, cut; `undefined` when nothing stands there. */
  readonly recorded: string | undefined;
  readonly replayed: string | undefined;
}

/** The first difference of two JSON values; `null` when they say the same. Strings are shown from where they differ. */
export function firstDifference(recorded: unknown, replayed: unknown, path = ""): Difference | null {
  if (recorded === replayed) return null;
  if (!isContainer(recorded) || !isContainer(replayed) || Array.isArray(recorded) !== Array.isArray(replayed)) {
    return shown(recorded, replayed, path);
  }
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
    const [left, right] = [Reflect.get(recorded, key), Reflect.get(replayed, key)] as [JsonValue, JsonValue];
    const place = Array.isArray(recorded) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const difference = firstDifference(left, right, place);
    if (difference) return difference;
  }
  return null;
}

/** Whether a value has members: an object or an array. */
export function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function shown(recorded: unknown, replayed: unknown, path: string): Difference {
  if (typeof recorded !== "string" || typeof replayed !== "string") {
    return { path, recorded: asText(recorded), replayed: asText(replayed) };
  }
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at++;
  const from = Math.max(0, at - 20);
  const lead = from > 0 ? "…" : "";
  return {
    path,
    recorded: asText(lead + recorded.slice(from)),
    replayed: asText(lead + replayed.slice(from)),
  };
}

function asText(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
}
