// The file store: appending with and without sync, streaming a large session, and going on with it.
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEntry } from "loopwright";
import { createFileSessionStore } from "loopwright/sessions";
import { programPath, readProgram } from "../child.js";
import { interleave, median } from "../measure.js";
import { isQuick, type Row, report } from "../row.js";

/** Entries of one commit, as a turn with one call makes them: message, start, result, and the next message. */
const BATCH = 4;
const COMMITS = isQuick ? 100 : 500;
const SYNCED_COMMITS = isQuick ? 20 : 60;
const ROUNDS = isQuick ? 3 : 9;
const LARGE_BYTES = isQuick ? 10e6 : 100e6;

function batch(from: number, text = "The quick brown fox jumps over the lazy dog. "): SessionEntry[] {
  return Array.from({ length: BATCH }, (_, index): SessionEntry => {
    const n = from + index;
    const message = { role: "user", content: [{ type: "text", text }] } as const;
    return {
      v: 1,
      id: `run.${n}`,
      parent: n ? `run.${n - 1}` : null,
      at: n,
      runId: "run",
      turn: 1,
      type: "message",
      message,
    };
  });
}

/** Lines of JSON, written at once: no checksum, lock or order of its own. */
async function bareAppends(dir: string, commits: number, isSynced: boolean): Promise<void> {
  const file = await open(join(dir, "bare.jsonl"), "w");
  for (let n = 0; n < commits * BATCH; n += BATCH) {
    await file.write(
      batch(n)
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(""),
    );
    if (isSynced) await file.datasync();
  }
  await file.close();
}

async function ourAppends(dir: string, commits: number, durability: "power" | "process"): Promise<void> {
  const store = createFileSessionStore({ dir, durability });
  await store.delete("s");
  const release = await store.lock("s");
  for (let n = 0; n < commits * BATCH; n += BATCH) await store.append("s", batch(n));
  await release();
}

async function appendRows(dir: string): Promise<Row[]> {
  const plain = await interleave(
    { floor: () => bareAppends(dir, COMMITS, false), ours: () => ourAppends(dir, COMMITS, "process") },
    { rounds: ROUNDS, warmups: 2, clock: "wall" },
  );
  const synced = await interleave(
    { floor: () => bareAppends(dir, SYNCED_COMMITS, true), ours: () => ourAppends(dir, SYNCED_COMMITS, "power") },
    { rounds: ROUNDS, warmups: 1, clock: "wall" },
  );
  const perEntry = (ms: number) => (ms * 1_000) / (COMMITS * BATCH);
  return [
    {
      what: "append an entry to a session file, in commits of 4",
      unit: "µs",
      floor: perEntry(plain.floor),
      ours: perEntry(plain.ours),
      budgets: [{ max: 50 }], // 20,000 entries a second
    },
    {
      what: "the same synced to disk, for each commit",
      unit: "ms",
      floor: synced.floor / SYNCED_COMMITS,
      ours: synced.ours / SYNCED_COMMITS,
      budgets: [{ max: 2, times: "floor" }],
    },
  ];
}

async function largeRows(dir: string): Promise<Row[]> {
  const store = createFileSessionStore({ dir, durability: "process" });
  await store.append("warm-up", batch(0));
  const text = "x".repeat(2_000);
  const release = await store.lock("large");
  for (let n = 0; n * text.length < LARGE_BYTES; n += BATCH) await store.append("large", batch(n, text));
  await release();
  const read = await readProgram<{ ms: number; addedMb: number }>(programPath("read-session"), [dir], ["--expose-gc"]);
  const opened: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const unlock = await store.lock("large");
    await store.append("large", batch(0));
    opened.push(performance.now() - startedAt);
    await unlock();
  }
  const size = `${LARGE_BYTES / 1e6} MB`;
  return [
    { what: `stream a session of ${size}: time`, unit: "ms", ours: read.ms },
    { what: `stream a session of ${size}: memory it adds`, unit: "MB", ours: read.addedMb, budgets: [{ max: 40 }] },
    { what: `lock a session of ${size} and append to it`, unit: "ms", ours: median(opened) },
  ];
}

const dir = await mkdtemp(join(tmpdir(), "loopwright-bench-sessions-"));
try {
  report([...(await appendRows(dir)), ...(await largeRows(dir))]);
} finally {
  await rm(dir, { recursive: true, force: true });
}
