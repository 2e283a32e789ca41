import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, defineTool } from "../../../src/index.js";
import { deleteSession } from "../../../src/program/sessions/delete-session.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createCheckpoints, createFileSessionStore } from "../../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createArtifactStore, createWorkspace } from "../../../src/workspace/index.js";
import { directoryWith } from "../kit.js";

async function usedSession() {
  const dir = directoryWith({ "project/a.txt": "x", "artifacts/.keep": "" });
  const sessions = createFileSessionStore({ dir: join(dir, "sessions") });
  const checkpoints = createCheckpoints({ dir: join(dir, "checkpoints"), sessions });
  const artifacts = createArtifactStore({ dir: join(dir, "artifacts"), keep: true });
  const workspace = await createWorkspace({ root: join(dir, "project"), journal: checkpoints });
  const dump = defineTool({
    name: "dump",
    description: "Says much.",
    permission: "none",
    maxResultChars: 100,
    execute: async () => "x".repeat(1_000),
  });
  const helper = defineSubagent({ name: "helper", description: "Helps.", systemPrompt: "Help.", tools: [] });
  const engine = new AgentEngine({
    provider: scripted([
      [toolCall("dump"), toolCall("task", { subagent_type: "helper", prompt: "Help." })],
      text("I helped."),
      toolCall("write_file", { path: "b.txt", content: "new\n" }),
      text("Done."),
    ]),
    tools: [dump, ...builtinTools(workspace), ...createSubagentTools({ subagents: [helper] })],
    approver: () => ({ decision: "allow", by: "the test" }),
    sessions,
    artifacts,
  });
  onTestFinished(async () => {
    await engine.close();
    await workspace.close();
  });
  await engine.run("Go.", { sessionId: "used" });
  const files = () =>
    ["sessions", "artifacts", "checkpoints"].map((name) => {
      const all = existsSync(join(dir, name))
        ? readdirSync(join(dir, name), { recursive: true, withFileTypes: true })
        : [];
      return all.filter((entry) => entry.isFile() && entry.name !== ".keep").length;
    });
  return { engine, sessions, forget: checkpoints.forget, files };
}

test("sub-agents' sessions, artifacts and what files were before go with a session", async () => {
  const { files, ...owner } = await usedSession();
  expect(files().every((count) => count > 0)).toBe(true);

  await deleteSession(owner, "used");

  expect(files()).toEqual([0, 0, 0]);
});

test("a session that another process runs is left as it is", async () => {
  const { files, ...owner } = await usedSession();
  const before = files();
  const release = await owner.sessions.lock("used");

  await expect(deleteSession(owner, "used")).rejects.toMatchObject({ code: "SESSION_BUSY" });

  await release();
  expect(files()).toEqual(before);
});
