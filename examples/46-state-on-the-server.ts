// Shows: a server that keeps the conversation, so that a request holds only what is new; it loses it once, and nothing is lost here.
// Run:   npx tsx examples/46-state-on-the-server.ts
// Expect: the bytes of each request, the notice of the loss, and the same conversation as without the server.
import assert from "node:assert/strict";
import { AgentEngine } from "loopwright";
import { openai } from "loopwright/providers/openai";
import { createMemorySessionStore } from "loopwright/sessions";
import { createFaultServer, responseEvents, sse } from "loopwright/testing/fault-server";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

/** Without a key a server on this machine plays the vendor: it keeps each response under its id. */
async function vendor() {
  const kept = new Set<string>();
  const server = await createFaultServer(({ body }, index) => {
    const { previous_response_id: previous } = body as { previous_response_id?: string };
    if (previous !== undefined && !kept.has(previous)) {
      const error = { message: `Previous response with id '${previous}' not found.`, type: "invalid_request_error" };
      return { status: 400, body: JSON.stringify({ error }) };
    }
    const id = `resp_${index + 10}`;
    kept.add(id);
    return { body: sse(responseEvents({ text: "Noted." })).replaceAll("resp_1", id) };
  });
  return { server, forget: () => kept.clear() };
}

async function conversation(state: "client" | "server") {
  const { server, forget } = await vendor();
  const provider = openai({ model: "gpt-5.1", api: "responses", apiKey: "key", baseURL: server.url, state });
  const engine = new AgentEngine({ provider, sessions: createMemorySessionStore() });
  const causes: unknown[] = [];
  engine.on("notice", ({ code, details }) => {
    if (code === "SERVER_STATE") causes.push((details as { cause: string }).cause);
  });
  let messages: unknown;
  for (let page = 1; page <= 6; page++) {
    if (page === 5) forget();
    const result = await engine.run(`Page ${page}: ${"once upon a time ".repeat(50)}`, { sessionId: "book" });
    messages = result.messages();
  }
  await engine.close();
  await server.close();
  return { messages, causes, bytes: server.requests.map(({ text }) => text.length) };
}

const client = await conversation("client");
const server = await conversation("server");
console.log("client:", client.bytes.join(" "));
console.log("server:", server.bytes.join(" "), server.causes);

assert.deepEqual(server.messages, client.messages);
assert.deepEqual(server.causes, ["lost"]);
assert.equal(server.bytes.length, 7); // One request was sent again, as a whole.
assert.ok(Math.max(...server.bytes.slice(1, 4)) < client.bytes[1]!);
