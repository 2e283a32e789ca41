// Medians of interleaved rounds: what disturbs the machine disturbs every contender alike.

/** One contender: runs the work once. */
export type Contender = () => Promise<unknown> | unknown;

export interface Sample {
  /** Milliseconds, one for each counted round. */
  readonly times: readonly number[];
  readonly median: number;
}

/** Runs every contender in turn, `rounds` times, after `warmups` rounds that do not count. */
export async function interleave<K extends string>(
  contenders: { readonly [name in K]: Contender },
  { rounds, warmups }: { readonly rounds: number; readonly warmups: number },
): Promise<{ readonly [name in K]: Sample }> {
  const names = Object.keys(contenders) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as { [name in K]: number[] };
  for (let round = -warmups; round < rounds; round++) {
    for (const name of names) {
      globalThis.gc?.();
      const startedAt = performance.now();
      await contenders[name]();
      if (round >= 0) times[name].push(performance.now() - startedAt);
    }
  }
  const samples = names.map((name) => [name, { times: times[name], median: median(times[name]) }]);
  return Object.fromEntries(samples) as { [name in K]: Sample };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
