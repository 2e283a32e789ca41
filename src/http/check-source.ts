import { optionError } from "../json/check-options.js";

/** @throws ConfigurationError `OPTION_INVALID` unless it can be iterated as a run */
export function checkSource(owner: string, run: unknown): void {
  const isObject = typeof run === "object" && run !== null;
  if (isObject && typeof Reflect.get(run, Symbol.asyncIterator) === "function") return;
  throw optionError(owner, "run", run, "a run, as engine.stream() or a RunHub returns it");
}
