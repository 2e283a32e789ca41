import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { createFileFactStore } from "loopwright/memory";
import { createAuditTrail } from "loopwright/observability";
import { createFileSessionStore, exportSession } from "loopwright/sessions";
import { createFileTaskStore } from "loopwright/tasks";
import { recordRun, scripted, text, toolCall } from "loopwright/testing";

/** A tool with an effect, so that its start is in the session, too. */
export const deploy = defineTool({
  name: "deploy",
  description: "Deploys a version.",
  permission: "execute",
  input: { type: "object", properties: { version: { type: "string" } }, required: ["version"] },
  execute: async () => "Deployed.",
});

/** Makes one of everything that later versions have to read: below `directory`, in files. */
export async function writeStoredFiles(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const at = (name: string) => join(directory, name);
  const sessions = createFileSessionStore({ dir: at("sessions") });
  const provider = scripted([toolCall("deploy", { version: "1" }), text("It is deployed.")]);
  const recording = recordRun(
    { provider, tools: [deploy], approver: () => ({ decision: "allow" }), sessions },
    at("cassette.jsonl"),
  );
  const engine = new AgentEngine(recording.options);
  const audit = await createAuditTrail({ file: at("audit.jsonl") });
  audit.watch(engine);
  await engine.run("Deploy version 1.", { sessionId: "stored" });
  await recording.done();
  await audit.close();
  await writeFile(at("exported.json"), await exportSession(sessions, "stored"));

  const tasks = createFileTaskStore({ dir: at("tasks") });
  const { id } = await tasks.create({ subject: "Deploy", metadata: { size: 2 } });
  await tasks.update(id, { status: "completed", result: { version: "1" } });
  await tasks.create({ subject: "Announce", description: "To everybody.", blockedBy: [id] });

  const facts = createFileFactStore({ dir: at("facts") });
  await facts.remember({ text: "Deploys happen on Mondays.", subject: "deploys", tags: ["habit"] });
}
