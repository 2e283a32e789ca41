// The usage of a hub's users, and the rest of their limits. Each model call counts when it has ended, so that several runs of a user
// see each other, and nothing is lost with the process.

import { type HarnessError, RunError } from "../../contracts/errors.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { RunResult } from "../../contracts/run.js";
import type { UsagePeriod, UsageStore, UsageSum } from "../../contracts/usage.js";
import type { AgentRun } from "../../engine/agent-run.js";
import type { Limits } from "../../engine/options/limits.js";
import {
  byDefault,
  checkOptions,
  eitherOf,
  FUNCTION,
  numberFrom,
  type OptionTable,
  required,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { isOfRoot } from "../run-source.js";

/** The limits of a user in each period. */
export interface UserLimits {
  /** Length of a period; periods follow each other from the epoch on, so that days begin at midnight UTC. Unit: milliseconds. Default: a day. */
  readonly periodMs?: number | undefined;
  /** Input and output tokens of all model calls. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Unit: US dollars. Default: no limit. Needs `prices`, of the engine or of the provider. */
  readonly maxCostUsd?: number | undefined;
}

/** Counting and limiting what users use. */
export interface UserUsageOptions {
  /** The store in which it is counted. */
  readonly store: UsageStore;
  /** The limits of every user, or of the one it is called with, before each run. Default: none. */
  readonly limits?: UserLimits | ((user: string) => UserLimits | Promise<UserLimits>) | undefined;
  /** Unit: milliseconds since the epoch. Default: the clock of the machine. */
  readonly now?: (() => number) | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const LIMITS = {
  periodMs: byDefault(DAY_MS, numberFrom(1, "milliseconds")),
  maxTokens: numberFrom(1, "tokens"),
  maxCostUsd: numberFrom(0, "US dollars", undefined, true),
} satisfies OptionTable<UserLimits>;

export const USAGE_TABLE = {
  store: required(withMethods("add", "read")),
  limits: byDefault({}, eitherOf(FUNCTION, tableOf(LIMITS))),
  now: byDefault(Date.now, FUNCTION),
} satisfies OptionTable<UserUsageOptions>;

/** One run of a user: what it may use, and the count of what it has used. */
export class UserRun {
  #counted: UsageSum = { tokens: 0, costUsd: 0 };
  #sum: UsageSum;
  #adding: Promise<void> = Promise.resolve();

  private constructor(
    private readonly user: string,
    private readonly store: UsageStore,
    private readonly period: UsagePeriod,
    private readonly most: Pick<UserLimits, "maxTokens" | "maxCostUsd">,
    sum: UsageSum,
  ) {
    this.#sum = sum;
  }

  /** @throws RunError `USAGE_LIMIT` when the user has used up a limit */
  static async begin(user: string, options: UserUsageOptions): Promise<UserRun> {
    const { store, limits, now } = checkOptions("createRunHub() usage", options, USAGE_TABLE);
    const own = typeof limits === "function" ? await limits(user) : limits;
    const { periodMs, ...most } = checkOptions("createRunHub() usage.limits", own, LIMITS);
    const from = Math.floor(now() / periodMs) * periodMs;
    const period = { from, until: from + periodMs };
    const run = new UserRun(user, store, period, most, await store.read(user, period));
    const refusal = run.usedUp();
    if (refusal) throw refusal;
    return run;
  }

  /** The run's own limits, and what the user has left. */
  within(limits: Limits | undefined): Limits {
    const { most } = this;
    const maxTokens = least(limits?.maxTokens, most.maxTokens, this.#sum.tokens);
    const maxCostUsd = least(limits?.maxCostUsd, most.maxCostUsd, this.#sum.costUsd);
    return {
      ...limits,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(maxCostUsd !== undefined && { maxCostUsd }),
    };
  }

  /** Counts what an event of the run says, and passes it on: the end of one that has used up its user's limit with the error. */
  async see(event: EngineEvent, run: Pick<AgentRun, "result">): Promise<EngineEvent> {
    if (!isOfRoot(event)) return event;
    if (event.type === "usage") this.#count(event);
    if (event.type !== "run-end") return event;
    const { error } = await this.endOf(run);
    return error ? { ...event, error } : event;
  }

  /** The result of the run, once all of it is counted. */
  async endOf<T>(run: Pick<AgentRun<T>, "result">): Promise<RunResult<T>> {
    const result = await run.result;
    await this.#count(result);
    const error = result.status === "budget-exceeded" ? this.usedUp() : undefined;
    return error ? ({ ...result, error } as RunResult<T>) : result;
  }

  /** Adds a usage to the user's; usage that the store did not take is added the next time. */
  #count({ usage, costUsd }: Pick<EventOf<"usage">, "usage" | "costUsd">): Promise<void> {
    this.#adding = this.#adding.then(async () => {
      const before = this.#counted;
      const total = { tokens: usage.inputTokens + usage.outputTokens, costUsd: costUsd ?? before.costUsd };
      const used = { tokens: total.tokens - before.tokens, costUsd: total.costUsd - before.costUsd };
      if (used.tokens <= 0 && used.costUsd <= 0) return;
      this.#sum = await this.store.add(this.user, this.period, used);
      this.#counted = total;
    });
    this.#adding = this.#adding.catch(() => {});
    return this.#adding;
  }

  private usedUp(): HarnessError | undefined {
    const { most, period, user } = this;
    const { tokens, costUsd } = this.#sum;
    const isOver = (used: number, max: number | undefined) => max !== undefined && used >= max;
    const [limit, used, max] = isOver(tokens, most.maxTokens)
      ? ["maxTokens", tokens, most.maxTokens!]
      : ["maxCostUsd", costUsd, most.maxCostUsd ?? Number.POSITIVE_INFINITY];
    if (used < max) return undefined;
    const resetsAt = new Date(period.until).toISOString();
    const what = limit === "maxTokens" ? `${max} tokens` : `$${max}`;
    return new RunError("USAGE_LIMIT", {
      message: `The limit of ${what} is used up. It is full again at ${resetsAt}.`,
      details: { user, limit, used, max, resetsAt },
      retryable: true,
    });
  }
}

function least(own: number | undefined, ofUser: number | undefined, used: number): number | undefined {
  return ofUser === undefined ? own : Math.min(own ?? Number.POSITIVE_INFINITY, ofUser - used);
}
