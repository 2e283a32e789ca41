// A chat server on loopback that lets an agent work for long: `node long-answer.mjs <turns>`. Each request is answered with a line
// of text and the call of a reading tool, until the conversation holds so many results.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const turns = Number(process.argv[2]);
const HEAD = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "bench" };
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;

function answer(results: number): string {
  if (results >= turns)
    return `${chunk({ content: "All read." })}${chunk({}, "stop", { usage: USAGE })}data: [DONE]\n\n`;
  const named = { name: "read_file", arguments: JSON.stringify({ path: "long.txt", offset: results + 1, limit: 1 }) };
  const call = { tool_calls: [{ index: 0, id: `call_${results + 1}`, type: "function", function: named }] };
  const said = chunk({ content: `Now line ${results + 1} of **all** that there are.` });
  return `${said}${chunk(call)}${chunk({}, "tool_calls", { usage: USAGE })}data: [DONE]\n\n`;
}

const server = createServer((request, response) => {
  let results = 0;
  let rest = "";
  request.setEncoding("utf8");
  request.on("data", (piece: string) => {
    const parts = (rest + piece).split('"role":"tool"');
    results += parts.length - 1;
    rest = parts.at(-1)!.slice(-12);
  });
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answer(results));
  });
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
