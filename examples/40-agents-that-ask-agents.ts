// Shows: an agent that other agents use over A2A, and whose question reaches the user of the one that asked.
// Run:   npx tsx examples/40-agents-that-ask-agents.ts
// Expect: the release agent wants to deploy, the user of the other agent allows it, and the task goes on.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentEngine, defineTool } from "loopwright";
import { a2aTool, serveA2a } from "loopwright/a2a";
import { toNodeHandler } from "loopwright/http";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

const deployed: string[] = [];
const deploy = defineTool<{ version: string }>({
  name: "deploy",
  description: "Deploys a version.",
  permission: "execute",
  input: { type: "object", properties: { version: { type: "string" } }, required: ["version"] },
  execute: async ({ version }) => {
    deployed.push(version);
    return `Version ${version} is live.`;
  },
});

// The agent that is served. In production, its users come from your sign-in.
const users = new Map([["Bearer secret", "ann"]]);
let answer: ((request: Request) => Promise<Response>) | undefined;
const server = createServer(toNodeHandler((request) => answer!(request)));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/release`;
answer = serveA2a({
  engine: new AgentEngine({
    provider: scripted([toolCall("deploy", { version: "2.0" }), text("Version 2.0 is released.")]),
    tools: [deploy],
  }),
  card: { name: "Release", description: "Releases versions.", version: "1.0.0", url },
  authenticate: (request) => users.get(request.headers.get("authorization") ?? "") ?? null,
});

// The agent that asks it.
const release = a2aTool({
  url,
  name: "release",
  description: "Asks the agent that releases versions.",
  headers: { authorization: "Bearer secret" },
});
const engine = new AgentEngine({
  provider: scripted([toolCall("release", { message: "Release 2.0." }), text("Done: 2.0 is out.")]),
  tools: [release],
  permissions: { decide: () => ({ behavior: "allow" }) },
});

const asked = await engine.run("Release version 2.0.");
const [question] = asked.pending;
assert(question, "the other agent's question is open");
console.log(`asked: ${question.reason.split("\n")[0]}`);
assert.deepEqual(deployed, []);

const done = await engine.resume(asked.sessionId, { answers: [{ id: question.id, value: "allow" }] }).result;
console.log(`then:  ${done.text}`);
assert.equal(done.status, "completed");
assert.deepEqual(deployed, ["2.0"]);
server.close();
server.closeAllConnections();
