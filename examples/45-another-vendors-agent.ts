// Shows: an agent of somebody else as a sub-agent, over the Agent Client Protocol: its question and its writes pass the host's gate.
// Run:   npx tsx examples/45-another-vendors-agent.ts
// Expect: the agent asks whether it may tidy up, is allowed to, writes a file by its host, and reports.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentEngine } from "loopwright";
import { acpSubagent } from "loopwright/acp";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const root = realpathSync(mkdtempSync(join(tmpdir(), "another-vendors-agent-")));
const workspace = await createWorkspace({ root });
const tidy = acpSubagent({
  name: "tidy",
  description: "Tidies up.",
  command: process.execPath,
  args: ["--import", import.meta.resolve("tsx"), fileURLToPath(new URL("tidy-agent/agent.ts", import.meta.url))],
  cwd: root,
});
const asked: string[] = [];
const engine = new AgentEngine({
  provider: scripted([toolCall("tidy", { prompt: "Tidy up the drafts." }), text("All is tidy.")]),
  tools: [...builtinTools(workspace), tidy],
  permissions: createPermissionChecker({ workspace }),
  approver: ({ tool, input }) => {
    asked.push(tool);
    console.log(`asked: ${tool} ${JSON.stringify(input)}`);
    return { decision: "allow" };
  },
});

const result = await engine.run("Tidy up.");
console.log(`then:  ${result.text}`);

assert.deepEqual(asked, ["tidy", "tidy_permission", "write_file"]);
assert.equal(readFileSync(join(root, "report.md"), "utf8"), 'Drafts: {"outcome":"selected","optionId":"yes"}\n');
await engine.close();
await workspace.close();
rmSync(root, { recursive: true });
