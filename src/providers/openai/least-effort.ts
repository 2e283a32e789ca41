import type { ReasoningEffort } from "../../contracts/provider.js";

/** The word for "none", for models that cannot stop thinking. */
export type LeastEffort = "none" | "minimal" | "low";

/** The effort in the words of a model. */
export function wordedEffort(effort: ReasoningEffort, least: LeastEffort): string {
  return effort === "none" ? least : effort;
}

/** The least effort that the model takes according to a refusal; `undefined` when it is not about that. */
function leastEffortIn(said: string): LeastEffort | undefined {
  // Some are refused beside tools until they are asked for "none": that is not about the least.
  const isAboutNone = /(?<!\bto )['"`]none['"`]/.test(said) && /supported values|effort/.test(said);
  if (!isAboutNone && !MANDATORY.test(said)) return undefined;
  return /['"`]minimal['"`]/.test(said) ? "minimal" : "low";
}

const MANDATORY = /\b(?:reasoning|thinking)\b.{0,40}(?:is mandatory|cannot be (?:disabled|turned off))/;

/** The lesson of a refusal that says so. */
export function leastEffortLesson({ leastEffort }: { readonly leastEffort: LeastEffort }, said: string) {
  const least = leastEffort === "none" && leastEffortIn(said);
  return least ? { leastEffort: least } : undefined;
}
