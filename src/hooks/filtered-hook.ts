import { ConfigurationError } from "../contracts/errors.js";
import type { Hook, HookInput, HookPoint, HookResult } from "../contracts/hook.js";
import { isGuarding } from "../engine/run/hooks/combine-hooks.js";
import { FUNCTION, numberFrom, type OptionTable, oneOf, TEXT } from "../json/check-options.js";
import type { HookAnswer } from "./answer-fields.js";
import { UnreadableAnswer } from "./hook-output.js";
import { createMatcher, matchValuesOf } from "./matcher.js";

/** Options of every hook of this module: the events it is asked about, and the meaning of its failure. */
export interface FilteredHookOptions {
  /** As in `Hook`, with Claude Code's names of tools beside ours. */
  readonly matcher?: string | undefined;
  /** Unit: milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The meaning of a failure of the hook. */
  readonly onFailure?: "block" | "continue" | undefined;
  /** Asked before the hook is; `false` leaves it out. */
  readonly appliesTo?: ((input: HookInput) => boolean) | undefined;
}

export const FILTER_OPTIONS = {
  matcher: TEXT,
  timeoutMs: numberFrom(1, "milliseconds", undefined, true),
  onFailure: oneOf("block", "continue"),
  appliesTo: FUNCTION,
} satisfies OptionTable<FilteredHookOptions>;

/**
 * A hook that asks about the events its options let through.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a matcher that is neither a list of names nor a regular expression
 */
export function filteredHook<P extends HookPoint>(
  options: FilteredHookOptions,
  { timeoutMs, onFailure }: Pick<Hook, "timeoutMs" | "onFailure">,
  ask: (input: HookInput, signal: AbortSignal) => Promise<HookAnswer> | undefined,
): Hook<P> {
  const matches = checkedMatcher(options.matcher);
  const told = new Set<string>();
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onFailure && { onFailure }),
    run(given, { signal }) {
      const input = given as HookInput;
      if (!matches(matchValuesOf(input)) || options.appliesTo?.(input) === false) return undefined;
      const answer = ask(input, signal);
      return answer
        ?.then((given) => withReport(given, input.hookEventName, told))
        .catch((error: unknown) => {
          if (!(error instanceof UnreadableAnswer) || options.onFailure !== undefined) throw error;
          throw Object.assign(error, { onFailure: isGuarding(input.hookEventName) ? "block" : "continue" });
        });
    },
  };
}

/** The host is told once of each field that a hook counts on in vain. */
function withReport({ unread = [], ...result }: HookAnswer, point: HookPoint, told: Set<string>): HookResult {
  const fresh = unread.filter((field) => !told.has(`${point} ${field}`));
  if (fresh.length === 0) return result;
  for (const field of fresh) told.add(`${point} ${field}`);
  const report = `A ${point} hook answered with ${fresh.join(", ")}, which has no effect there.`;
  return { ...result, systemMessage: result.systemMessage ? `${result.systemMessage}\n${report}` : report };
}

function checkedMatcher(matcher: string | undefined): ReturnType<typeof createMatcher> {
  try {
    return createMatcher(matcher);
  } catch (cause) {
    const message = `The matcher "${matcher}" is neither a list of names nor a regular expression.`;
    throw new ConfigurationError("OPTION_INVALID", { message, cause });
  }
}
