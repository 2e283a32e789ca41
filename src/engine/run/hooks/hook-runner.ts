import { ConfigurationError } from "../../../contracts/errors.js";
import {
  HOOK_POINTS,
  type Hook,
  type HookDispatcher,
  type HookInput,
  type HookMap,
  type HookOutcome,
  type HookPoint,
} from "../../../contracts/hook.js";
import { ANYTHING, checkOptions, type OptionTable } from "../../../json/check-options.js";
import { nearestNames } from "../../../text/nearest-names.js";
import { type HookRunOptions, runHooks } from "./combine-hooks.js";

interface Registered {
  readonly hook: Hook;
  readonly matches: (value: string) => boolean;
}

/**
 * Runs the hooks of one point together and combines their results.
 *
 * Any deny (or block) beats ask beats defer beats allow; of several updates the last registered wins; contexts and
 * messages are kept in order of registration. A hook that throws, times out or returns something else counts as its
 * `onFailure` says.
 */
export class HookRunner implements HookDispatcher {
  readonly #hooks = new Map<HookPoint, readonly Registered[]>();

  /** @throws ConfigurationError `OPTION_INVALID` for an unknown point, a hook without `run`, a broken matcher */
  constructor(hooks: HookMap = {}) {
    for (const [point, list] of Object.entries(hooks)) {
      if (!HOOK_POINTS.includes(point as HookPoint)) {
        const [meant] = nearestNames(point, HOOK_POINTS, 1);
        const hint = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
        throw invalidHook(`hooks.${point}`, `is not a hook point${hint}; the points are ${HOOK_POINTS.join(", ")}`);
      }
      if (!Array.isArray(list)) throw invalidHook(`hooks.${point}`, "must be an array of hooks");
      const registered = list.map((hook: Hook, index) => register(hook, `hooks.${point}[${index}]`));
      if (registered.length > 0) this.#hooks.set(point as HookPoint, registered);
    }
  }

  /** Whether any hook is registered for the point. */
  has(point: HookPoint): boolean {
    return this.#hooks.has(point);
  }

  /** Never throws. Resolves when every matching hook has returned, failed or timed out, or `signal` has aborted. */
  async run<P extends HookPoint>(input: HookInput<P>, options: HookRunOptions): Promise<HookOutcome> {
    const matching = (this.#hooks.get(input.hookEventName) ?? []).filter(
      ({ matches }) => options.matchValue === undefined || matches(options.matchValue),
    );
    const hooks = matching.map(({ hook }) => hook);
    return runHooks(hooks, input as HookInput, options);
  }
}

/** Names alone: the values are checked below, also those of an instance of a class. */
const HOOK_TABLE = {
  matcher: ANYTHING,
  timeoutMs: ANYTHING,
  onFailure: ANYTHING,
  run: ANYTHING,
} satisfies OptionTable<Hook>;

function register(hook: Hook, where: string): Registered {
  if (typeof hook !== "object" || hook === null || typeof hook.run !== "function") {
    throw invalidHook(where, "must be an object with a `run` function");
  }
  // A class may keep more than that in its hooks; in a plain object it is a slip, as a limit that never counts.
  if (Object.getPrototypeOf(hook) === Object.prototype)
    checkOptions("HookRunner", hook, HOOK_TABLE, { prefix: `${where}.` });
  const { timeoutMs, onFailure } = hook;
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw invalidHook(`${where}.timeoutMs`, `is ${String(timeoutMs)}; expected milliseconds above 0 and below 2^31`);
  }
  if (onFailure !== undefined && onFailure !== "block" && onFailure !== "continue") {
    throw invalidHook(`${where}.onFailure`, `is "${String(onFailure)}"; expected "block" or "continue"`);
  }
  return { hook, matches: matcherFor(hook.matcher, where) };
}

/** Absent, `""` and `*` match all; words joined by `|` match exactly; anything else is a regular expression. */
function matcherFor(matcher: string | undefined, where: string): (value: string) => boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return () => true;
  if (typeof matcher !== "string") throw invalidHook(`${where}.matcher`, "must be a string");
  if (/^[\w-]+(\s*\|\s*[\w-]+)*$/.test(matcher)) {
    const names = new Set(matcher.split("|").map((name) => name.trim()));
    return (value) => names.has(value);
  }
  try {
    const pattern = new RegExp(matcher);
    return (value) => pattern.test(value);
  } catch (cause) {
    throw invalidHook(`${where}.matcher`, `"${matcher}" is neither a list of names nor a regular expression`, cause);
  }
}

function invalidHook(where: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", { message: `Option "${where}" ${problem}.`, cause });
}
