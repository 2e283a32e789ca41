// Shows: asking a human, once while the run waits and once by suspending it and resuming with the answer.
// Run:   npx tsx examples/04-approval.ts
// Expect: one mail sent after the approver's yes, one refused, one sent after the resume.
import assert from "node:assert/strict";
import { AgentEngine, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const sent: string[] = [];
const sendMail = defineTool({
  name: "send_mail",
  description: "Sends a mail.",
  input: z.object({ to: z.string(), body: z.string() }),
  permission: "execute", // It reaches the outside, so the default gate asks.
  async execute({ to }) {
    sent.push(to);
    return "Sent.";
  },
});
const mail = (to: string) => toolCall("send_mail", { to, body: "Hello!" });

// 1. An approver answers in this process; the run waits for it.
const attended = new AgentEngine({
  provider: scripted([[mail("ann@example.com"), mail("press@example.org")], text("One of two mails is out.")]),
  tools: [sendMail],
  approver: ({ input }) => {
    const { to } = input as { to: string };
    return to.endsWith("@example.com")
      ? { decision: "allow" }
      : { decision: "deny", reason: "Only mails to example.com." };
  },
});
const result = await attended.run("Write to Ann and to the press.");
console.log(result.text, sent);
assert.deepEqual(sent, ["ann@example.com"]);

// 2. Without an approver the run ends and its question waits in the session: for minutes, or for days.
const unattended = new AgentEngine({
  provider: scripted([mail("bob@example.com"), text("Bob has his mail.")]),
  tools: [sendMail],
});
const suspended = await unattended.run("Write to Bob.");
const question = suspended.pending[0];
assert.equal(suspended.status, "needs-approval");
assert.ok(question);
console.log(`${question.tool} waits:`, question.input);

const resumed = await unattended.resume(suspended.sessionId, {
  answers: [{ id: question.id, decision: "allow", by: "you" }],
}).result;
console.log(resumed.text, sent);
assert.equal(resumed.status, "completed");
assert.deepEqual(sent, ["ann@example.com", "bob@example.com"]);
