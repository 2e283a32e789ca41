import { tokens } from "./tokens.js";
import { UNITS } from "./units.js";

/** The milliseconds in a duration such as "1h 30m". Throws a SyntaxError for anything else. */
export function parseDuration(text) {
  const parts = tokens(text);
  if (parts.length === 0) throw new SyntaxError("An empty text is not a duration.");
  let total = 0;
  for (const { amount, unit } of parts) {
    total += Number.parseInt(amount, 10) * UNITS.get(unit);
  }
  return total;
}
