// Shows: an agent behind a web server, read by the AI SDK's own chat transport, and a client that loses its connection.
// Run:   npx tsx examples/34-chat-over-http.ts
// Expect: a chat that asks for an approval and goes on, an answer that is asked for again, a run that the page stops, and a run of which
// no event is missed or seen twice.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { AgentEngine, defineTool } from "loopwright";
import { createRunHub, listBranches, readPrompt, toErrorResponse, toNodeHandler, toResponse } from "loopwright/http";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys the app.",
  permission: "execute",
  execute: async () => "Deployed.",
});
const long = { text: "I could go on and on. ".repeat(50), chunkSize: 20, chunkDelayMs: 20 };
const provider = scripted([toolCall("deploy"), text("It is live."), text("No need."), long, text("Hello again.")]);
const sessions = createMemorySessionStore();
const hub = createRunHub({ engine: new AgentEngine({ provider, tools: [deploy], sessions }) });

/** The whole server: one function from Request to Response, as Hono, Next and workers take it, and Node by `toNodeHandler`. */
async function answer(request: Request): Promise<Response> {
  try {
    const runId = new URL(request.url).searchParams.get("run");
    if (runId) return toResponse(hub.subscribe(runId, request.headers.get("last-event-id") ?? undefined));
    const stopped = /^\/(.+)\/stop$/.exec(new URL(request.url).pathname)?.[1];
    if (stopped) return Response.json({ stopped: await hub.stop(stopped) });
    return toResponse(await hub.send(await readPrompt(request)), { format: "ui-messages" });
  } catch (error) {
    return toErrorResponse(error);
  }
}

const server = createServer(toNodeHandler(answer)).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

// The browser's side: what useChat does.
const transport = new DefaultChatTransport({ api });
async function send(messages: UIMessage[]): Promise<UIMessage> {
  const request = {
    trigger: "submit-message",
    chatId: "chat-1",
    messageId: undefined,
    abortSignal: undefined,
  } as const;
  const stream = await transport.sendMessages({ ...request, messages });
  const last = messages.at(-1);
  let message: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream, ...(last?.role === "assistant" && { message: last }) }))
    message = state;
  assert.ok(message);
  return message;
}
const prompt: UIMessage = { id: "1", role: "user", parts: [{ type: "text", text: "Deploy." }] };
const asked = structuredClone(await send([prompt]));
const part = asked.parts.find((one) => one.type === "tool-deploy");
assert.ok(part && "state" in part && part.state === "approval-requested");
console.log("the chat asks:", part.type);
Object.assign(part, { state: "approval-responded", approval: { id: part.approval.id, approved: true } });
const done = await send([prompt, asked]);
console.log(done.parts.map((one) => ("text" in one ? one.text : "")).join(""));
assert.ok(done.parts.some((one) => one.type === "tool-deploy" && "output" in one && one.output === "Deployed."));

// What regenerate() does: the same prompt, without its answer. The first answer stays, as a branch.
const again = await send([prompt]);
console.log(again.parts.map((one) => ("text" in one ? one.text : "")).join(""));
const branches = await listBranches(sessions.read("chat-1"));
console.log(`${branches.length} branches`);
assert.deepEqual(
  branches.map(({ messages }) => messages),
  [2, 2],
);

// A page that stops the run. Its stream ends by itself, with what was said until then.
const reading = send([prompt, again, { id: "2", role: "user", parts: [{ type: "text", text: "Tell me more." }] }]);
while (!hub.findRunning("chat-1")) await new Promise((resolve) => setTimeout(resolve, 5));
await fetch(`${api}/chat-1/stop`, { method: "POST" });
await reading.catch(() => {});
assert.equal(hub.findRunning("chat-1"), undefined);
console.log("stopped");

// A client that reads one event, loses its connection, and comes back with the id it has.
const run = hub.start("Hello.");
const ids: string[] = [];
for (let isOver = false; !isOver; ) {
  const lost = new AbortController();
  const headers: Record<string, string> = ids.length > 0 ? { "last-event-id": ids.at(-1)! } : {};
  const response = await fetch(`${api}?run=${run.id}`, { headers, signal: lost.signal });
  isOver = response.status === 204;
  const first = await response.body?.getReader().read();
  const id = first?.value && /^id: (.+)$/m.exec(new TextDecoder().decode(first.value))?.[1];
  if (id) ids.push(id);
  lost.abort();
}
const { length } = ids;
console.log(`${length} events over ${length} connections, none missed`);
assert.ok(length > 5);
assert.deepEqual(
  ids,
  ids.map((_, index) => `${run.id}:${index + 1}`),
);
provider.assertExhausted();
server.closeAllConnections();
server.close();
