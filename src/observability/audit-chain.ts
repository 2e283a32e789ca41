// Each line of a trail carries a hash over itself and the line before: who changes, removes or moves one breaks the chain.
import { createHmac } from "node:crypto";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { sha256 } from "../files/sha256.js";

/** One line of a trail. */
export interface AuditRecord extends JsonObject {
  readonly v: 1;
  /** From 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  /** Names from the main agent (`[]`) down to the sub-agent it happened in. */
  readonly agentPath: JsonValue[];
}

/** The head of a trail: its last line. */
export interface AuditHead {
  readonly seq: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** Before the first line. */
export const EMPTY_HEAD: AuditHead = { seq: 0, hash: "0".repeat(64) };

const HASH_FIELD = ',"hash":"';
const LINE_END = '"}';
const HASH_LENGTH = 64;

/** The line of the record that comes next, without its line break, and its hash. `fields`: its JSON without the last brace. */
export function chainedLine(
  fields: string,
  previous: AuditHead,
  key?: string,
): { readonly line: string; readonly head: AuditHead } {
  const hash = hashOf(`${fields}}`, previous.hash, key);
  return { line: `${fields}${HASH_FIELD}${hash}${LINE_END}`, head: { seq: previous.seq + 1, hash } };
}

/** Parses a line; `null` for what is not a line of a trail. Its hash is not checked. */
export function readLine(
  line: string,
): { readonly record: AuditRecord; readonly body: string; readonly hash: string } | null {
  const at = line.length - HASH_LENGTH - LINE_END.length - HASH_FIELD.length;
  if (at < 1 || !line.startsWith(HASH_FIELD, at) || !line.endsWith(LINE_END)) return null;
  const body = `${line.slice(0, at)}}`;
  try {
    const record = JSON.parse(body) as AuditRecord;
    const isRecord = record.v === 1 && Number.isSafeInteger(record.seq) && typeof record.type === "string";
    return isRecord ? { record, body, hash: line.slice(at + HASH_FIELD.length, -LINE_END.length) } : null;
  } catch {
    return null;
  }
}

export function hashOf(body: string, previous: string, key?: string): string {
  const text = `${previous}\n${body}`;
  return key === undefined ? sha256(text) : createHmac("sha256", key).update(text).digest("hex");
}
