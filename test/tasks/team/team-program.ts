// One process of a team: `node team-program.mjs <dir> <member> <teammates, with commas> <leaseMs> <kill>`. Its member greets the others
// and does one task after the other, and prints "did <id>" for each, and "mail <from>" for each message it read. With kill,
// "yes", it prints "holds <id>" for its first task and waits to be killed.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentEngine, defineTool, type ProviderRequest } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { defineSubagent } from "../../../src/subagents/index.js";
import { createFileMailbox, createFileTaskStore, createTeam } from "../../../src/tasks/index.js";

const [dir, name, others, leaseMs, kill] = process.argv.slice(2) as [string, string, string, string, string];
const act = defineTool({
  name: "act",
  description: "Does the work.",
  permission: "none",
  async execute(_input, { sessionId }) {
    const id = sessionId.split("-")[1];
    if (kill === "yes") {
      console.log(`holds ${id}`);
      await sleep(600_000);
    }
    console.log(`did ${id}`);
    return "acted";
  },
});
const provider = scripted(
  [
    ({ messages }: ProviderRequest) => {
      const texts = messages.flatMap(({ content }) =>
        content.flatMap((part) => (part.type === "text" ? part.text : [])),
      );
      const step = texts[0]!.startsWith("Your task") ? messages.filter(({ role }) => role === "assistant").length : 2;
      if (step === 0) return toolCall("message_send", { to: "*", message: "I am here" });
      if (step === 1) return toolCall("act", {});
      const mail = texts.join("\n").matchAll(/^\[Message from the team member "(\w+)"/gm);
      for (const [, from] of mail) console.log(`mail ${from}`);
      return text(`${name} did it`);
    },
  ],
  { loop: true },
);
const engine = new AgentEngine({ provider, tools: [act] });
const team = createTeam({
  engine,
  members: [defineSubagent({ name, description: "Works.", systemPrompt: "Work." })],
  store: createFileTaskStore({ dir: join(dir, "tasks") }),
  mailbox: createFileMailbox({ dir: join(dir, "mail") }),
  teammates: others.split(","),
  leaseMs: Number(leaseMs),
});
console.log("ready");
const report = await team.run().result;
await engine.close();
console.log(`end ${report.status}`);
