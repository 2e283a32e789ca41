// What may have happened is not done again unasked: random plans of calls that end, throw, hang, get lost or say that they do
// not know, cut off by aborts and kills at any moment, planned again, resumed and answered. Counted at the tool.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  AgentEngine,
  type Answer,
  defineTool,
  type JsonObject,
  type SessionEntry,
  type SessionStore,
  ToolError,
} from "../../src/index.js";
import { scripted } from "../../src/providers/scripted/index.js";
import { createScheduler, type PlannedTask, type SchedulerReport } from "../../src/scheduler/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { runs } from "../runs.js";

const POLICIES = ["none", "fail", "ask", "retry", "replayable"] as const;
const DEEDS = ["ends", "throws", "hangs", "lost", "unsure", "slow"] as const;
const CUTS = ["none", "abort", "kill", "close"] as const;

interface Call {
  readonly policy: (typeof POLICIES)[number];
  readonly permission: "execute" | "read_write";
  /** What it does at its first start, its second, and so on. */
  readonly deeds: readonly (typeof DEEDS)[number][];
  /** Calls with the same number are the same call. */
  readonly same: number;
  readonly planned: boolean | undefined;
  readonly isAccepted: boolean;
}

const call: fc.Arbitrary<Call> = fc.record({
  policy: fc.constantFrom(...POLICIES),
  permission: fc.constantFrom("execute", "read_write"),
  deeds: fc.array(fc.constantFrom(...DEEDS), { minLength: 1, maxLength: 3 }),
  same: fc.nat({ max: 2 }),
  planned: fc.constantFrom(undefined, true, false),
  isAccepted: fc.boolean(),
});

interface Scene {
  readonly calls: readonly Call[];
  /** How each process before the last one ends, and after how many writes. */
  readonly lives: readonly { readonly cut: (typeof CUTS)[number]; readonly after: number }[];
  readonly answers: readonly boolean[];
}

const scene: fc.Arbitrary<Scene> = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  lives: fc.array(fc.record({ cut: fc.constantFrom(...CUTS), after: fc.integer({ min: 1, max: 25 }) }), {
    maxLength: 3,
  }),
  answers: fc.array(fc.boolean(), { maxLength: 4 }),
});

/** What has happened to the calls, seen from outside. */
class Ledger {
  readonly broken: string[] = [];
  /** By call: whether its newest start has come to an end that the world has seen. */
  readonly #open = new Map<string, "open" | "ended">();
  readonly #yes = new Map<string, number>();
  readonly #starts = new Map<string, number>();

  start(key: string, policy: Call["policy"]): number {
    const mayRepeat = policy === "retry" || policy === "replayable";
    if (this.#open.get(key) === "open" && !mayRepeat) {
      const yes = this.#yes.get(key) ?? 0;
      if (policy !== "ask" || yes === 0) this.broken.push(`${key} was started again, and nobody was asked`);
      this.#yes.set(key, yes - 1);
    }
    this.#open.set(key, "open");
    const nth = this.#starts.get(key) ?? 0;
    this.#starts.set(key, nth + 1);
    return nth;
  }

  end(key: string): void {
    this.#open.set(key, "ended");
  }

  allow(key: string): void {
    this.#yes.set(key, (this.#yes.get(key) ?? 0) + 1);
  }
}

const keyOf = ({ policy, permission, same }: Call) => `${policy}_${permission}_${same}`;

/** One process over what the earlier ones have left. */
class Life {
  isOver = false;
  readonly engine: AgentEngine;
  readonly store: SessionStore;
  #writes = 0;

