/** A lesson of one refusal: the words that identify it, and the change it calls for. No change where it has been made already. */
export type Lesson<Capabilities> = readonly [
  said: RegExp,
  change: (now: Capabilities, said: string) => Partial<Capabilities> | false | undefined,
];

/**
 * The capabilities after a refusal in these words, in lower case; `null` when no lesson is about it. The first lesson
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
