// The hooks of one point: each is run, what it returns is checked, and the results are combined into one outcome.

import type { Hook, HookDispatcher, HookInput, HookOutcome, HookPoint, HookResult } from "../../../contracts/hook.js";
import { clip } from "../../../text/cut.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import { splitHeadAndTail } from "../../../text/head-and-tail.js";
import { followSignal } from "../../../time/follow-signal.js";
import { DEFAULT_HOOK_TIMEOUT_MS } from "../../tools/tool-defaults.js";

/** Options of `HookDispatcher.run()`. */
export type HookRunOptions = Parameters<HookDispatcher["run"]>[1];

/** Points that guard something: there, a broken hook blocks unless it says otherwise. */
const GUARDING: ReadonlySet<HookPoint> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "UserPromptExpansion",
  "UserPromptSubmit",
  "PreSkillShellCommand",
]);
/** Whether a broken hook of this point blocks unless it says otherwise. */
export function isGuarding(point: HookPoint): boolean {
  return GUARDING.has(point);
}

/** Points whose hooks decide: about a call, or instead of the host that is asked. */
const DECIDING: ReadonlySet<HookPoint> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "Elicitation",
  "ElicitationResult",
]);
/** A name that is not known is shown, so it has an end. */
const MAX_NAME_CHARS = 40;
/** The answers of a hook about a call; the higher number wins. */
const PERMISSIONS = { allow: 1, defer: 2, ask: 3, deny: 4 } as const;

interface HookReturn {
  readonly result: HookResult;
  readonly failure?: string;
}

/** The joint answer of a point's hooks. Never rejects. */
export async function runHooks(
  hooks: readonly Hook[],
  input: HookInput,
  options: HookRunOptions,
): Promise<HookOutcome> {
  const returns = await Promise.all(hooks.map((hook) => runOne(hook, input, options)));
  return combine(input.hookEventName, returns);
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
    const kept: HookResult = result === undefined ? {} : result;
    const problem = describeProblem(kept);
    if (problem) return failed(hook, input, `returned ${problem}`);
    const unread = unreadIn(kept) ?? vainDecision(kept, input.hookEventName);
    return unread ? failed(hook, input, `returned ${unread}`, { kept }) : { result: kept };
  } catch (error) {
    controller.abort(error);
    leftBehind?.(called);
    return failed(hook, input, describeThrown(error), { forHost: causeForHost(error), own: ownPolicy(error) });
  } finally {
    stop();
  }
}

/** A failure may know better than its hook what it means. */
function ownPolicy(thrown: unknown): Hook["onFailure"] {
  try {
    const { onFailure } = (thrown instanceof Error ? thrown : {}) as Pick<Hook, "onFailure">;
    return onFailure === "block" || onFailure === "continue" ? onFailure : undefined;
  } catch {
    return undefined; // A proxy whose traps throw.
  }
}

function causeForHost(thrown: unknown): string {
  try {
    return thrown instanceof Error && typeof thrown.cause === "string" ? thrown.cause : "";
  } catch {
    return ""; // A proxy whose traps throw.
  }
}

/** `forHost` is shown to the host only, and `kept` is what counts where the failure does not block. */
function failed(
  hook: Hook,
  input: HookInput,
  why: string,
  { forHost = "", own, kept = {} }: { forHost?: string; own?: Hook["onFailure"]; kept?: HookResult } = {},
): HookReturn {
  const onFailure = own ?? hook.onFailure ?? (isGuarding(input.hookEventName) ? "block" : "continue");
  const reason = `A ${input.hookEventName} hook failed: ${why}.`;
  const failure = forHost === "" ? reason : `${reason} ${forHost}`;
  if (onFailure === "continue") return { result: kept, failure };
  return { result: { decision: "block", reason, permissionDecision: "deny" }, failure };
}

/** The outcome when a dispatcher itself failed: the same as if its one hook had. */
export function brokenHooks(input: HookInput, thrown: unknown): HookOutcome {
  return combine(input.hookEventName, [failed({ run: () => undefined }, input, describeThrown(thrown))]);
}

/** What each field of an answer may hold. */
type Fields<T> = { readonly [K in keyof T]-?: (value: unknown) => boolean };

const BOTH = {
  continue: isBoolean,
  stopReason: isString,
  reason: isString,
  updatedInput: (value: unknown) => typeof value !== "function",
  updatedToolOutput: isString,
  updatedPermissions: Array.isArray,
  worktreePath: isString,
  displayContent: isString,
};
const RESULT_FIELDS: Fields<HookResult> = {
  ...BOTH,
  decision: (value) => value === "approve" || value === "block",
  systemMessage: isString,
  suppressOutput: isBoolean,
  permissionDecision: isPermission,
  permissionDecisionReason: isString,
  additionalContext: isString,
};
const OUTCOME_FIELDS: Fields<HookOutcome> = {
  ...BOTH,
  permission: isPermission,
  permissionReason: isString,
  blocked: isBoolean,
  additionalContext: isStrings,
  systemMessages: isStrings,
  failures: isStrings,
};

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isPermission(value: unknown): boolean {
  return isString(value) && Object.hasOwn(PERMISSIONS, value as string);
}

function isStrings(values: unknown): boolean {
  return Array.isArray(values) && values.every(isString);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function describeProblem(given: unknown, fields: object = RESULT_FIELDS): string | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return `${given === null ? "null" : typeof given} where an object or nothing was expected`;
  }
  for (const [key, isRight] of Object.entries(fields)) {
    const value: unknown = Reflect.get(given, key);
    if (value !== undefined && !isRight(value)) return `a wrong "${key}" (${typeof value})`;
  }
  return undefined;
}

/** A field that nobody reads: it may have been meant as a no. */
function unreadIn(given: object, fields: object = RESULT_FIELDS): string | undefined {
  const isRead = (key: string) => Object.hasOwn(fields, key) || Reflect.get(given, key) === undefined;
  const name = Object.keys(given).find((key) => !isRead(key));
  return name === undefined ? undefined : `${JSON.stringify(clip(name, MAX_NAME_CHARS))}, which nobody reads`;
}

function vainDecision({ permissionDecision = "allow" }: HookResult, point: HookPoint): string | undefined {
  if (permissionDecision === "allow" || DECIDING.has(point)) return undefined;
  return '"permissionDecision", which decides nothing there';
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
    displayContent: last("displayContent"),
    updatedPermissions: results.flatMap(({ updatedPermissions }) => updatedPermissions ?? []),
    failures: returns.flatMap(({ failure }) => failure ?? []),
  };
}

/** The most text of hooks in the transcript, where it stays: longer texts lose their middle. Unit: characters. */
const MAX_CONTEXT_CHARS = 100_000;

function shortened(context: string): string {
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

/** The return value of a host's dispatcher, if it can be relied on. A missing field counts as not said. */
export function readOutcome(outcome: unknown, point: HookPoint): HookOutcome {
  const problem = describeProblem(outcome, OUTCOME_FIELDS);
  const given = Object(outcome) as Partial<HookOutcome>;
  const unread = unreadIn(given, OUTCOME_FIELDS);
  const why = `the hook dispatcher returned ${problem ?? unread}`;
  if (problem || (unread && isGuarding(point))) throw new TypeError(why);
  const { additionalContext = [], systemMessages = [], updatedPermissions = [], failures = [] } = given;
  const said = unread ? [...failures, `At ${point} ${why}.`] : failures;
  const lists = { additionalContext: additionalContext.map(shortened), systemMessages, updatedPermissions };
  return { ...given, ...lists, failures: said, continue: given.continue !== false, blocked: given.blocked === true };
}
