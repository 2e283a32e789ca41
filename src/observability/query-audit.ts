import { checkOptions, eitherOf, listOf, numberFrom, type OptionTable, oneOf, TEXT } from "../json/check-options.js";
import { type AuditRecord, readLine } from "./audit-chain.js";
import { readAuditLines } from "./audit-lines.js";
import type { AuditedType } from "./audit-record.js";

/** A filter of records: those that match every field given. */
export interface AuditFilter {
  readonly type?: AuditedType | readonly AuditedType[] | undefined;
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly tool?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** The behavior of decisions. */
  readonly behavior?: "allow" | "ask" | "deny" | undefined;
  /** Milliseconds since the epoch, both included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

const FILTER = {
  type: eitherOf(TEXT, listOf(TEXT, "types")),
  sessionId: TEXT,
  runId: TEXT,
  tool: TEXT,
  toolCallId: TEXT,
  behavior: oneOf("allow", "ask", "deny"),
  since: numberFrom(Number.NEGATIVE_INFINITY, "milliseconds", undefined, true),
  until: numberFrom(Number.NEGATIVE_INFINITY, "milliseconds", undefined, true),
} satisfies OptionTable<AuditFilter>;

/** The records of a trail that match, oldest first, streamed. What is not a record is skipped: `verifyAudit` reports it. */
export async function* queryAudit(file: string, options: AuditFilter = {}): AsyncGenerator<AuditRecord> {
  checkOptions("queryAudit()", options, FILTER);
  for await (const line of readAuditLines(file)) {
    const record = line.torn ? null : readLine(line.text)?.record;
    if (record && matches(record, options)) yield record;
  }
}

function matches(record: AuditRecord, { type, since = -Infinity, until = Infinity, ...exact }: AuditFilter): boolean {
  if (type !== undefined && ![type].flat().includes(record.type as AuditedType)) return false;
  if (record.at < since || record.at > until) return false;
  return Object.entries(exact).every(([field, wanted]) => wanted === undefined || record[field] === wanted);
}
