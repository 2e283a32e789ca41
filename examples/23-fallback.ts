// Shows: a second provider takes over when the first one fails, and the first is preferred again after a while.
// Run:   npx tsx examples/23-fallback.ts (two servers on this machine: no key, no network)
// Expect: the first answer comes from "backup", the second from "main"
import assert from "node:assert/strict";
import { AgentEngine } from "loopwright";
import { withFallback, withRateLimit } from "loopwright/providers";
import { openai } from "loopwright/providers/openai";
import { chatChunks, createFaultServer, sse } from "loopwright/testing/fault-server";

const answers = (text: string) => ({ body: sse(chatChunks({ text })) });
const main = await createFaultServer([{ status: 503 }, answers("From main.")]);
const backup = await createFaultServer(answers("From backup."));

const provider = withFallback(
  [
    withRateLimit(openai({ id: "main", model: "large", apiKey: "test", baseURL: main.url }), { concurrent: 4 }),
    openai({ id: "backup", model: "small", apiKey: "test", baseURL: backup.url }),
  ],
  { backAfterMs: 200 },
);
const engine = new AgentEngine({ provider });
engine.on("model-restart", ({ error }) => console.log(`main failed: ${error.code}`));

const first = await engine.run("Who are you?");
console.log(first.text);
await new Promise((resolve) => setTimeout(resolve, 300));
const second = await engine.run("And now?");
console.log(second.text);
await main.close();
await backup.close();

assert.equal(first.text, "From backup.");
assert.equal(second.text, "From main.");
