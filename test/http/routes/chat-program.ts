// A chat for tests that end its process at any moment: `node chat-program.mjs <directory> <port>`. Prints "ready <port>". What the model
// is sent is a line of the file "heard" with the number that its answer begins with. Runs that were cut off go on.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createChatRoutes, createRunHub, toNodeHandler } from "../../../src/http/index.js";
import { AgentEngine, type ProviderAdapter } from "../../../src/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";

const [directory, port] = process.argv.slice(2) as [string, string];
let answers = 0;

const provider: ProviderAdapter = {
  id: "listening",
  model: "listening",
  async *stream({ messages }) {
    const number = `${process.pid}.${++answers}`;
    const said = messages.flatMap((message) => {
      if (message.role === "tool") return [];
      const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return [{ role: message.role, text, calls: [] }];
    });
    appendFileSync(join(directory, "heard"), `${JSON.stringify({ number, said })}\n`);
    yield { type: "message-start" };
    for (const word of [`[${number}]`, " Many", " words", ", and", " then", " some", "."]) {
      yield { type: "text-delta", text: word };
      await sleep(5);
    }
    yield { type: "message-end", finishReason: "stop" };
  },
};

const sessions = createFileSessionStore({ dir: join(directory, "sessions") });
const hub = createRunHub({ engine: new AgentEngine({ provider, sessions }) });
const routes = createChatRoutes({ engine: hub, identify: () => ({ id: "ann" }), authorize: () => true });
for await (const { id } of sessions.list()) {
  let isCutOff = false;
  for await (const { type } of sessions.read(id))
    if (type === "run-start" || type === "run-end") isCutOff = type === "run-start";
  if (isCutOff) await hub.answer([], { sessionId: id });
}
const server = createServer(toNodeHandler(routes.handle));
server.listen(Number(port), "127.0.0.1", () => console.log(`ready ${(server.address() as AddressInfo).port}`));
