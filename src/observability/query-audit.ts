import { type AuditRecord, readLine } from "./audit-chain.js";
import { readAuditLines } from "./audit-lines.js";
import type { AuditedType } from "./audit-record.js";

/** Which records are wanted: all that is given has to hold. */
export interface AuditFilter {
  readonly type?: AuditedType | readonly AuditedType[];
  readonly sessionId?: string;
  readonly runId?: string;
  readonly tool?: string;
  readonly toolCallId?: string;
  /** Of decisions. */
  readonly behavior?: "allow" | "ask" | "deny";
  /** Milliseconds since the epoch, both included. */
  readonly since?: number;
  readonly until?: number;
}

/** The records of a trail that match, oldest first, streamed. What is no record is passed over: `verifyAudit` names it. */
export async function* queryAudit(file: string, filter: AuditFilter = {}): AsyncGenerator<AuditRecord> {
  for await (const line of readAuditLines(file)) {
    const record = line.torn ? null : readLine(line.text)?.record;
    if (record && matches(record, filter)) yield record;
  }
}

function matches(record: AuditRecord, { type, since = -Infinity, until = Infinity, ...exact }: AuditFilter): boolean {
  if (type !== undefined && ![type].flat().includes(record.type as AuditedType)) return false;
  if (record.at < since || record.at > until) return false;
  return Object.entries(exact).every(([field, wanted]) => wanted === undefined || record[field] === wanted);
}
