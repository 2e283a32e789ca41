// The record of each change in a checkpoint journal, as entries of a session store of its own: one line each, checksummed,
// appended whole or not at all.
import type { JsonValue } from "../../contracts/json.js";
import type { SessionEntry } from "../../contracts/session.js";

/** A file as it was at some moment. Its content is kept under `digest`, unless it was too large. */
export interface KeptFile {
  /** SHA-256 of the content, in hexadecimal. */
  readonly digest: string;
  readonly bytes: number;
  /** `null` when nobody has looked. */
  readonly mode: number | null;
  /** Milliseconds since the epoch: when it was last written. Not given: nobody has looked. */
  readonly mtimeMs?: number | undefined;
}

/** The state of a path: nothing, a directory or a file. */
export type PathState = null | "directory" | KeptFile;

/** The new state of one path. `"unknown"`: a tool did not say. */
export interface Step {
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState | "unknown";
}

/** One change by a tool, or one rewind. In the order in which they were made. */
export type CheckpointRecord = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string;
  readonly turn: number;
  readonly steps: readonly Step[];
} & (
  | { readonly kind: "change"; readonly toolCallId: string | null; readonly isMainAgent: boolean }
  /** `afterEntry`: the newest entry of the session then. */
  | { readonly kind: "rewind"; readonly afterEntry: string | null }
);

const NAME = "loopwright.checkpoint";

export function toEntry(record: CheckpointRecord): SessionEntry {
  const { id, at, runId, turn, ...data } = record;
  const plain = data as unknown as JsonValue;
  return { v: 1, id, parent: null, at, runId, turn, type: "custom", name: NAME, data: plain };
}

export function toRecord(entry: SessionEntry): CheckpointRecord[] {
  if (entry.type !== "custom" || entry.name !== NAME) return [];
  const { id, at, runId, turn } = entry;
  return [{ id, at, runId, turn, ...(entry.data as object) } as CheckpointRecord];
}

/** Whether two states are the same. Modes do not count: file tools never change one. */
export function isSame(a: PathState | "unknown", b: PathState | "unknown"): boolean {
  if (a === null || b === null || typeof a === "string" || typeof b === "string") return a === b && a !== "unknown";
  return a.digest === b.digest;
}
