// Locks sessions for the tests: `node lock-program.mjs <dir> <session>…`. Prints "ready", waits for a line, tries to lock
// each session, prints the ids it got and the codes it did not, and holds what it has until it is ended.
import { once } from "node:events";
import { isHarnessError } from "../../src/contracts/errors.js";
import { createFileSessionStore } from "../../src/sessions/index.js";

const [dir, ...sessions] = process.argv.slice(2);
const store = createFileSessionStore({ dir: dir!, durability: "process" });
console.log("ready");
await once(process.stdin, "data");
const got: string[] = [];
const codes: string[] = [];
for (const id of sessions) {
  try {
    await store.lock(id);
    got.push(id);
  } catch (error) {
    codes.push(isHarnessError(error) ? error.code : String(error));
  }
}
console.log(JSON.stringify({ got, codes }));
await new Promise<never>(() => {});
