import type { HookDispatcher, HookInput, HookOutcome, HookPoint } from "../../contracts/hook.js";
import { ignoreFailure } from "../../time/is-promise.js";
import { isStrings, PERMISSIONS, shortened } from "./hook-runner.js";

/** A dispatcher of the host's own, whose results can be relied on: what is not an outcome is thrown as an error. */
export function checkedDispatcher(dispatcher: HookDispatcher): HookDispatcher {
  return {
    has: (point: HookPoint) => mayHave(dispatcher, point),
    async run<P extends HookPoint>(input: HookInput<P>, options: Parameters<HookDispatcher["run"]>[1]) {
      return readOutcome(await dispatcher.run(input, options));
    },
  };
}

/** Where that is not known, `run` is asked, and reports what is wrong. */
function mayHave(dispatcher: HookDispatcher, point: HookPoint): boolean {
  try {
    const has: unknown = dispatcher.has(point);
    ignoreFailure(has);
    return Boolean(has);
  } catch {
    return true;
  }
}

/** What is left out counts as not said. */
function readOutcome(outcome: unknown): HookOutcome {
  if (typeof outcome !== "object" || outcome === null || Array.isArray(outcome)) {
    throw new TypeError("the hook dispatcher did not return an outcome object");
  }
  const given = outcome as Partial<HookOutcome>;
  const { additionalContext = [], systemMessages = [], updatedPermissions = [], failures = [] } = given;
  const { permission } = given;
  if (permission !== undefined && !Object.hasOwn(PERMISSIONS, permission)) {
    throw new TypeError('the hook dispatcher returned a wrong "permission"');
  }
  if (![additionalContext, systemMessages, failures].every(isStrings) || !Array.isArray(updatedPermissions)) {
    throw new TypeError("the hook dispatcher returned lists of the wrong kind");
  }
  for (const name of ["reason", "stopReason", "permissionReason", "updatedToolOutput", "worktreePath"] as const) {
    const value: unknown = given[name];
    if (value !== undefined && typeof value !== "string") {
      throw new TypeError(`the hook dispatcher returned a wrong "${name}" (${typeof value})`);
    }
  }
  const lists = { additionalContext: additionalContext.map(shortened), systemMessages, updatedPermissions, failures };
  return { ...given, ...lists, continue: given.continue !== false, blocked: given.blocked === true };
}
