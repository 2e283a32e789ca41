import type { HookDispatcher, HookInput, HookPoint } from "../../../contracts/hook.js";
import { ignoreFailure } from "../../../time/is-promise.js";
import { readOutcome } from "./combine-hooks.js";

/** A dispatcher of the host's own, whose results can be relied on: what is not an outcome is thrown as an error. */
export function checkedDispatcher(dispatcher: HookDispatcher): HookDispatcher {
  return {
    has: (point: HookPoint) => mayHave(dispatcher, point),
    async run<P extends HookPoint>(input: HookInput<P>, options: Parameters<HookDispatcher["run"]>[1]) {
      const outcome: unknown = await dispatcher.run(input, options);
      return readOutcome(outcome, input.hookEventName);
    },
  };
}

/** When that is not known, `run` is asked, and reports what is wrong. */
function mayHave(dispatcher: HookDispatcher, point: HookPoint): boolean {
  try {
    const has: unknown = dispatcher.has(point);
    ignoreFailure(has);
    return Boolean(has);
  } catch {
    return true;
  }
}
