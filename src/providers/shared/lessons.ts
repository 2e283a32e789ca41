/** What one refusal teaches: by which words it is known, and what to do differently. Nothing where that is done already. */
export type Lesson<Capabilities> = readonly [
  said: RegExp,
  change: (now: Capabilities, said: string) => Partial<Capabilities> | false | undefined,
];

/**
 * What to do differently after a refusal in these words, in lower case; `null` when no lesson is about it. The first one
 * counts. Each is learned once at most, so that asking again ends.
 */
export function learned<Capabilities>(
  lessons: readonly Lesson<Capabilities>[],
  now: Capabilities,
  said: string,
): Capabilities | null {
  for (const [words, change] of lessons) {
    const changed = words.test(said) && change(now, said);
    if (changed) return { ...now, ...changed };
  }
  return null;
}
