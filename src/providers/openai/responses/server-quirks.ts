import { ProviderError } from "../../../contracts/errors.js";
import { type LeastEffort, leastEffortIn } from "../least-effort.js";
import type { OpenAICompat } from "../options.js";
import { isTemperatureRefused, REFUSED } from "../refused-field.js";

/** What one server takes: the `compat` switches with the defaults filled in, corrected by what it has refused. */
export interface ResponsesHabits {
  readonly summary: "auto" | "concise" | "detailed" | "none";
  /** Whether it can be said how much to reason. */
  readonly effort: boolean;
  readonly leastEffort: LeastEffort;
  /** Whether reasoning comes encrypted, and goes back. */
  readonly encryptedReasoning: boolean;
  readonly promptCacheKey: boolean;
  readonly jsonSchema: boolean | "object";
  readonly strictSchema: boolean;
  /** Whether a structured answer has to be an object. */
  readonly objectAnswers: boolean;
  readonly toolChoice: boolean;
  readonly parallelToolCalls: boolean | undefined;
  /** Whether `temperature` is understood: models that reason refuse it. */
  readonly temperature: boolean;
  /** Whether `max_output_tokens` is understood. */
  readonly outputLimit: boolean;
}

/** Models of OpenAI that do not reason refuse every word about it. */
const WITHOUT_REASONING = /^(?:gpt-4|gpt-3|chatgpt)/;

/** The switches as given, and sensible defaults for the others. */
export function initialResponsesHabits(compat: OpenAICompat, model: string, isOpenAI: boolean): ResponsesHabits {
  const reasons = !WITHOUT_REASONING.test(model);
  return {
    summary: compat.reasoningSummary ?? (reasons ? "auto" : "none"),
    effort: true,
    leastEffort: "none",
    encryptedReasoning: reasons && compat.reasoningField !== "none",
    promptCacheKey: compat.promptCacheKey ?? isOpenAI,
    jsonSchema: compat.jsonSchema ?? true,
    strictSchema: compat.strictSchema ?? false,
    objectAnswers: isOpenAI,
    toolChoice: compat.toolChoice ?? true,
    parallelToolCalls: compat.parallelToolCalls,
    temperature: true,
    outputLimit: true,
  };
}

/** What a refusal says of reasoning that went back encrypted, or of the server's own work around it. */
const ENCRYPTION =
  /encrypted[_ ]content|reasoning\.encrypted|\binclude\b|required (?:following|'?reasoning'?) item|(?:search|interpreter|generation|mcp|shell)[_ ]call|\bprogram\b/;

/**
 * What to do differently after a refusal; `null` when it is not about one of our habits.
 * A habit is given up once at most, so that asking again ends.
 */
export function learnResponsesHabits(error: unknown, habits: ResponsesHabits): ResponsesHabits | null {
  if (!(error instanceof ProviderError) || (error.code !== "BAD_REQUEST" && error.status !== 500)) return null;
  const said = error.message.toLowerCase();
  const vendorCode = (error.details as { vendorCode?: string } | undefined)?.vendorCode ?? "";
  const isEncryption = ENCRYPTION.test(`${said} ${vendorCode}`);
  if (habits.encryptedReasoning && isEncryption) return { ...habits, encryptedReasoning: false };
  if (habits.outputLimit && said.includes("max_output_tokens") && REFUSED.test(said)) {
    return { ...habits, outputLimit: false };
  }
  if (habits.temperature && isTemperatureRefused(said)) return { ...habits, temperature: false };
  const leastEffort = leastEffortIn(said);
  if (leastEffort && habits.leastEffort === "none") return { ...habits, leastEffort };
  if (habits.jsonSchema === true && /text\.format|json_schema|response_format/.test(said)) {
    return { ...habits, jsonSchema: false };
  }
  if (habits.toolChoice && /tool[_ ]?choice/.test(said)) return { ...habits, toolChoice: false };
  if (habits.summary !== "none" && /reasoning[._ ]summar|summary/.test(said)) return { ...habits, summary: "none" };
  if (habits.promptCacheKey && said.includes("prompt_cache_key")) return { ...habits, promptCacheKey: false };
  if (habits.summary !== "none" && /\breasoning\b/.test(said)) return { ...habits, summary: "none" };
  if (habits.effort && /\breasoning\b/.test(said)) return { ...habits, effort: false };
  return null;
}
