// Hooks of things that happen between runs: a session ends, a team's member has nothing to do.
import type { HookInput, HookOutcome, HookPayloads, HookPoint } from "../../contracts/hook.js";
import type { EngineConfig } from "../options/options.js";

/**
 * Runs the hooks of a point that belongs to no run. Resolves with their outcome; `null` when it has no hooks or they did
 * not end in time: what has happened has happened, whatever its hooks do. Never rejects.
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve(null);
    }, limits.abandonMs);
  });
  const { signal } = controller;
  const firing = (async () => hooks.run(input, { signal, ...(matchValue !== undefined && { matchValue }) }))();
  return Promise.race([firing.catch(() => null), isOver]).finally(() => clearTimeout(timer));
}
