// Runs an agent without end under an audit trail and prints the sequence of what was recorded; ended from outside.
import { AgentEngine, defineTool } from "../../src/index.js";
import { createAuditTrail } from "../../src/observability/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

const audit = await createAuditTrail({ file: process.argv[2]! });
const look = defineTool({ name: "look", description: "Looks.", permission: "read_only", execute: async () => "seen" });
for (;;) {
  const engine = new AgentEngine({ provider: scripted([toolCall("look", {}), text("done")]), tools: [look] });
  const unwatch = audit.watch(engine);
  engine.on("tool-call-end", () => process.stdout.write(`${audit.head.seq}\n`));
  await engine.run("go");
  await engine.close();
  unwatch();
}
