import { ProviderError } from "../../contracts/errors.js";

/** The features of one model: guessed from its name, corrected by its refusals. */
export interface ModelFeatures {
  /** The form in which thinking is asked for. */
  readonly thinking: "level" | "budget" | "none";
  /** Least level, for models that cannot stop thinking: Flash goes lower than Pro. */
  readonly minLevel: "minimal" | "low";
  /** Least budget, for models that cannot stop thinking. Unit: tokens. */
  readonly minBudget: number;
  /** Whether calls that another model wrote need a stand-in for their signature. */
  readonly needsSignatures: boolean;
  /** Whether a structured answer may be asked for beside tools. */
  readonly structuredWithTools: boolean;
  /** Whether a structured answer may be asked for by its schema at all. */
  readonly structured: boolean;
  /** Whether the system prompt has a place of its own: with Gemma it stands before what the user says. */
  readonly system: boolean;
}

/** Gemini by its version; models that are not named after it know nothing special. */
export function initialModelFeatures(model: string): ModelFeatures {
  const name = model.toLowerCase();
  const version = Number(/gemini-(\d+(?:\.\d+)?)/.exec(name)?.[1] ?? (/gemini-.*latest/.test(name) ? 3 : 0));
  const thinks = version >= 2.5 && !/image|tts|embedding|live/.test(name);
  return {
    thinking: !thinks ? "none" : version >= 3 ? "level" : "budget",
    minLevel: /flash/.test(name) ? "minimal" : "low",
    minBudget: /pro/.test(name) ? 128 : 0,
    needsSignatures: version >= 3,
    structuredWithTools: version >= 3,
    structured: true,
    system: true,
  };
}

/**
 * The features after a refusal; `null` when it is not about one of them. Each is given up once at
 * most, so that asking again ends.
 */
export function learnModelFeatures(error: unknown, features: ModelFeatures): ModelFeatures | null {
  if (!(error instanceof ProviderError) || error.code !== "BAD_REQUEST") return null;
  const said = error.message.toLowerCase();
  if (features.system && /(?:developer|system) ?_?instruction\b.{0,40}not (?:enabled|supported)/.test(said)) {
    return { ...features, system: false };
  }
  if (!features.needsSignatures && /thought_?signature/.test(said)) return { ...features, needsSignatures: true };
  if (/thinking/.test(said)) {
    if (features.minLevel === "minimal" && /\bminimal\b/.test(said)) return { ...features, minLevel: "low" };
    if (features.thinking === "level" && /level/.test(said)) return { ...features, thinking: "budget" };
    return features.thinking === "none" ? null : { ...features, thinking: "none" };
  }
  if (!/mime_? ?type|json mode|response_?schema|controlled generation/.test(said)) return null;
  if (features.structuredWithTools && /function call|tool/.test(said))
    return { ...features, structuredWithTools: false };
  return features.structured ? { ...features, structured: false } : null;
}
