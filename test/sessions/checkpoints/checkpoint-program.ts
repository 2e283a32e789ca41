// Rewinds and undoes, again and again, until it is ended: `node checkpoint-program.mjs <directory> <entry>`.
// Prints a line once it has opened the checkpoints, and one for each rewind.
import { join } from "node:path";
import { createCheckpoints, createFileSessionStore } from "../../../src/sessions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";

const [directory, entry] = process.argv.slice(2) as [string, string];
const sessions = createFileSessionStore({ dir: join(directory, "sessions"), durability: "process" });
const checkpoints = createCheckpoints({ dir: join(directory, "checkpoints"), sessions, durability: "process" });
const workspace = await createWorkspace({ root: join(directory, "root"), journal: checkpoints });
const rewinder = await checkpoints.open(workspace);
console.log("open");
for (;;) {
  await rewinder.rewindFiles("s", entry);
  console.log("rewound");
  await rewinder.undoRewind("s");
  console.log("undone");
}
