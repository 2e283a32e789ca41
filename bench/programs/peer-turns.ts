// One library on the script, alone in its process: `node peer-turns.js <library> <run|stream> <turns>`.
// Prints the processor time of a turn in microseconds, of the first run and of the later ones; and in milliseconds that of
// the import and the first run together, since a library may load a part of itself with its first run.
import { now } from "../measure.js";

/**
 * Enough for the compiler to settle; slow libraries settle within fewer. It compiles much of a library again when the young
 * generation has grown to its full size, which takes some forty rounds.
 */
const LONGEST_WARMUP_MS = 2_000;
const WARMUPS = 60;
const ROUNDS = 20;

const [library, way, count] = process.argv.slice(2) as [string, "run" | "stream", string];
const turns = Number(count);
const importedAt = now("cpu");
const module = await import(new URL(`../peers/${library}.mjs`, import.meta.url).href);

async function once(): Promise<number> {
  const startedAt = now("cpu");
  const counted: number = await module[way](turns);
  if (counted !== turns + 1) throw new Error(`${library} took ${counted} turns instead of ${turns + 1}.`);
  return ((now("cpu") - startedAt) * 1000) / turns;
}

const cold = await once();
const imported = now("cpu") - importedAt;
const warmUntil = performance.now() + LONGEST_WARMUP_MS;
for (let i = 0; i < WARMUPS && performance.now() < warmUntil; i++) await once();
/** The mean: a collection of garbage falls into every second or third round. */
let warm = 0;
for (let i = 0; i < ROUNDS; i++) warm += (await once()) / ROUNDS;
process.stdout.write(JSON.stringify({ cold, imported, warm }));
