// Rewinds and undoes, again and again, until it is ended: `node checkpoint-program.mjs <folder> <entry>`.
// Prints a line once it has opened the checkpoints, and one for each rewind.
import { join } from "node:path";
import { createCheckpoints, createFileSessionStore } from "../../../src/sessions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";

const [folder, entry] = process.argv.slice(2) as [string, string];
const sessions = createFileSessionStore({ dir: join(folder, "sessions"), durability: "process" });
const checkpoints = createCheckpoints({ dir: join(folder, "checkpoints"), sessions, durability: "process" });
const workspace = await createWorkspace({ root: join(folder, "root"), journal: checkpoints });
const rewinder = await checkpoints.open(workspace);
console.log("open");
for (;;) {
  await rewinder.rewindFiles("s", entry);
  console.log("rewound");
  await rewinder.undoRewind("s");
  console.log("undone");
}
