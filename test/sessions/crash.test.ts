// Real runs with effects, ended by kill -9 at any moment, and resumed by other processes until they are done.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pLimit from "p-limit";
import { beforeAll, expect, test } from "vitest";
import type { Answer, PendingRequest } from "../../src/contracts/approval.js";
import type { SessionEntry } from "../../src/contracts/session.js";
import { Transcript } from "../../src/engine/transcript/transcript.js";
import { validateTranscript } from "../../src/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { runs } from "../runs.js";
import { bundled, collect, leftovers, startChild, temporaryDirectory } from "./kit.js";

const SESSIONS = runs(8, 50, 1_000);
/** Sessions of one process: they crash together. */
const TOGETHER = 5;
const KILLS = 3;
/** A process kills itself at one of so many moments of its first, which it has whatever the machine does… */
const MOMENTS = 40;
/** …or it is killed after a time. A run without a kill takes about as long. */
const MAX_DELAY_MS = 120;
/** Until the sessions have to be done: they are suspended once, and calls of unknown outcome may ask again. */
const MAX_PROCESSES = 20;
const GROUPS_AT_ONCE = 2;

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./run-program.ts", import.meta.url));
});

interface Outcome {
  readonly status: string;
  readonly error?: string;
  readonly pending: readonly PendingRequest[];
}

type BySession<T> = { [session: string]: T };

/** When a process ends before its time. */
interface Kill {
  readonly moment?: number;
  readonly afterMs?: number;
}

/** The first of a trial is sure to come; of the others, some come by a timer, in the middle of whatever is going on. */
function killOf(kills: number): Kill {
  if (kills >= KILLS) return {};
  if (kills === 1) return { afterMs: Math.random() * MAX_DELAY_MS };
  return { moment: 1 + Math.floor(Math.random() * MOMENTS) };
}

/** One process. `null` when it was killed before its end. */
async function runOnce(directory: string, answers: BySession<Answer[]>, { moment = 0, afterMs }: Kill = {}) {
  const child = startChild(program, [directory, JSON.stringify(answers), String(moment)]);
  await child.line();
  const killer = afterMs === undefined ? undefined : setTimeout(() => child.process.kill("SIGKILL"), afterMs);
  const line = await child.line();
  await child.ended;
  clearTimeout(killer);
  return line === null ? null : (JSON.parse(line) as BySession<Outcome>);
}

interface Trial {
  readonly problems: readonly string[];
  readonly kills: number;
  readonly unknown: number;
}

async function crashTrial(directory: string): Promise<Trial> {
  mkdirSync(directory, { recursive: true });
  const sessions = Array.from({ length: TOGETHER }, (_, index) => `s${index}`);
  let waiting: BySession<Answer[]> = Object.fromEntries(sessions.map((id) => [id, []]));
  let kills = 0;
  for (let processes = 0; Object.keys(waiting).length > 0; processes++) {
    if (processes === MAX_PROCESSES) return { problems: [`not done: ${JSON.stringify(waiting)}`], kills, unknown: 0 };
    const outcomes = await runOnce(directory, waiting, killOf(kills));
    if (outcomes === null) kills++;
    else waiting = answersTo(outcomes);
  }
  const store = createFileSessionStore({ dir: join(directory, "sessions") });
  const problems: string[] = [];
  let unknown = 0;
  for (const id of sessions) {
    const kept = await collect(store.read(id));
    problems.push(...lostEntries(directory, id, kept), ...invalid(kept), ...wrongEffects(directory, id, kept));
    unknown += resultsOf(kept).filter(({ status }) => status === "unknown").length;
  }
  // Who is killed before he has a lock leaves what he would have locked with. It hinders nobody.
  const left = leftovers(join(directory, "sessions")).filter((name) => !name.endsWith(".tmp"));
  if (left.length > 0) problems.push(`left behind: ${left.join(", ")}`);
  return { problems, kills, unknown };
}

function answersTo(outcomes: BySession<Outcome>): BySession<Answer[]> {
  const open = Object.entries(outcomes).filter(([, { status }]) => status !== "completed");
  return Object.fromEntries(
    open.map(([id, { pending }]) => [
      id,
      pending.map((request) =>
        request.kind === "approval" ? { id: request.id, decision: "allow" } : { id: request.id, value: 7 },
      ),
    ]),
  );
}

/** The lines of a file that are about a session. */
function linesAbout(path: string, session: string): string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith(`${session} `) ? [line.slice(session.length + 1)] : []));
}

