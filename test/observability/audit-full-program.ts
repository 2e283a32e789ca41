// Runs an agent under an audit trail until records are missing, and prints how many and how the runs ended.
import { AgentEngine, defineTool } from "../../src/index.js";
import { createAuditTrail } from "../../src/observability/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

let missing = 0;
const audit = await createAuditTrail({ file: process.argv[2]!, onError: () => missing++ });
const look = defineTool({ name: "look", description: "Looks.", permission: "read_only", execute: async () => "seen" });
const statuses: string[] = [];
for (let run = 0; run < 20; run++) {
  const engine = new AgentEngine({ provider: scripted([toolCall("look", {}), text("done")]), tools: [look] });
  const unwatch = audit.watch(engine);
  statuses.push((await engine.run("go")).status);
  await engine.close();
  unwatch();
}
await audit.close();
console.log(JSON.stringify({ missing, statuses }));
