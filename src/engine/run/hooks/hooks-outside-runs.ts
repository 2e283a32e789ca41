// Hooks of things that happen between runs: a session ends, a team's member has nothing to do.
import type { HookInput, HookOutcome, HookPayloads, HookPoint } from "../../../contracts/hook.js";
import { settlesWithin } from "../../../time/settles-within.js";
import type { EngineConfig } from "../../options/options.js";
import { brokenHooks, isGuarding } from "./combine-hooks.js";

/**
 * Runs the hooks of a point that belongs to no run. Resolves with their outcome; `null` when it has no hooks or they did
 * not end in time: what has happened has happened, whatever its hooks do. Those that guard something have their own time.
 * Never rejects.
 */
export async function fireOutsideRuns<P extends HookPoint>(
  { hooks, limits }: EngineConfig,
  point: P,
  sessionId: string,
  payload: HookPayloads[P],
  matchValue?: string,
): Promise<HookOutcome | null> {
  if (!hooks?.has(point)) return null;
  const base = { hookEventName: point, sessionId, runId: "", agentPath: [] };
  const input = { ...base, ...payload } as unknown as HookInput<P>;
  const controller = new AbortController();
  const { signal } = controller;
  const firing = (async () => hooks.run(input, { signal, ...(matchValue !== undefined && { matchValue }) }))();
  if (isGuarding(point)) return firing.catch((error) => brokenHooks(input as HookInput, error));
  if (await settlesWithin(firing, limits.abandonMs)) return firing.catch(() => null);
  controller.abort();
  return null;
}
