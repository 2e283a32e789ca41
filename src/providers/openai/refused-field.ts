/** The words with which servers refuse a field of a request. */
export const REFUSED =
  /unsupported|not supported|does not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra (?:inputs|fields)|extra_forbidden|additional properties/;

/** Whether a model takes no temperature, or none but its own; a value out of range is the host's mistake. */
export function isTemperatureRefused(said: string): boolean {
  return /\btemperature\b/.test(said) && (REFUSED.test(said) || /\bonly \S+ is allowed/.test(said));
}
