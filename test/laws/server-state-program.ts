// A life of a session that a server may keep: `node server-state-program.mjs <dir> <vendor> <url> <state> <killAt>`. It kills itself at the
// killAt-th moment: before or after a write to the session. Run again, it goes on. Prints the messages of a life that comes to its end.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "../../src/index.js";
import { killingMoment, sessionsWithMoments } from "../sessions/killing-moments.js";
import type { Vendor } from "./keeping-server.js";
import { engineOf, providerOf, type State } from "./server-state.js";

const [dir, vendor, url, state, killAt] = process.argv.slice(2) as [string, Vendor, string, State, string];

const sessions = sessionsWithMoments(dir, killingMoment(Number(killAt)));
const engine = engineOf(providerOf(vendor, url, state), sessions, 600);
/** `null` where nothing was recorded of the run. */
async function resumed(): Promise<RunResult | null> {
  const run = engine.resume("s");
  try {
    return await run.result;
  } catch {
    return null;
  } finally {
    await run.idle;
  }
}

let messages: unknown;
for (const prompt of ["First.", "Second.", "Third."]) {
  const begun = join(dir, `begun ${prompt}`);
  const done = join(dir, `done ${prompt}`);
  if (existsSync(done)) continue;
  let result = existsSync(begun) ? await resumed() : null;
  writeFileSync(begun, "");
  if (result?.status !== "completed") result = await engine.run(prompt, { sessionId: "s" });
  writeFileSync(done, "");
  messages = result.messages();
}
console.log(JSON.stringify(messages));
