import { UNITS } from "./units.js";

/** Writes milliseconds as a duration: 5400000 is "1h 30m". */
export function formatDuration(milliseconds) {
  const parts = [];
  let rest = milliseconds;
  for (const [unit, length] of UNITS) {
    const amount = Math.floor(rest / length);
    if (amount > 0) parts.push(`${amount}${unit}`);
    rest -= amount * length;
  }
  return parts.join(" ") || "0ms";
}
