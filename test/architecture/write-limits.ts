/**
 * Writes the limits down to what is measured now, and the table of trips in docs/architecture.md. Refuses to raise one
 * unless it is asked to: `npx tsx test/architecture/write-limits.ts [--raise]`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Limits, measured, readLimits, risen, writeLimits } from "./limits.js";
import { faults } from "./measure/structure.js";
import { measureTrips, tripRows } from "./measure/trips.js";

const PAGE = fileURLToPath(new URL("../../docs/architecture.md", import.meta.url));
const trips = await measureTrips();
const [now, limits] = [measured(trips, faults()), readLimits()];
const raised = (Object.keys(now) as (keyof Limits)[]).flatMap((kind) => risen(now[kind], limits[kind]));

if (raised.length > 0 && !process.argv.includes("--raise")) {
  console.error(`Nothing is written: these numbers rose.\n  ${raised.join("\n  ")}`);
  console.error("Make them fall, or run this again with --raise and give the reason in the commit.");
  process.exit(1);
}

writeLimits(now);
let page = readFileSync(PAGE, "utf8");
for (const row of tripRows(trips)) {
  const start = row.slice(0, row.indexOf(" |") + 2);
  page = page
    .split("\n")
    .map((line) => (line.startsWith(start) ? row : line))
    .join("\n");
}
writeFileSync(PAGE, page);
console.log(raised.length > 0 ? `Raised:\n  ${raised.join("\n  ")}` : "The limits are what is measured now.");
