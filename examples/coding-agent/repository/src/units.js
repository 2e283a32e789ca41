/** Length of each unit in milliseconds, longest first. */
export const UNITS = new Map([
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
]);
