/**
 * Runs `work` with a time limit, and again with a longer one while what it gives is not enough: what has to happen within the
 * limit happens late on a busy machine. The last try counts whatever it gives.
 */
export async function withGrowingLimit<T>(
  firstMs: number,
  work: (limitMs: number) => Promise<T>,
  isEnough: (outcome: T) => boolean,
): Promise<T> {
  for (let limitMs = firstMs; ; limitMs *= 4) {
    const outcome = await work(limitMs);
    if (isEnough(outcome) || limitMs > 15_000) return outcome;
  }
}
