// An agent on a port of its own, whose sessions are in a directory: started and killed by a test.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveA2a } from "../../src/a2a/index.js";
import { toNodeHandler } from "../../src/http/index.js";
import { AgentEngine, defineTool, type ProviderEvent } from "../../src/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";

const [directory, port] = process.argv.slice(2);
let turns = 0;
const engine = new AgentEngine({
  sessions: createFileSessionStore({ dir: directory! }),
  permissions: { decide: () => ({ behavior: "allow" }) },
  tools: [
    defineTool({ name: "count", description: "Counts.", permission: "execute", execute: async () => `${process.pid}` }),
  ],
  provider: {
    id: "counting",
    model: "counting",
    // Calls its tool once, then hangs in the first process, and answers in the next.
    async *stream({ messages, signal }): AsyncGenerator<ProviderEvent> {
      yield { type: "message-start" };
      const results = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
      if (results.length === 0) {
        const call = { id: "c1", name: "count", arguments: {} };
        yield { type: "tool-call-start", index: 0, id: "c1", name: "count" };
        yield { type: "tool-call-end", index: 0, call };
        return yield { type: "message-end", finishReason: "tool-calls" };
      }
      yield { type: "text-delta", text: `Counted by ${JSON.stringify(results[0])} ` };
      if (process.env.HANGS && turns++ === 0) {
        console.log("hanging");
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }
      yield { type: "text-delta", text: "and done." };
      yield { type: "message-end", finishReason: "stop" };
    },
  },
});
let answer: (request: Request) => Promise<Response>;
const server = createServer(toNodeHandler((request) => answer(request)));
server.listen(Number(port ?? 0), "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = { name: "Counter", description: "Counts.", version: "1.0.0", url };
  answer = serveA2a({ engine, card, authenticate: (request) => request.headers.get("authorization") });
  console.log(url);
});
