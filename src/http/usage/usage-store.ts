import type { UsagePeriod, UsageStore, UsageSum } from "../../contracts/usage.js";

/**
 * Counts usage in this process, for as long as it lives. Sums of periods that are over are forgotten as newer ones are begun.
 *
 * @example
 * const hub = createRunHub({ engine, usage: { store: createUsageStore(), limits: { maxTokens: 1_000_000 } } });
 */
export function createUsageStore(): UsageStore {
  const sums = new Map<string, UsageSum & { readonly until: number }>();
  const read = (key: string): UsageSum => {
    const { tokens = 0, costUsd = 0 } = sums.get(key) ?? {};
    return { tokens, costUsd };
  };
  return {
    async add(user, period, used) {
      const key = keyOf(user, period);
      if (!sums.has(key)) for (const [old, { until }] of sums) if (until <= period.from) sums.delete(old);
      const before = read(key);
      const sum = { tokens: before.tokens + used.tokens, costUsd: before.costUsd + used.costUsd };
      sums.set(key, { ...sum, until: period.until });
      return sum;
    },
    read: async (user, period) => read(keyOf(user, period)),
  };
}

function keyOf(user: string, { from, until }: UsagePeriod): string {
  return `${from} ${until} ${user}`;
}
