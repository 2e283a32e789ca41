/**
 * How many cases a random test tries: a few in `npm test`, more where `RUNS=many` (as CI sets it for the laws and the projects), and as many as it
 * takes to believe in it with `npm run prove`.
 */
export function runs(few: number, many: number, prove: number): number {
  if (process.env.PROVE) return prove;
  return process.env.RUNS === "many" ? many : few;
}
