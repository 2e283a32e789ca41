// Over random runs: what the session keeps of decisions and effects, the trail tells as well.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { AuditRecord } from "loopwright/observability";
import { expect, test } from "vitest";
import { createAuditTrail, queryAudit, verifyAudit } from "../../src/observability/index.js";
import { type Played, play, scenario } from "../laws/random-run.js";

const numRuns = process.env.PROVE ? 2_000 : 40;

/** The trail of a run that was played, and what `verifyAudit` says of it. */
async function trailOf({ events }: Played) {
  const folder = mkdtempSync(join(tmpdir(), "audit-law-"));
  const file = join(folder, "trail.jsonl");
  try {
    const audit = await createAuditTrail({ file, onError: (error) => expect.unreachable(error.message) });
    for (const event of events) audit.record(event);
    await audit.close();
    const records: AuditRecord[] = [];
    for await (const record of queryAudit(file)) records.push(record);
    return { records, verdict: await verifyAudit(file) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("every run, result, question and epoch of a session is in the trail", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const played = await play(plan);
      const { records, verdict } = await trailOf(played);
      const told = (type: string, fields: object = {}) =>
        records.filter((record) => record.type === type && Object.entries(fields).every(([k, v]) => record[k] === v));

      expect(verdict).toMatchObject({ ok: true, torn: false, records: records.length });
      for (const entry of played.entries) {
        if (entry.type === "run-start") expect(told("run-start", { runId: entry.runId })).not.toEqual([]);
        if (entry.type === "run-end") {
          expect(told("run-end", { runId: entry.runId, status: entry.status })).toHaveLength(1);
        }
        if (entry.type === "epoch") expect(told("epoch", { runId: entry.runId, cause: entry.cause })).not.toEqual([]);
        if (entry.type === "tool-result") {
          const { toolCallId, status } = entry.result;
          expect(told("tool-call-end", { toolCallId, status })).not.toEqual([]);
        }
        if (entry.type === "tool-start") {
          const { toolCallId } = entry;
          expect(told("tool-call-start", { toolCallId })).not.toEqual([]);
          expect(told("permission-decision", { toolCallId, behavior: "allow" })).not.toEqual([]);
        }
        if (entry.type === "pending") {
          expect(told("approval-requested", { requestId: entry.request.id })).not.toEqual([]);
        }
      }
    }),
    { numRuns },
  );
});