function resultsOf(kept: readonly SessionEntry[]) {
  return kept.flatMap((entry) => (entry.type === "tool-result" ? [entry.result] : []));
}

function lostEntries(directory: string, session: string, kept: readonly SessionEntry[]): string[] {
  const ids = kept.map(({ id }) => id);
  const places = linesAbout(join(directory, "acknowledged"), session).map((id) => ids.indexOf(id));
  const isOrdered = places.every((place, index) => index === 0 || place > places[index - 1]!);
  return places.includes(-1) || !isOrdered ? ["an acknowledged entry was lost, or is out of order"] : [];
}

function invalid(kept: readonly SessionEntry[]): string[] {
  const transcript = new Transcript();
  for (const entry of kept) transcript.apply(entry);
  return validateTranscript(transcript.messages).map(({ message }) => message);
}

/** What happened in the world against what the session says. */
function wrongEffects(directory: string, session: string, kept: readonly SessionEntry[]): string[] {
  const ledger = linesAbout(join(directory, "ledger"), session);
  return resultsOf(kept).flatMap(({ toolCallId, name, status }) => {
    const times = ledger.filter((line) => line === toolCallId).length;
    const asked = kept.filter((entry) => entry.type === "pending" && entry.request.toolCallId === toolCallId).length;
    const mayRepeat = name === "repeatable" || name === "look" || (name === "confirmed" && times <= asked + 1);
    const problems: string[] = [];
    if (times > 1 && !mayRepeat) problems.push(`${toolCallId} was executed ${times} times`);
    if (status === "success" && times === 0) problems.push(`${toolCallId} succeeded without having been executed`);
    if (status === "unknown" && !["effect", "approved", "asking"].includes(name))
      problems.push(`${toolCallId} is unknown`);
    if (status !== "success" && status !== "unknown") problems.push(`${toolCallId} is ${status}`);
    return problems;
  });
}

test(`${SESSIONS} sessions killed at random moments lose no entry, stay valid, and repeat no effect`, async () => {
  const directory = temporaryDirectory();
  const atMost = pLimit(GROUPS_AT_ONCE);

  const trials = await Promise.all(
    Array.from({ length: SESSIONS / TOGETHER }, (_, index) => atMost(() => crashTrial(join(directory, String(index))))),
  );

  const kills = trials.reduce((sum, trial) => sum + trial.kills, 0);
  const unknown = trials.reduce((sum, trial) => sum + trial.unknown, 0);
  console.log(`${SESSIONS} sessions, ${kills * TOGETHER} killed runs, ${unknown} calls of unknown outcome`);
  expect(trials.flatMap(({ problems }) => problems)).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(trials.length);
});

test("a call that was killed in its effect is of unknown outcome", async () => {
  const directory = temporaryDirectory();
  let unknown = 0;
  let ran = 0;
  // From the third moment on: the session has been begun.
  for (let moment = 3; unknown === 0 || ran === 0; moment++) {
    const place = join(directory, String(moment));
    mkdirSync(place);
    const outcome = await runOnce(place, { s: [] }, { moment });
    expect(outcome).toBeNull();
    await runOnce(place, { s: [] });
    const kept = await collect(createFileSessionStore({ dir: join(place, "sessions") }).read("s"));
    expect(wrongEffects(place, "s", kept)).toEqual([]);
    unknown += resultsOf(kept).filter(({ status }) => status === "unknown").length;
    ran += linesAbout(join(place, "ledger"), "s").length;
  }
});

test("an approval and a question of one process are answered in another", async () => {
  const directory = temporaryDirectory();

  const first = (await runOnce(directory, { s: [] }))!.s!;
  const answers = first.pending.map(
    ({ id, kind }): Answer =>
      kind === "approval" ? { id, decision: "deny", reason: "not today" } : { id, value: { size: "large" } },
  );
  const second = (await runOnce(directory, { s: answers }))!.s!;

  const kept = await collect(createFileSessionStore({ dir: join(directory, "sessions") }).read("s"));
  const results = resultsOf(kept).filter(({ name }) => name === "approved" || name === "asking");
  expect([first.status, second.status]).toEqual(["needs-approval", "completed"]);
  expect(results.map(({ name, status, output }) => [name, status, output]).sort()).toEqual([
    ["approved", "denied", expect.stringContaining("not today")],
    ["asking", "success", '{"size":"large"}'],
  ]);
});
