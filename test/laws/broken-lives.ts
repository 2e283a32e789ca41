// A session in several lives of its host, each with parts that break, and what no host may bring about.
import fc from "fast-check";
import { isHarnessError } from "../../src/contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import { patienceOf } from "../../src/engine/run/abandoned-work.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { validateTranscript } from "../../src/engine/transcript/validate-transcript.js";
import { BrokenParts, type Fault, faults, isLyingStore, isStoreFault } from "./broken-host.js";
import { type ModelTurn, modelTurn } from "./random-model.js";
import { type Interruption, type Played, play, type Scenario, SESSION } from "./random-run.js";
import { REPEATABLE } from "./random-tools.js";
import { brokenLaws, rebuilt } from "./run-checks.js";
import { answersTo, approve, worldAfter } from "./session-so-far.js";

/** A store is waited for twice at most: as it fails, and as it unlocks. */
const LONGEST_END_MS = 2 * patienceOf({ abandonMs: 0 }) + 50;

/** One life of a process: what breaks in it, and how it goes on with the session. */
export interface Life {
  readonly faults: readonly Fault[];
  readonly begins: "resume" | "prompt";
  readonly turns: readonly ModelTurn[];
  readonly choice: number;
  readonly interruption?: Interruption | undefined;
}

export const life: fc.Arbitrary<Life> = fc.record({
  faults,
  begins: fc.constantFrom("resume", "prompt"),
  turns: fc.array(modelTurn, { maxLength: 2 }),
  choice: fc.nat({ max: 2 }),
  interruption: fc.option(
    fc.record({ atEvent: fc.nat({ max: 30 }), by: fc.constantFrom("listener", "signal", "break", "close") }),
    { nil: undefined, freq: 4 },
  ),
});

async function entriesOf(store: SessionStore): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(SESSION)) entries.push(entry);
  return entries;
}

async function live(
  plan: Scenario,
  { faults: broken, begins, choice, interruption }: Life,
  store: SessionStore,
  n: number,
) {
  const before = await entriesOf(store);
  // Whoever reads that nothing has happened may do it again.
  const world = worldAfter(before, (name, wasStarted) => wasStarted && !REPEATABLE.has(name));
  if (broken.some(isLyingStore)) world.forbidden.clear();
  const answers = answersTo(before, () => choice);
  for (const answer of answers) approve(world, before, answer);
  const parts = new BrokenParts(world, broken);
  const prompt = `Prompt ${n}.`;
  const played = await play(plan, {
    store,
    world,
    overStore: (inner) => parts.store(inner),
    extra: (runtime) => parts.options(plan.host, runtime),
    ...(interruption && { interruption }),
    hooksMayFail: broken.some(({ method }) => method === "dispatch" || method === "has"),
    begin: (engine, options) =>
      begins === "prompt"
        ? engine.stream(prompt, { sessionId: SESSION, ...options })
        : engine.resume(SESSION, { answers, ...options }),
  });
  return { before, played, prompt };
}

/** What no host may bring about. */
function brokenByHost({ before, played, prompt }: Awaited<ReturnType<typeof live>>, { faults: broken, begins }: Life) {
  const problems: string[] = [];
  const { hooks } = played.scenario.host;
  const { result, rejection, entries, interruptedAt, settledAt, idleAt } = played;
  if (settledAt !== null && interruptedAt !== null && settledAt - interruptedAt > LONGEST_END_MS)
    problems.push(`the result came ${settledAt - interruptedAt} ms after the abort`);
  if (settledAt === null) problems.push("the result never settled");
  if (idleAt === null) problems.push("idle never came");
  if (played.stuck) problems.push("nothing was left to happen, but the run had not ended");
  if (played.engineTimersLeft > 0) problems.push(`${played.engineTimersLeft} timers were left`);
  if (played.signalListenersLeft > 0) problems.push("listeners were left on the run's signal");
  problems.push(...played.world.violations);
  if (rejection !== undefined) problems.push(...wrongRejection(rejection, before, broken));
  if (result?.status === "failed" && !isHarnessError(result.error)) problems.push("it failed without an error");
  if (result?.error?.code === "INTERNAL") problems.push(`the engine failed: ${result.error.message}`);
  if (result) {
    const allowOpen = result.pending.length > 0;
    const issues = validateTranscript(result.messages(), { allowOpen });
    problems.push(...issues.map(({ message }) => `transcript: ${message}`));
  }
  problems.push(...wrongEvents(played));
  const kept = JSON.stringify(before);
  if (JSON.stringify(entries.slice(0, before.length)) !== kept) problems.push("what was committed has changed");
  const hasStoreFault = broken.some(isStoreFault);
  const isOnRecord = JSON.stringify(entries).includes(prompt);
  const isRefused = result?.status === "hook-stopped" || hooks.some(({ point }) => point === "UserPromptSubmit");
  if (begins === "prompt" && result && !hasStoreFault && !isRefused && !isOnRecord) problems.push("the prompt is lost");
  return problems;
}

function wrongRejection(rejection: unknown, before: readonly SessionEntry[], broken: readonly Fault[]): string[] {
  if (isHarnessError(rejection, "SESSION_NOT_FOUND") && (before.length === 0 || broken.some(isStoreFault))) return [];
  const breaks = (prefix: string) => broken.some(({ method }) => method.startsWith(prefix));
  if (isHarnessError(rejection, "TOOL_INVALID") && breaks("tool")) return [];
  if (isHarnessError(rejection, "OPTION_INVALID") && (breaks("now") || breaks("newId") || breaks("random"))) return [];
  return [`rejected with ${isHarnessError(rejection) ? rejection.code : ""} ${String(rejection)}`];
}

function wrongEvents({ events, result }: Played): string[] {
  const problems: string[] = [];
  const seqs = events.map(({ seq }) => seq);
  if (seqs.some((seq, index) => index > 0 && seq <= seqs[index - 1]!)) problems.push("event numbers do not ascend");
  const end = events.findIndex(({ type }) => type === "run-end");
  const after = events.slice(end + 1).filter(({ type }) => type !== "notice" && type !== "hook-outcome");
  if (end >= 0 && after.length > 0) problems.push(`${after[0]!.type} came after run-end`);
  if (result && end < 0 && events.some(({ type }) => type === "run-start")) problems.push("there was no run-end");
  return problems;
}

/** What went wrong in the lives of a session, and in a sound one after them. */
export async function problemsOf(plan: Scenario, lives: readonly Life[]): Promise<string[]> {
  const store = createMemorySessionStore();
  const problems: string[] = [];
  for (const [n, one] of lives.entries()) {
    const own = n === 0 ? ({ ...one, begins: "prompt", turns: plan.turns } as const) : one;
    const lived = await live({ host: plan.host, turns: own.turns }, own, inOneProcess(store), n);
    problems.push(...brokenByHost(lived, own).map((problem) => `life ${n}: ${problem}`));
    if (one.faults.some(isLyingStore)) return problems;
    const { messages } = rebuilt(await entriesOf(store));
    const issues = validateTranscript(messages, { allowOpen: true });
    problems.push(...issues.map(({ message }) => `life ${n} left: ${message}`));
  }
  const { played } = await live({ host: plan.host, turns: [] }, SOUND, inOneProcess(store), lives.length);
  return [...problems, ...brokenLaws(played).map((problem) => `afterwards: ${problem}`)];
}

/** The store as one process has it: its locks end with the process. */
function inOneProcess(store: SessionStore): SessionStore {
  const { lock } = createMemorySessionStore();
  return { ...store, lock };
}

const SOUND: Life = { faults: [], begins: "prompt", turns: [], choice: 0 };
