import { checkOptions, numberFrom, type OptionTable, required, secret, TEXT, tableOf } from "../json/check-options.js";
import { type AuditHead, EMPTY_HEAD, hashOf, readLine } from "./audit-chain.js";
import { readAuditLines } from "./audit-lines.js";

/** The result of `verifyAudit`. */
export interface AuditVerdict {
  /** No line was changed, added, removed or moved, as far as the chain can tell. */
  readonly ok: boolean;
  readonly records: number;
  /** The last line that was checked. Keep it elsewhere: with it the next check notices lines cut off at the end. */
  readonly head: AuditHead;
  /** A crash left the last line half written. The chain is not broken by it. */
  readonly torn: boolean;
  readonly problems: readonly AuditProblem[];
}

/** A line of a trail that is not what was written there. */
export interface AuditProblem {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** The expectations of `verifyAudit`. */
export interface VerifyOptions {
  /** The trail's key, when it was written with one. */
  readonly key?: string | undefined;
  /** The head of the trail when it was last checked: that line must still be there. */
  readonly expectHead?: AuditHead | undefined;
}

const MAX_PROBLEMS = 100;

const OPTIONS = {
  key: secret(TEXT),
  expectHead: tableOf({ seq: required(numberFrom(0, "records")), hash: required(TEXT) }),
} satisfies OptionTable<VerifyOptions>;

/**
 * Reads a whole trail and checks sequence and hashes. Memory does not grow with the file.
 *
 * Without a key, anyone who can write the file can also write a whole new chain; and lines cut off at the end are noticed
 * only with `expectHead`. Rejects when the file cannot be read.
 */
export async function verifyAudit(file: string, options: VerifyOptions = {}): Promise<AuditVerdict> {
  checkOptions("verifyAudit()", options, OPTIONS);
  const { key, expectHead } = options;
  const problems: AuditProblem[] = [];
  let head = EMPTY_HEAD;
  let records = 0;
  let torn = false;
  let isHeadSeen = expectHead === undefined || expectHead.seq === 0;
  const wrong = (line: number, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ line, message });
  };
  for await (const line of readAuditLines(file)) {
    if (line.torn) {
      torn = true;
      break;
    }
    const read = readLine(line.text);
    if (!read) {
      wrong(line.number, "is not a record of an audit trail");
      continue;
    }
    const { record, body, hash } = read;
    if (record.seq !== head.seq + 1)
      wrong(line.number, `has sequence ${record.seq} where ${head.seq + 1} was expected`);
    else if (hash !== hashOf(body, head.hash, key))
      wrong(line.number, "does not fit the line before: one of the two was changed");
    records++;
    head = { seq: record.seq, hash };
    if (expectHead?.seq === record.seq) {
      isHeadSeen = true;
      if (expectHead.hash !== hash) wrong(line.number, "is not the line that was here when it was last checked");
    }
  }
  if (!isHeadSeen) wrong(records, `is the last line, but the trail once reached sequence ${expectHead!.seq}`);
  return { ok: problems.length === 0, records, head, torn, problems };
}
