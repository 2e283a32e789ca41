// A chat server on loopback, in a process of its own: `node model-server.js <port file descriptor: stdout>`. It answers each
// request at once with 40 deltas of text, and with a call of "noop" until the conversation holds four results.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const DELTAS = 40;
const CALLS = 4;
const HEAD = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "bench" };
const USAGE = { prompt_tokens: 10, completion_tokens: 45, total_tokens: 55 };

const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const text = Array.from({ length: DELTAS }, (_, at) => chunk({ content: `word ${at} ` })).join("");

function bodyAfter(results: number): string {
  const start = chunk({ role: "assistant", content: "" });
  if (results >= CALLS) return `${start}${text}${chunk({}, "stop", { usage: USAGE })}data: [DONE]\n\n`;
  const named = { name: "noop", arguments: JSON.stringify({ turn: results + 1 }) };
  const call = { tool_calls: [{ index: 0, id: `call_${results + 1}`, type: "function", function: named }] };
  return `${start}${text}${chunk(call)}${chunk({}, "tool_calls", { usage: USAGE })}data: [DONE]\n\n`;
}

const bodies = Array.from({ length: CALLS + 1 }, (_, results) => bodyAfter(results));

const server = createServer((request, response) => {
  let sent = "";
  request.setEncoding("utf8");
  request.on("data", (piece: string) => {
    sent += piece;
  });
  request.on("end", () => {
    const { messages } = JSON.parse(sent) as { messages: { role: string }[] };
    const results = messages.filter(({ role }) => role === "tool").length;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(bodies[Math.min(results, CALLS)]);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
