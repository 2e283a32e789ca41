// Serves: OpenAI, its Codex backend, xAI and gateways that speak the responses API.
import type { Lesson } from "../../shared/lessons.js";
import type { ModelName } from "../../shared/models/known-models.js";
import { leastEffortOf, type OpenAIEffort, reasons } from "../efforts.js";
import type { OpenAICompat } from "../options.js";
import { LEAST_EFFORT, REFUSED, TEMPERATURE } from "../shared-lessons.js";

/** The capabilities of one server: the `compat` switches with the defaults filled in, corrected by its refusals. */
export interface ResponsesCapabilities {
  readonly summary: "auto" | "concise" | "detailed" | "none";
  /** Whether it can be said how much to reason. */
  readonly effort: boolean;
  readonly leastEffort: OpenAIEffort;
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

/** The switches as given, and sensible defaults for the others. */
export function initialResponsesCapabilities(
  name: ModelName,
  compat: OpenAICompat,
  isOpenAI: boolean,
): ResponsesCapabilities {
  const isReasoning = reasons(name.model);
  return {
    summary: compat.reasoningSummary ?? (isReasoning ? "auto" : "none"),
    effort: true,
    leastEffort: leastEffortOf(name),
    encryptedReasoning: isReasoning && compat.reasoningField !== "none",
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

/** The lessons of refusals by OpenAI and by servers that speak its newer API. */
export const RESPONSES_LESSONS: readonly Lesson<ResponsesCapabilities>[] = [
  // Reasoning that went back encrypted, or the server's own work around it.
  [
    /encrypted[_ ]content|reasoning\.encrypted|\binclude\b|required (?:following|'?reasoning'?) item|(?:search|interpreter|generation|mcp|shell)[_ ]call|\bprogram\b|\bcompaction\b/,
    (now) => now.encryptedReasoning && { encryptedReasoning: false },
  ],
  [/max_output_tokens/, (now, said) => now.outputLimit && REFUSED.test(said) && { outputLimit: false }],
  TEMPERATURE,
  LEAST_EFFORT,
  [/text\.format|json_schema|response_format/, (now) => now.jsonSchema === true && { jsonSchema: false }],
  [/tool[_ ]?choice/, (now) => now.toolChoice && { toolChoice: false }],
  [/summary|\breasoning\b/, (now) => now.summary !== "none" && { summary: "none" }],
  [/\breasoning\b/, (now) => now.effort && { effort: false }],
];
