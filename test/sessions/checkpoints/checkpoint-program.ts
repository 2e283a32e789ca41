// Rewinds and undoes, again and again, until it is ended: `node checkpoint-program.mjs <directory> <entry> <killAt>`.
// Prints a line once it has opened the checkpoints, and one for each rewind. It kills itself before the killAt-th change of a
// file that it makes from then on, of the workspace or of its own; never with 0.
import { join } from "node:path";
import { checkpointsOn } from "../../../src/sessions/checkpoints/checkpoints.js";
import { type FileSystem, nodeFiles } from "../../../src/sessions/file-system.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";

const [directory, entry, killAt] = process.argv.slice(2) as [string, string, string];
let isCounting = false;
let changes = 0;

/** The same object, but for what changes files: that is counted. */
function counted<T extends object>(files: T): T {
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (
        !/^(link|mkdir|makeDirectory|open|remove|rename|unlink|write|writeFile)$/.test(String(name)) ||
        typeof value !== "function"
      )
        return value;
      return (...args: unknown[]) => {
        if (isCounting && ++changes === Number(killAt)) process.kill(process.pid, "SIGKILL");
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const sessions = createFileSessionStore({ dir: join(directory, "sessions"), durability: "process" });
const checkpoints = checkpointsOn(counted<FileSystem>({ ...nodeFiles }), {
  dir: join(directory, "checkpoints"),
  sessions,
  durability: "process",
});
const workspace = await createWorkspace({ root: join(directory, "root"), journal: checkpoints });
const rewinder = await checkpoints.open({ ...workspace, files: counted(workspace.files) });
console.log("open");
isCounting = true;
for (;;) {
  await rewinder.rewindFiles("s", entry);
  console.log("rewound");
  await rewinder.undoRewind("s");
  console.log("undone");
}
