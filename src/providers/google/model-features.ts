// Serves: the Gemini API and Vertex AI.
import type { Lesson } from "../shared/lessons.js";
import { findListedModel } from "../shared/models/known-models.js";

/** The features of one model: the list's, guessed from its name where it is not listed, corrected by its refusals. */
export interface ModelFeatures {
  /** The form in which thinking is asked for. */
  readonly thinking: "level" | "budget" | "none";
  /** Least level, for models that cannot stop thinking. */
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

/** Gemini by its version, and Flash goes lower than Pro; models that are not named after it know nothing special. */
export function initialModelFeatures(model: string): ModelFeatures {
  const name = model.toLowerCase();
  const version = Number(/gemini-(\d+(?:\.\d+)?)/.exec(name)?.[1] ?? (/gemini-.*latest/.test(name) ? 3 : 0));
  const least = findListedModel({ provider: "google", model: name })?.leastEffort;
  const mayThink = version >= 2.5 && !/image|tts|embedding|live/.test(name);
  const thinks = least === undefined ? mayThink : least !== "off";
  return {
    thinking: !thinks ? "none" : least !== undefined || version >= 3 ? "level" : "budget",
    minLevel: (least === undefined ? /flash/.test(name) : least === "minimal") ? "minimal" : "low",
    minBudget: /pro/.test(name) ? 128 : 0,
    needsSignatures: version >= 3,
    structuredWithTools: version >= 3,
    structured: true,
    system: true,
  };
}

/** The lessons of refusals by Gemini, Gemma (no system prompt) and Vertex AI. */
export const GOOGLE_LESSONS: readonly Lesson<ModelFeatures>[] = [
  [/(?:developer|system) ?_?instruction\b.{0,40}not (?:enabled|supported)/, (now) => now.system && { system: false }],
  [/thought_?signature/, (now) => !now.needsSignatures && { needsSignatures: true }],
  [/thinking.*\bminimal\b|\bminimal\b.*thinking/s, (now) => now.minLevel === "minimal" && { minLevel: "low" }],
  [/thinking.*level/s, (now) => now.thinking === "level" && { thinking: "budget" }],
  [/thinking/, (now) => now.thinking !== "none" && { thinking: "none" }],
  [
    /(?=.*(?:function call|tool)).*(?:mime_? ?type|json mode|response_?schema|controlled generation)/s,
    (now) => now.structuredWithTools && { structuredWithTools: false },
  ],
  [/mime_? ?type|json mode|response_?schema|controlled generation/, (now) => now.structured && { structured: false }],
];
