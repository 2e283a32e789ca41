// Shows: several runs in one session, and talking to a run under way: steering and a follow-up.
// Run:   npx tsx examples/08-sessions.ts
// Expect: the second run knows the first; the third hears "in French" in the middle and gets one more prompt.
import assert from "node:assert/strict";
import { AgentEngine, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

const lookUp = defineTool({
  name: "look_up",
  description: "Looks something up.",
  permission: "read_only",
  execute: async () => "tea: 4 minutes",
});
const provider = scripted([
  text("Nice to meet you, Ann."),
  text("Your name is Ann."),
  toolCall("look_up"),
  text("Quatre minutes, Ann."),
  text("Avec plaisir."),
]);
const engine = new AgentEngine({ provider, tools: [lookUp] });
const sessionId = "ann";

// Runs of one session see what was said before.
await engine.run("I am Ann.", { sessionId });
const second = await engine.run("What is my name?", { sessionId });

// A steering message is read at the next turn; a follow-up once the run would have ended.
const run = engine.stream("How long does tea take?", { sessionId });
for await (const event of run) {
  if (event.type !== "tool-call-start") continue;
  run.steer("Answer in French.");
  run.followUp("Thank you!");
}
const third = await run.result;

const said = third
  .messages()
  .flatMap((message) =>
    message.content.flatMap((part) => (part.type === "text" ? [`${message.role}: ${part.text}`] : [])),
  );
console.log(said.join("\n"));

assert.equal(second.text, "Your name is Ann.");
assert.equal(provider.requests[1]?.messages.length, 3);
assert.equal(provider.requests[3]?.lastUserText, "Answer in French.");
assert.equal(provider.requests[4]?.lastUserText, "Thank you!");
assert.equal(third.text, "Avec plaisir.");
provider.assertExhausted();
