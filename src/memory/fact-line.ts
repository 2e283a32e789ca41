// One line of a store's file, which people may have edited: what only programs need is filled in, and nothing that is not what
// it should be reaches a prompt.
import type { Fact, FactSource } from "../contracts/fact.js";
import { isObject } from "../json/is-object.js";
import { UNLABELLED } from "../labels/join-labels.js";
import { readLabel } from "../labels/read-label.js";

const ID = /^[\w.:-]{1,100}$/;
const MAX_TEXT_CHARS = 2_000;
/** The last moment a date can name. Unit: milliseconds since 1970. */
const END_OF_TIME = 8.64e15;
const KINDS: readonly unknown[] = ["user", "model", "host"];

/** The fact of a line; `null` for a line that is not one. */
export function factIn(line: string): Fact | null {
  const value = parsed(line);
  if (value === null) return null;
  const { id, text, subject, tags, source, createdAt, updatedAt, expiresAt, replaced, version } = value;
  if (typeof id !== "string" || !ID.test(id)) return null;
  if (typeof text !== "string" || text.trim() === "" || text.length > MAX_TEXT_CHARS) return null;
  return withoutAbsent<Fact>({
    ...value,
    id,
    text,
    subject: stringOr(subject),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    source: sourceIn(source),
    createdAt: timeOr(createdAt) ?? 0,
    updatedAt: timeOr(updatedAt) ?? 0,
    expiresAt: timeOr(expiresAt),
    replaced: Array.isArray(replaced) ? replaced.filter(isReplaced) : undefined,
    version: typeof version === "number" && Number.isSafeInteger(version) ? version : 1,
  });
}

function parsed(line: string): { readonly [field: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A line without a source was written by the person whose file it is. */
function sourceIn(value: unknown): FactSource {
  const { kind, sessionId, reference, label } = Object(value) as { readonly [field: string]: unknown };
  if (value === undefined || value === null) return { kind: "user" };
  return withoutAbsent<FactSource>({
    kind: KINDS.includes(kind) ? (kind as FactSource["kind"]) : "model",
    sessionId: stringOr(sessionId),
    reference: stringOr(reference),
    label: label === undefined ? undefined : (readLabel(label) ?? UNLABELLED),
  });
}

function withoutAbsent<T extends object>(value: T): T {
  return Object.freeze(Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T);
}

function stringOr(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeOr(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= END_OF_TIME ? value : undefined;
}

function isReplaced(value: unknown): value is NonNullable<Fact["replaced"]>[number] {
  const { id, text, at } = Object(value) as { readonly [field: string]: unknown };
  return typeof id === "string" && typeof text === "string" && timeOr(at) !== undefined;
}
