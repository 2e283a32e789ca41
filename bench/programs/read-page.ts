// Reads one page of `large.log`: `node --expose-gc read-page.mjs <directory> <line>`. Prints the memory it added at most.
import { fakeToolContext } from "loopwright/testing";
import { createReadFileTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const [directory, line] = process.argv.slice(2) as [string, string];
const workspace = await createWorkspace({ root: directory });
const tool = createReadFileTool(workspace);
await tool.execute({ path: "large.log", offset: 1, limit: 1 }, fakeToolContext());
globalThis.gc!();
const before = process.memoryUsage().rss;
let peak = before;
const watching = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
await tool.execute({ path: "large.log", offset: Number(line), limit: 2_000 }, fakeToolContext());
peak = Math.max(peak, process.memoryUsage().rss);
clearInterval(watching);
await workspace.close();
process.stdout.write(JSON.stringify({ addedMb: (peak - before) / 2 ** 20 }));
