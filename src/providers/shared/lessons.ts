import { ProviderError } from "../../contracts/errors.js";
import type { Fields } from "../../json/is-object.js";

/** A lesson of one refusal: the words that identify it, and the change it calls for, which may go by the body that was refused. No change where it has been made already. */
export type Lesson<Capabilities> = readonly [
  said: RegExp,
  change: (now: Capabilities, said: string, body: Fields) => Partial<Capabilities> | false | undefined,
];

/**
 * The capabilities after a failure; `null` when it is not a refusal, or no lesson is about it. The first lesson counts. Each
 * is learned once at most, so that asking again ends. Gateways refuse with 500 as well.
 */
export function learned<Capabilities>(
  lessons: readonly Lesson<Capabilities>[],
  now: Capabilities,
  error: unknown,
  body: object,
): Capabilities | null {
  if (!(error instanceof ProviderError) || (error.code !== "BAD_REQUEST" && error.status !== 500)) return null;
  const { vendorCode = "" } = (error.details ?? {}) as { vendorCode?: string };
  const said = `${error.message} ${vendorCode}`.toLowerCase();
  for (const [words, change] of lessons) {
    const changed = words.test(said) && change(now, said, body as Fields);
    if (changed) return { ...now, ...changed };
  }
  return null;
}
