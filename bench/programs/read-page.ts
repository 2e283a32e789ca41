// Reads one page of `large.log`: `node --expose-gc read-page.mjs <folder> <line>`. Prints the memory it added at most.
import { fakeToolContext } from "loopwright/testing";
import { createReadFileTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const [folder, line] = process.argv.slice(2) as [string, string];
const workspace = await createWorkspace({ root: folder });
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
