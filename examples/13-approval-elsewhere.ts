// Shows: an approval that is asked by one process and answered by another, which does the work.
// Run:   npx tsx examples/13-approval-elsewhere.ts
// Expect: the first process ends with the question, the second sends the mail, a third finds nothing left to do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { scripted, type Turn, text, toolCall } from "loopwright/providers/scripted";
import { createFileSessionStore } from "loopwright/sessions";
import * as z from "zod";

/** Every process makes the same engine; what they share is the directory. */
function mailAgent(dir: string, turns: Turn[]): AgentEngine {
  const sendMail = defineTool({
    name: "send_mail",
    description: "Sends a mail.",
    input: z.object({ to: z.string() }),
    permission: "execute", // The default gate asks.
    async execute({ to }) {
      appendFileSync(join(dir, "outbox"), `${to}\n`);
      return "Sent.";
    },
  });
  return new AgentEngine({
    provider: scripted(turns),
    tools: [sendMail],
    sessions: createFileSessionStore({ dir: join(dir, "sessions") }),
  });
}

const steps: { [step: string]: (dir: string) => Promise<void> } = {
  async ask(dir) {
    const agent = mailAgent(dir, [toolCall("send_mail", { to: "ann@example.com" })]);
    const { status } = await agent.run("Write to Ann.", { sessionId: "mail" });
    console.log(`asked: ${status}`);
  },
  async answer(dir) {
    const agent = mailAgent(dir, [text("Ann has her mail.")]);
    const { pending } = await agent.resume("mail").result;
    const answers = pending.map(({ id }) => ({ id, decision: "allow", by: "the office" }) as const);
    const { text: answer } = await agent.resume("mail", { answers }).result;
    console.log(`answered ${pending[0]?.tool}: ${answer}`);
  },
  async again(dir) {
    const { status } = await mailAgent(dir, []).resume("mail").result;
    console.log(`again: ${status}`);
  },
};

const [step, directory] = process.argv.slice(2);
if (step && directory) {
  await steps[step]!(directory);
} else {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-example-"));
  const inProcess = (name: string) =>
    execFileSync(process.execPath, [...process.execArgv, process.argv[1]!, name, dir], { encoding: "utf8" }).trim();

  const told = Object.keys(steps).map(inProcess);
  const outbox = readFileSync(join(dir, "outbox"), "utf8");
  rmSync(dir, { recursive: true });

  console.log(told.join("\n"));
  assert.deepEqual(told, ["asked: needs-approval", "answered send_mail: Ann has her mail.", "again: completed"]);
  assert.equal(outbox, "ann@example.com\n");
}
