// What keeps records beside the transcript: the audit trail and the checkpoints know the tool that is run.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, ToolRegistry } from "../../../src/index.js";
import { deferTools } from "../../../src/mcp/index.js";
import { createAuditTrail } from "../../../src/observability/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createCheckpoints, createMemorySessionStore } from "../../../src/sessions/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";

test("a file changed through call_tool is decided by its own rules, audited by its name, and can be taken back", async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "deferred-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  const sessions = createMemorySessionStore();
  const checkpoints = createCheckpoints({ dir: join(base, "checkpoints"), sessions });
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "old\n");
  const workspace = await createWorkspace({ root, journal: checkpoints });
  onTestFinished(() => workspace.close());
  const audit = await createAuditTrail({ file: join(base, "audit.jsonl") });
  const edit = { path: "a.txt", old_text: "old", new_text: "new" };
  const engine = new AgentEngine({
    provider: scripted([
      toolCall("call_tool", { name: "edit_file", arguments: edit }),
      toolCall("call_tool", { name: "bash", arguments: { command: "git push" } }),
      text("Done."),
    ]),
    tools: deferTools(new ToolRegistry(builtinTools(workspace))),
    permissions: createPermissionChecker({ workspace, rules: { allow: ["Edit(a.txt)"], deny: ["Bash(git push*)"] } }),
    sessions,
  });
  const unwatch = audit.watch(engine);

  const { sessionId, status } = await engine.run("Change it.");
  unwatch();
  await audit.close();

  expect([status, readFileSync(join(root, "a.txt"), "utf8")]).toEqual(["completed", "new\n"]);
  const calls = readFileSync(join(base, "audit.jsonl"), "utf8")
    .split("\n")
    .filter((line) => /"tool-call-(start|end)"/.test(line))
    .map((line) => JSON.parse(line));
  expect(calls.map(({ type, tool, via }) => [type, tool, via])).toEqual([
    ["tool-call-start", "edit_file", "call_tool"],
    ["tool-call-end", "edit_file", "call_tool"],
    ["tool-call-start", "bash", "call_tool"],
    ["tool-call-end", "bash", "call_tool"],
  ]);
  const decisions = readFileSync(join(base, "audit.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"permission-decision"'))
    .map((line) => JSON.parse(line));
  expect(decisions.map(({ tool, behavior }) => [tool, behavior])).toEqual([
    ["edit_file", "allow"],
    ["bash", "deny"],
  ]);
  const entries = [];
  for await (const entry of sessions.read(sessionId)) entries.push(entry);
  await (await checkpoints.open(workspace)).rewindFiles(sessionId, entries[0]!.id);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
});
