import type { RunState } from "../run/run-state.js";

/** The settings of engines whose hosts have been told. */
const TOLD = new WeakSet<object>();

/** Tells the host, once for each engine, that the provider knows nothing of the model. */
export function tellUnknown(run: RunState): void {
  const { unknown = "", id, model } = run.provider;
  if (TOLD.has(run.config)) return;
  TOLD.add(run.config);
  run.notice("MODEL_UNKNOWN", unknown, { provider: id, model });
}
