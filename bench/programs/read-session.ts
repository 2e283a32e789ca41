// Reads a session from a directory: `node --expose-gc read-session.mjs <dir>`. Prints how long it took and the memory it added.
import { createFileSessionStore } from "loopwright/sessions";

const store = createFileSessionStore({ dir: process.argv[2]! });
for await (const _ of store.read("warm-up"));
globalThis.gc!();
const before = process.memoryUsage().rss;
const startedAt = performance.now();
let count = 0;
let peak = before;
for await (const _ of store.read("large")) {
  if (++count % 1_000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
}
const ms = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ ms, addedMb: (peak - before) / 2 ** 20 }));
