import fc from "fast-check";
import type { EngineEvent } from "../../src/contracts/event.js";
import type { ProviderRequest } from "../../src/contracts/provider.js";
import type { RunResult } from "../../src/contracts/run.js";
import type { Runtime } from "../../src/contracts/runtime.js";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import type { AgentRun } from "../../src/engine/agent-run.js";
import { AgentEngine } from "../../src/engine/engine.js";
import type { EngineOptions } from "../../src/engine/options/options.js";
import { ToolRegistry } from "../../src/engine/tools/tool-registry.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { deferTools } from "../../src/mcp/index.js";
import { describeThrown } from "../../src/text/describe-thrown.js";
import { type HostPlan, hostPlan, randomApprover, randomGate, randomHooks } from "./random-host.js";
import { type ModelTurn, modelTurn, randomModel } from "./random-model.js";
import { randomTools } from "./random-tools.js";
import { World } from "./world.js";

/** A run as data: played twice, it goes the same way twice. */
export interface Scenario {
  readonly turns: readonly ModelTurn[];
  readonly host: HostPlan;
}

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  turns: fc.array(modelTurn, { minLength: 1, maxLength: 4 }),
  host: hostPlan,
});

/** Interferes with a run as soon as its n-th event happens. */
export interface Interruption {
  readonly atEvent: number;
  /** `listener`: in the middle of the engine's own code. */
  readonly by: "listener" | "signal" | "break" | "close";
}

export interface PlayOptions {
  readonly interruption?: Interruption;
  readonly world?: World;
  /** The world of the agent with this run id. Default: there is one agent. */
  readonly worldOf?: (agent: Pick<EngineEvent, "runId" | "agentPath">) => World;
  readonly store?: SessionStore;
  /** What the engine is given in place of the store. */
  readonly overStore?: (store: SessionStore) => SessionStore;
  readonly extra?: Partial<EngineOptions> | ((runtime: Runtime) => Partial<EngineOptions>);
  /** What the host's hooks say may be lost. */
  readonly hooksMayFail?: boolean;
  readonly onRequest?: (request: ProviderRequest) => void;
  /** Default: runs the prompt "Go." */
  readonly begin?: (engine: AgentEngine, options: { readonly signal: AbortSignal }) => AgentRun;
  /** What to begin the moment a run has its result, before it is idle; `null`: that was the last one. */
  readonly next?: (engine: AgentEngine, result: RunResult) => AgentRun | null;
}

/** What there was to see of a run. */
export interface Played {
  readonly scenario: Scenario;
  readonly world: World;
  readonly result: RunResult | undefined;
  readonly rejection: unknown;
  readonly events: readonly EngineEvent[];
  /** The session's entries as the store holds them, and what they were as JSON when they were appended. */
  readonly entries: readonly SessionEntry[];
  readonly recorded: readonly string[];
  readonly interruptedAt: number | null;
  readonly settledAt: number | null;
  readonly idleAt: number | null;
  /** Whether time had to pass between the interruption and the result. */
  readonly settledAtOnce: boolean | null;
  /** Whether nothing was left to happen before the run had ended, although nothing waits for the host. */
  readonly stuck: boolean;
  readonly engineTimersLeft: number;
  readonly signalListenersLeft: number;
}

export const SESSION = "session";
/** Never used twice, as in a process that goes on with another's session. */
let ids = 0;
/** As many as there are runs in a row, at most. */
const MAX_ABORTS = 5;
/** Far more steps than any scenario takes. */
const MAX_STEPS = 5_000;

