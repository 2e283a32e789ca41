// Appends to the session "s" without a lock of its own: `node append-program.mjs <dir> <name> <appends> <chars>`.
// Each append is two entries of that many characters; a busy session is tried again. Prints each append it was
// acknowledged.
import { setTimeout as sleep } from "node:timers/promises";
import { isHarnessError } from "../../src/contracts/errors.js";
import type { SessionEntry } from "../../src/contracts/session.js";
import { createFileSessionStore } from "../../src/sessions/index.js";

const [dir, name, appends, chars] = process.argv.slice(2) as [string, string, string, string];
const store = createFileSessionStore({ dir, durability: "process" });
const data = "x".repeat(Number(chars));

async function appendWhenFree(entries: readonly SessionEntry[]): Promise<void> {
  try {
    await store.append("s", entries);
  } catch (error) {
    if (!isHarnessError(error, "SESSION_BUSY")) throw error;
    await sleep(Math.random() * 2);
    await appendWhenFree(entries);
  }
}

console.log("ready");
for (let n = 0; n < Number(appends); n++) {
  const about = { v: 1, parent: null, at: n, runId: name, turn: 1, type: "custom", name: "n", data } as const;
  await appendWhenFree([
    { ...about, id: `${name}.${n}.a` },
    { ...about, id: `${name}.${n}.b` },
  ]);
  console.log(`${name}.${n}`);
}
