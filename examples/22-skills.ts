// Shows: skills from directories, chosen by the model, with what they allow while they are in use.
// Run:   npx tsx examples/22-skills.ts
// Expect: the skill's instructions in the conversation, a git command that needs no approval, and one that still does.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { AgentEngine, defineTool } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createSkillTool, loadSkills } from "loopwright/skills";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const bash = defineTool({
  name: "bash",
  description: "Runs a command.",
  input: z.object({ command: z.string() }),
  permission: "execute",
  execute: async ({ command }) => `(ran ${command})`,
});
const catalog = await loadSkills({ dirs: [fileURLToPath(new URL("skills", import.meta.url))], trustProject: true });
for (const problem of catalog.problems) console.log(`${problem.file}:${problem.line}: ${problem.message}`);
for (const { skill, reasons } of catalog.select("what changed since the last release?"))
  console.log(skill.name, reasons);

const provider = scripted([
  toolCall("skill", { name: "release-notes", arguments: "2.0" }),
  toolCall("bash", { command: "git log --format=%s v1.0..HEAD" }),
  toolCall("bash", { command: "git push --tags" }),
  text("Here are the notes."),
]);
const engine = new AgentEngine({
  provider,
  tools: [createSkillTool(catalog), bash],
  contextSources: [catalog.source],
  permissions: catalog.gate(createPermissionChecker()),
});

const result = await engine.run("Write the release notes of 2.0 and push the tags.");
console.log(result.status, result.pending[0]?.input);

assert.deepEqual(catalog.problems, []);
assert.match(JSON.stringify(provider.requests[1]?.messages), /The release is called: 2\.0/);
assert.equal(provider.requests[2]?.lastToolResult?.output, "(ran git log --format=%s v1.0..HEAD)");
assert.equal(result.status, "needs-approval");
