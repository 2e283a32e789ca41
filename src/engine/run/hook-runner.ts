import { ConfigurationError } from "../../contracts/errors.js";
import {
  HOOK_POINTS,
  type Hook,
  type HookDispatcher,
  type HookInput,
  type HookMap,
  type HookOutcome,
  type HookPoint,
  type HookResult,
} from "../../contracts/hook.js";
import { ANYTHING, checkOptions, type OptionTable } from "../../json/check-options.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { splitHeadAndTail } from "../../text/head-and-tail.js";
import { nearestNames } from "../../text/nearest-names.js";
import { followSignal } from "../../time/follow-signal.js";

const DEFAULT_HOOK_TIMEOUT_MS = 60_000;
/** Points that guard something: there, a broken hook blocks unless it says otherwise. */
const GUARDING: ReadonlySet<HookPoint> = new Set(["PreToolUse", "PermissionRequest", "UserPromptSubmit"]);
/** Points whose hooks decide: about a call, or instead of the host that is asked. */
const DECIDING: ReadonlySet<HookPoint> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "Elicitation",
  "ElicitationResult",
]);
/** What a hook may say about a call; the higher number wins. */
export const PERMISSIONS = { allow: 1, defer: 2, ask: 3, deny: 4 } as const;

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
    const results = await Promise.all(matching.map(({ hook }) => runOne(hook, input as HookInput, options)));
    return combine(input.hookEventName, results);
  }
}

type HookRunOptions = Parameters<HookDispatcher["run"]>[1];

interface HookReturn {
  readonly result: HookResult;
  readonly failure?: string;
}

async function runOne(hook: Hook, input: HookInput, { signal, leftBehind }: HookRunOptions): Promise<HookReturn> {
  const timeoutMs = hook.timeoutMs ?? DEFAULT_HOOK_TIMEOUT_MS;
  const controller = new AbortController();
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`did not finish within ${timeoutMs} ms`)), timeoutMs);
    const leaveSignal = followSignal(signal, () => reject(new Error("was given up because the run ended")));
    stop = () => {
      clearTimeout(timer);
      leaveSignal();
    };
  });
  const called = (async () => hook.run(input, { signal: controller.signal }))();
  try {
    const result = await Promise.race([called, stopped]);
    const problem = describeProblem(result);
    return problem ? failed(hook, input, `returned ${problem}`) : { result: result ?? {} };
  } catch (error) {
    controller.abort(error);
    leftBehind?.(called);
    return failed(hook, input, describeThrown(error), causeForHost(error));
  } finally {
    stop();
  }
}

function causeForHost(thrown: unknown): string {
  try {
    return thrown instanceof Error && typeof thrown.cause === "string" ? thrown.cause : "";
  } catch {
    return ""; // A proxy whose traps throw.
  }
}

/** `forHost` is shown to the host only. */
function failed(hook: Hook, input: HookInput, why: string, forHost = ""): HookReturn {
  const onFailure = hook.onFailure ?? (GUARDING.has(input.hookEventName) ? "block" : "continue");
  const reason = `A ${input.hookEventName} hook failed: ${why}.`;
  const failure = forHost === "" ? reason : `${reason} ${forHost}`;
  if (onFailure === "continue") return { result: {}, failure };
  return { result: { decision: "block", reason, permissionDecision: "deny" }, failure };
}

/** What it means that a dispatcher itself failed: the same as if its one hook had. */
export function brokenHooks(input: HookInput, thrown: unknown): HookOutcome {
  return combine(input.hookEventName, [failed({ run: () => undefined }, input, describeThrown(thrown))]);
}

const RESULT_FIELDS: { readonly [K in keyof HookResult]-?: (value: unknown) => boolean } = {
  continue: (value) => typeof value === "boolean",
  stopReason: isString,
  decision: (value) => value === "approve" || value === "block",
  reason: isString,
  systemMessage: isString,
  suppressOutput: (value) => typeof value === "boolean",
  permissionDecision: (value) => typeof value === "string" && Object.hasOwn(PERMISSIONS, value),
  permissionDecisionReason: isString,
  updatedInput: (value) => typeof value !== "function",
  updatedToolOutput: isString,
  additionalContext: isString,
  updatedPermissions: Array.isArray,
  worktreePath: isString,
};

export function isStrings(values: unknown): boolean {
  return Array.isArray(values) && values.every(isString);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function describeProblem(result: unknown): string | undefined {
  if (result === undefined) return undefined;
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    return `${result === null ? "null" : typeof result} where an object or nothing was expected`;
  }
  for (const [key, isRight] of Object.entries(RESULT_FIELDS)) {
    const value: unknown = Reflect.get(result, key);
    if (value !== undefined && !isRight(value)) return `a wrong "${key}" (${typeof value})`;
  }
  return undefined;
}

function combine(point: HookPoint, returns: readonly HookReturn[]): HookOutcome {
  const results = returns.map(({ result }) => result);
  const strongest = results.reduce<HookResult | undefined>(
    (best, result) => (rank(result) > rank(best) ? result : best),
    undefined,
  );
  const stopping = results.find((result) => result.continue === false);
  const blocking = results.find((result) => result.decision === "block");
  const last = <K extends keyof HookResult>(key: K) => results.findLast((result) => result[key] !== undefined)?.[key];
  return {
    continue: stopping === undefined,
    stopReason: stopping?.stopReason ?? stopping?.reason,
    permission: permissionOf(point, strongest),
    permissionReason: strongest?.permissionDecisionReason ?? strongest?.reason,
    blocked: blocking !== undefined,
    reason: blocking?.reason,
    updatedInput: last("updatedInput"),
    updatedToolOutput: last("updatedToolOutput"),
    additionalContext: results.flatMap(({ additionalContext }) =>
      additionalContext ? [shortened(additionalContext)] : [],
    ),
    systemMessages: results.flatMap(({ systemMessage }) => systemMessage || []),
    worktreePath: results.find(({ worktreePath }) => worktreePath !== undefined)?.worktreePath,
    updatedPermissions: results.flatMap(({ updatedPermissions }) => updatedPermissions ?? []),
    failures: returns.flatMap(({ failure }) => failure ?? []),
  };
}

/** What hooks add to the transcript stays there: longer texts lose their middle. Unit: characters. */
const MAX_CONTEXT_CHARS = 100_000;

export function shortened(context: string): string {
  if (context.length <= MAX_CONTEXT_CHARS) return context;
  const { head, tail, omittedChars } = splitHeadAndTail(context, MAX_CONTEXT_CHARS * 0.75, MAX_CONTEXT_CHARS * 0.25);
  return `${head}\n\n[… ${omittedChars} characters of a hook's context left out]\n\n${tail}`;
}

/** `decision` is the older spelling of `permissionDecision`: block denies, approve allows. */
function effectivePermission(result: HookResult | undefined): keyof typeof PERMISSIONS | undefined {
  if (result?.decision === "block") return "deny";
  return result?.permissionDecision ?? (result?.decision === "approve" ? "allow" : undefined);
}

function rank(result: HookResult | undefined): number {
  const permission = effectivePermission(result);
  return permission ? PERMISSIONS[permission] : 0;
}

function permissionOf(point: HookPoint, result: HookResult | undefined): HookOutcome["permission"] {
  if (!DECIDING.has(point)) return undefined;
  return effectivePermission(result);
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
