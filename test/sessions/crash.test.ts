// Real runs with effects, ended by kill -9 at any moment, and resumed by other processes until they are done.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer, PendingRequest, SessionEntry } from "../../src/contracts/session.js";
import { Transcript } from "../../src/engine/transcript.js";
import { validateTranscript } from "../../src/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { bundled, collect, leftovers, startChild, temporaryFolder } from "./kit.js";

const TRIALS = process.env.PROVE ? 1_000 : 50;
const MAX_KILLS = 3;
/** Processes until a session has to be done: it is suspended once, and calls of unknown outcome may ask again. */
const MAX_PROCESSES = 20;
const AT_ONCE = 4;

let program: string;
beforeAll(async () => {
  program = await bundled("./run-program.ts");
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));

interface Outcome {
  readonly status: string;
  readonly error?: string;
  readonly pending: readonly PendingRequest[];
}

/** One process: it is killed after a while, or comes to its end. */
async function runOnce(folder: string, answers: readonly Answer[], killAfterMs: number | null): Promise<Outcome | null> {
  const paths = [join(folder, "sessions"), join(folder, "ledger"), join(folder, "acknowledged")];
  const child = startChild(program, [...paths, JSON.stringify(answers)]);
  await child.line();
  const killer = killAfterMs === null ? undefined : setTimeout(() => child.process.kill("SIGKILL"), killAfterMs);
  const line = await child.line();
  await child.ended;
  clearTimeout(killer);
  return line === null ? null : (JSON.parse(line) as Outcome);
}

interface Trial {
  readonly problems: readonly string[];
  readonly kills: number;
  readonly unknown: number;
}

async function crashTrial(folder: string): Promise<Trial> {
  let kills = 0;
  let answers: Answer[] = [];
  let outcome: Outcome | null = null;
  for (let processes = 0; outcome?.status !== "completed"; processes++) {
    if (processes === MAX_PROCESSES) return { problems: [`not done: ${JSON.stringify(outcome)}`], kills, unknown: 0 };
    outcome = await runOnce(folder, answers, kills < MAX_KILLS ? Math.random() * 40 : null);
    if (outcome === null) kills++;
    else answers = outcome.pending.map(({ id, kind }) => (kind === "approval" ? { id, decision: "allow" } : { id, value: 7 }));
  }
  const store = createFileSessionStore({ dir: join(folder, "sessions") });
  const kept = await collect(store.read("s"));
  const problems = [...lostEntries(folder, kept), ...invalid(kept), ...wrongEffects(folder, kept)];
  const left = leftovers(join(folder, "sessions")).filter((name) => !name.endsWith(".tmp"));
  if (left.length > 0) problems.push(`left behind: ${left.join(", ")}`);
  return { problems, kills, unknown: resultsOf(kept).filter(({ status }) => status === "unknown").length };
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function resultsOf(kept: readonly SessionEntry[]) {
  return kept.flatMap((entry) => (entry.type === "tool-result" ? [entry.result] : []));
}

function lostEntries(folder: string, kept: readonly SessionEntry[]): string[] {
  const ids = kept.map(({ id }) => id);
  const places = linesOf(join(folder, "acknowledged")).map((id) => ids.indexOf(id));
  const isOrdered = places.every((place, index) => index === 0 || place > places[index - 1]!);
  return places.includes(-1) || !isOrdered ? ["an acknowledged entry was lost, or is out of order"] : [];
}

function invalid(kept: readonly SessionEntry[]): string[] {
  const transcript = new Transcript();
  for (const entry of kept) transcript.apply(entry);
  return validateTranscript(transcript.messages).map(({ message }) => message);
}

/** What happened in the world against what the session says. */
function wrongEffects(folder: string, kept: readonly SessionEntry[]): string[] {
  const ledger = linesOf(join(folder, "ledger"));
  return resultsOf(kept).flatMap(({ toolCallId, name, status }) => {
    const times = ledger.filter((line) => line === toolCallId).length;
    const asked = kept.filter((entry) => entry.type === "pending" && entry.request.toolCallId === toolCallId).length;
    const mayRepeat = name === "repeatable" || name === "look" || (name === "confirmed" && times <= asked + 1);
    const problems: string[] = [];
    if (times > 1 && !mayRepeat) problems.push(`${toolCallId} was executed ${times} times`);
    if (status === "success" && times === 0) problems.push(`${toolCallId} succeeded without having been executed`);
    if (status === "unknown" && !["effect", "approved", "asking"].includes(name)) problems.push(`${toolCallId} is unknown`);
    if (status !== "success" && status !== "unknown") problems.push(`${toolCallId} is ${status}`);
    return problems;
  });
}

test(`${TRIALS} runs killed at random moments lose no entry, stay valid, and repeat no effect`, async () => {
  const folder = temporaryFolder();
  const atMost = pLimit(AT_ONCE);

  const trials = await Promise.all(
    Array.from({ length: TRIALS }, (_, index) => atMost(() => crashTrial(join(folder, String(index))))),
  );

  const kills = trials.reduce((sum, trial) => sum + trial.kills, 0);
  const unknown = trials.reduce((sum, trial) => sum + trial.unknown, 0);
  console.log(`${TRIALS} sessions, ${kills} kills, ${unknown} calls of unknown outcome`);
  expect(trials.flatMap(({ problems }) => problems)).toEqual([]);
  expect(kills).toBeGreaterThan(TRIALS);
  expect(unknown).toBeGreaterThan(0);
});

test("an approval and a question of one process are answered in others", async () => {
  const folder = temporaryFolder();
  let answers: Answer[] = [];
  const statuses: string[] = [];

  for (let outcome: Outcome | null = null; outcome?.status !== "completed"; ) {
    outcome = await runOnce(folder, answers, null);
    statuses.push(outcome!.status);
    answers = outcome!.pending.map(({ id, kind }) =>
      kind === "approval" ? { id, decision: "deny", reason: "not today" } : { id, value: { size: "large" } },
    );
  }

  const kept = await collect(createFileSessionStore({ dir: join(folder, "sessions") }).read("s"));
  const results = resultsOf(kept).filter(({ name }) => name === "approved" || name === "asking");
  expect(statuses).toEqual(["needs-approval", "completed"]);
  expect(results).toHaveLength(2);
  for (const { name, status, output } of results) {
    expect([status, output]).toEqual(
      name === "asking" ? ["success", '{"size":"large"}'] : ["denied", expect.stringContaining("not today")],
    );
  }
});
