import type { Hook, HookDispatcher, HookMap, HookPoint } from "../contracts/hook.js";

/** The hooks of settings, then the host's. A dispatcher of the host's own takes the place of both. */
export function mergedHooks(
  settings: HookMap | undefined,
  own: HookMap | HookDispatcher | undefined,
): HookMap | HookDispatcher | undefined {
  if (!settings || !own) return own ?? settings;
  if (isDispatcher(own)) return own;
  const merged: { [P in HookPoint]?: Hook[] } = {};
  for (const hooks of [settings, own]) {
    for (const [point, list] of Object.entries(hooks) as [HookPoint, readonly Hook[]][]) {
      merged[point] = [...(merged[point] ?? []), ...list];
    }
  }
  return merged as HookMap;
}

function isDispatcher(hooks: HookMap | HookDispatcher): hooks is HookDispatcher {
  return typeof Reflect.get(hooks, "run") === "function";
}