  constructor(
    readonly ledger: Ledger,
    readonly kept: SessionStore,
    { calls }: Scene,
    onWrite: (count: number, life: Life) => void,
  ) {
    const inner = kept;
    this.store = {
      read: (id) => inner.read(id),
      lock: async () => async () => {},
      list: (filter) => inner.list(filter),
      delete: (id) => inner.delete(id),
      append: async (id: string, entries: readonly SessionEntry[]) => {
        if (this.isOver) return new Promise<never>(() => {});
        await inner.append(id, entries);
        onWrite(++this.#writes, this);
      },
    };
    const byName = new Map(calls.map((one) => [`${one.policy}_${one.permission}`, one]));
    this.engine = new AgentEngine({
      provider: scripted([]),
      sessions: this.store,
      permissions: { decide: () => ({ behavior: "allow" }) },
      limits: { abandonMs: 1 },
      tools: [...byName].map(([name, one]) => this.#tool(name, one, calls)),
    });
  }

  #tool(name: string, { policy, permission }: Call, calls: readonly Call[]) {
    return defineTool<JsonObject & { same: number }>({
      name,
      description: "Has an effect.",
      input: { type: "object", properties: { same: { type: "number" } } } as never,
      permission,
      timeoutMs: 8,
      claims: () => [],
      ...(policy === "replayable" ? { replayable: true } : policy !== "none" && { onUnknown: policy }),
      execute: async ({ same }) => {
        const one = calls.find((each) => keyOf(each) === `${name}_${same}`)!;
        const nth = this.ledger.start(keyOf(one), policy);
        const deed = one.deeds[Math.min(nth, one.deeds.length - 1)]!;
        if (deed === "hangs") return new Promise<never>(() => {});
        if (deed === "slow") await sleep(2);
        if (deed === "lost")
          throw new ToolError("MCP_DISCONNECTED", { message: "Lost.", details: { outcome: "unknown" } });
        if (deed === "unsure") return { output: "?", details: { outcome: "unknown" } };
        if (!this.isOver) this.ledger.end(keyOf(one));
        if (deed === "throws") throw new Error("no");
        return "done";
      },
    });
  }

  scheduler({ calls }: Scene) {
    let plans = 0;
    const verdicts = new Map(calls.map((one, at) => [`t${at}`, one.isAccepted]));
    return createScheduler({
      engine: this.engine,
      // Side by side, two tasks may make the same call: neither repeats the other.
      limits: { retryDelayMs: 0, maxReplans: 1, maxAttempts: 3, maxParallel: 1 },
      predicates: { ok: ({ taskId }) => verdicts.get(taskId.split("-")[0]!) ?? true },
      // A later plan asks for the same again under other ids.
      decomposer: (goal, { earlier }) => {
        plans += earlier ? 1 : 0;
        const suffix = earlier ? `-${plans}${this.#writes}` : "";
        return { goal, tasks: calls.map((one, at) => taskFor(`t${at}${suffix}`, one)) };
      },
    });
  }
}

function taskFor(id: string, { policy, permission, same, planned }: Call): PlannedTask {
  return {
    id,
    title: id,
    instructions: id,
    tool: { name: `${policy}_${permission}`, input: { same } },
    dependsOn: [],
    criterion: { kind: "predicate", name: "ok" },
    ...(planned !== undefined && { replayable: planned }),
  };
}

async function brokenBy(scene: Scene): Promise<string[]> {
  const ledger = new Ledger();
  const kept = createMemorySessionStore();
  let report: SchedulerReport | null = null;
  let hasBegun = false;
  const given = [...scene.answers];
  const lives: readonly Scene["lives"][number][] = [...scene.lives, ...given.map(() => NEVER_CUT), NEVER_CUT];
  for (const { cut, after } of lives) {
    let killed = () => {};
    const kill = new Promise<null>((resolve) => {
      killed = () => resolve(null);
    });
    let abort = () => {};
    const life = new Life(ledger, kept, scene, (count, { engine }) => {
      if (count !== after) return;
      if (cut === "abort") abort();
      if (cut === "close") void engine.close();
      if (cut !== "kill") return;
      life.isOver = true;
      killed();
    });
    const scheduler = life.scheduler(scene);
    const answers = answersTo(report, ledger, given);
    const run = hasBegun ? scheduler.resume("s", { answers }) : scheduler.run("Do it", { sessionId: "s" });
    abort = () => run.abort();
    report = await Promise.race([run.result, kill]);
    hasBegun = true;
    life.isOver = true;
    run.abort();
    void life.engine.close().catch(() => {});
  }
  return ledger.broken;
}

const NEVER_CUT = { cut: "none", after: 0 } as const;

function answersTo(report: SchedulerReport | null, ledger: Ledger, given: boolean[]): Answer[] {
  return (report?.pending ?? []).flatMap(({ id, tool, input }): Answer[] => {
    const isYes = given.shift();
    if (isYes) ledger.allow(`${tool}_${(input as { same: number }).same}`);
    return isYes === undefined ? [] : [{ id, decision: isYes ? "allow" : "deny" }];
  });
}

test("an effect whose outcome is unknown is never repeated unasked, whatever cuts a plan off", async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (one) => {
      expect(await brokenBy(one)).toEqual([]);
    }),
    { numRuns: runs(60, 300, 5_000), endOnFailure: false },
  );
}, 600_000);
