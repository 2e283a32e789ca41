// The lessons of refusals that chat completions and responses share, and the efforts that they are about.
import type { Lesson } from "../shared/lessons.js";
import type { OpenAIEffort } from "./efforts.js";

/** The words with which servers refuse a field of a request. */
export const REFUSED =
  /unsupported|not supported|does not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra (?:inputs|fields)|extra_forbidden|additional properties/;

/** A model takes no temperature, or none but its own; a value out of range is the host's mistake. */
export const TEMPERATURE: Lesson<{ readonly temperature: boolean }> = [
  /\btemperature\b/,
  (now, said) =>
    now.temperature && (REFUSED.test(said) || /\bonly \S+ is allowed/.test(said)) && { temperature: false },
];

/** "None" is not supported; advice to ask for "none" beside tools is not about the least effort. */
const NO_NONE =
  /(?=.*(?:supported values|effort)).*(?<!\bto )['"`]none['"`]|\b(?:reasoning|thinking)\b.{0,40}(?:is mandatory|cannot be (?:disabled|turned off))/s;

/** The model cannot stop thinking. */
export const LEAST_EFFORT: Lesson<{ readonly leastEffort: OpenAIEffort }> = [
  NO_NONE,
  (now, said) => now.leastEffort === "none" && { leastEffort: /['"`]minimal['"`]/.test(said) ? "minimal" : "low" },
];
