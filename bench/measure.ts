// Medians of interleaved rounds: what disturbs the machine disturbs every contender alike.

/** One contender: runs the work once. */
export type Contender = () => Promise<unknown> | unknown;

/** What passes: time on the wall, or the time this process kept the processors busy (all threads). */
export type Clock = "wall" | "cpu";

export interface Plan {
  readonly rounds: number;
  /** Rounds before those that count. */
  readonly warmups: number;
  /** `cpu` where the work is computation: other programs on the machine then hardly matter. Default: `cpu`. */
  readonly clock?: Clock;
}

/** Runs every contender in turn, `rounds` times. Answers the median of each, in milliseconds. */
export async function interleave<K extends string>(
  contenders: { readonly [name in K]: Contender },
  { rounds, warmups, clock = "cpu" }: Plan,
): Promise<{ readonly [name in K]: number }> {
  const names = Object.keys(contenders) as K[];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = -warmups; round < rounds; round++) {
    for (const name of names) {
      const startedAt = now(clock);
      await contenders[name]();
      if (round >= 0) times.get(name)!.push(now(clock) - startedAt);
    }
  }
  const medians = names.map((name) => [name, median(times.get(name)!)]);
  return Object.fromEntries(medians) as { [name in K]: number };
}

/** Milliseconds on the clock. */
export function now(clock: Clock): number {
  if (clock === "wall") return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[upper]!;
  return (sorted[upper - 1]! + sorted[upper]!) / 2;
}

/** The exponent of `y = a · x^b` that fits best: 1 is linear growth. */
export function growthExponent(points: readonly { readonly x: number; readonly y: number }[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length;
  const covariance = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}