/** Plays a scenario in virtual time until nothing of it is left. */
export async function play(scenario: Scenario, options: PlayOptions = {}): Promise<Played> {
  const { world = new World() } = options;
  const onUnhandled = (error: unknown) => world.violation(`unhandled rejection: ${describeThrown(error)}`);
  process.on("unhandledRejection", onUnhandled);
  try {
    return await world.time.during(() => playIn(world, scenario, options));
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
}

async function playIn(world: World, scenario: Scenario, options: PlayOptions): Promise<Played> {
  const { host, turns } = scenario;
  const { interruption, store = createMemorySessionStore(), overStore = (same) => same, onRequest } = options;
  const { limits } = host;
  Object.assign(world, { maxConcurrentTools: limits.maxConcurrentTools, abandonMs: limits.abandonMs });
  world.guards = { gate: host.hasGate, toolHook: host.hasToolHook, hooksMayFail: options.hooksMayFail ?? false };
  const recorded: string[] = [];
  const hasHooks = host.hasToolHook || host.hooks.length > 0;
  const runtime = { now: () => 1_000 + world.time.now, newId: () => `id${++ids}`, random: () => 0.5 };
  const engine = new AgentEngine({
    provider: randomModel(world, turns, onRequest),
    tools: host.defersTools
      ? deferTools(new ToolRegistry(randomTools(world)), { keep: ["look*"] })
      : randomTools(world),
    systemPrompt: "Be random.",
    ...(host.hasGate && { permissions: randomGate(world) }),
    ...(host.hasApprover && { approver: randomApprover(world) }),
    ...(hasHooks && { hooks: randomHooks(world, host) }),
    sessions: overStore(watched(store, recorded, (ms) => world.time.sleep(ms), host.storeDelayMs)),
    limits,
    retry: { baseMs: 1, maxMs: 4, maxRetries: 2 },
    eagerTools: host.eagerTools,
    runtime,
    ...(typeof options.extra === "function" ? options.extra(runtime) : options.extra),
  });
  const events: EngineEvent[] = [];
  const controller = new AbortController();
  const listeners = countListeners(controller.signal);
  const begin = options.begin ?? ((it, run) => it.stream("Go.", { sessionId: SESSION, ...run }));
  const idles: Promise<void>[] = [];
  let interrupted = false;
  let interruptedAt: number | null = null;
  const interrupt = () => {
    interrupted = true;
    interruptedAt ??= world.time.now;
    if (interruption?.by === "signal") controller.abort(new Error("no longer wanted"));
    else if (interruption?.by === "close")
      idles.push(engine.close().catch(() => {})); // A tool may not end.
    else run.abort("no longer wanted");
  };
  let breakNow = false;
  listenToAll(engine, (event) => {
    const n = events.push(event) - 1;
    const own = options.worldOf?.(event) ?? world;
    if (event.type === "tool-call-end")
      own.answered.set(event.result.toolCallId, { step: own.step(), at: world.time.now });
    const isVoid = event.type === "model-restart" || (event.type === "run-end" && event.status === "failed");
    own.sawVoid ||= isVoid;
    if (isVoid) {
      const ofAgent = options.worldOf ? events.filter(({ runId }) => runId === event.runId) : events;
      for (const id of startedInThisCall(ofAgent)) own.answered.delete(id);
    }
    if (host.steerAt.includes(n)) run.steer(`steered at ${n}`);
    if (host.followUpAt.includes(n)) run.followUp(`followed up at ${n}`);
    if (n !== interruption?.atEvent || interrupted) return;
    if (interruption.by === "break") {
      breakNow = true;
      interrupted = true;
    } else interrupt();
  });
  let run = begin(engine, { signal: controller.signal });
  let result: RunResult | undefined;
  let rejection: unknown;
  let settledAt: number | null = null;
  let idleAt: number | null = null;
  const follow = (current: AgentRun): void => {
    void current.result.then(
      (value) => {
        result = value;
        idles.push(current.idle);
        const next = options.next?.(engine, value);
        if (next) {
          run = next;
          follow(next);
          return;
        }
        settledAt = world.time.now;
        void Promise.all(idles).then(() => {
          idleAt = world.time.now;
        });
      },
      (error) => {
        rejection = error;
        settledAt = world.time.now;
        void Promise.all([...idles, current.idle]).then(() => {
          idleAt = world.time.now;
        });
      },
    );
  };
  follow(run);
  void consume(
    run,
    interruption?.by === "break" ? "breaks" : host.consumer,
    (ms) => world.time.sleep(ms),
    () => breakNow,
  ).catch(() => {}); // What the run rejects with is in `rejection`.

  let settledAtOnce: boolean | null = null;
  let stuck = false;
  let aborts = 0;
  const isOver = () => settledAt !== null && idleAt !== null;
  for (let steps = 0; !isOver() && steps < MAX_STEPS; steps++) {
    await world.time.settle();
    if (interrupted && settledAtOnce === null && !options.next) settledAtOnce = settledAt !== null;
    if (isOver() || (await world.time.advance())) continue;
    if (isOver()) break;
    stuck ||= world.endless === 0;
    if (aborts++ === MAX_ABORTS) break;
    interrupted = true;
    interruptedAt ??= world.time.now;
    run.abort("nothing happens any more");
  }
  const engineTimersLeft = world.time.engineTimers;
  while (await world.time.advance()); // What is late comes now, and must change nothing.
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(SESSION)) entries.push(entry);
  return {
    scenario,
    world,
    result,
    rejection,
    events,
    entries,
    recorded,
    interruptedAt,
    settledAt,
    idleAt,
    settledAtOnce,
    stuck,
    engineTimersLeft,
    signalListenersLeft: listeners(),
  };
}

const EVENT_TYPES = [
  "run-start",
  "turn-start",
  "model-call-start",
  "text-delta",
  "reasoning-delta",
  "media",
  "tool-input-delta",
  "model-restart",
  "model-call-end",
  "tool-call-start",
  "tool-progress",
  "tool-call-end",
  "permission-decision",
  "approval-requested",
  "approval-answered",
  "hook-outcome",
  "compaction",
  "epoch",
  "notice",
  "usage",
  "turn-end",
  "run-end",
] as const;

function listenToAll(engine: AgentEngine, listener: (event: EngineEvent) => void): void {
  for (const type of EVENT_TYPES) engine.on(type, listener);
}

/** The ids of calls that have been announced since the newest model call began. Once void, they may be used again. */
function startedInThisCall(events: readonly EngineEvent[]): string[] {
  const since = events.findLastIndex(({ type }) => type === "model-call-start" || type === "turn-start");
  if (events[since]?.type === "turn-start") return []; // It failed before it asked the model.
  return events.slice(since + 1).flatMap((event) => (event.type === "tool-call-start" ? event.call.id : []));
}

/** Counts the abort listeners that have been added to a signal and not been taken back. */
function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: unknown[]) => {
    count++;
    addEventListener.apply(signal, args as never);
  };
  signal.removeEventListener = (...args: unknown[]) => {
    count--;
    removeEventListener.apply(signal, args as never);
  };
  return () => count;
}

/** A store that remembers what each entry was when it came. */
function watched(
  store: SessionStore,
  recorded: string[],
  sleep: (ms: number) => Promise<void>,
  delayMs: number,
): SessionStore {
  return {
    ...store,
    async append(id, entries) {
      if (delayMs > 0) await sleep(delayMs);
      await store.append(id, entries);
      if (id === SESSION) for (const entry of entries) recorded.push(JSON.stringify(entry));
    },
  };
}

async function consume(
  run: AgentRun,
  how: HostPlan["consumer"] | "breaks",
  sleep: (ms: number) => Promise<void>,
  breakNow: () => boolean,
): Promise<void> {
  if (how === "none") return;
  let read = 0;
  for await (const _event of run) {
    read++;
    if (how === "slow") await sleep(1);
    if (how === "stalls" && read === 3) return new Promise(() => {});
    if (how === "breaks" && breakNow()) return;
  }
}
