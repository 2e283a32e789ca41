// What programs keep in memory: `node --expose-gc program-memory.mjs <count>` runs so many, one after the other, and prints the bytes of
// the process that each has left behind.
import { AgentEngine, defineTool, ToolRegistry } from "loopwright";
import { withPrograms } from "loopwright/programs";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { mustComplete } from "../ours.js";

const COUNT = Number(process.argv[2]);
const look = defineTool({ name: "look", description: "Looks.", permission: "none", execute: async () => "seen" });
const tools = withPrograms(new ToolRegistry([look]));

async function run(): Promise<void> {
  const provider = scripted([toolCall("run_program", { program: "return tools.look()" }), text("done")]);
  const engine = new AgentEngine({ provider, tools });
  mustComplete(await engine.run("go"));
  await engine.close();
}

function resident(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().rss;
}

for (let n = 0; n < 10; n++) await run();
const before = resident();
for (let n = 0; n < COUNT; n++) await run();
process.stdout.write(JSON.stringify({ grownBytes: resident() - before }));
