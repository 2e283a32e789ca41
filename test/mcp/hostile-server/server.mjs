// A server with bad habits: `node server.mjs <habit>`. Without one it behaves. It speaks the protocol by hand, since no
// library would let it do what it does. Its harm is harmless: it sleeps, prints and forks, and touches no file.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { HABITS } from "./habits.mjs";

const habit = HABITS[process.argv[2] ?? "none"];
if (!habit) throw new Error(`There is no habit ${process.argv[2]}`);

export const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ECHO = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};

const server = {
  say,
  raw: (text) => process.stdout.write(text),
  spawn,
  /** What it answers, unless a habit says otherwise. */
  answers: {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "hostile", version: "1" },
    }),
    "tools/list": () => ({ tools: [ECHO] }),
    "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: `echo ${args?.text ?? ""}` }] }),
    ping: () => ({}),
  },
  echo: ECHO,
  tool: (name, more = {}) => ({ ...ECHO, name, ...more }),
  /** Called for each message from the client; `true`: it was dealt with. */
  onMessage: () => false,
};

await habit(server);

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (server.onMessage(message)) return;
  const { id, method, params } = message;
  if (id === undefined || method === undefined) return;
  const answer = server.answers[method];
  if (!answer) return say({ id, error: { code: -32601, message: "Method not found" } });
  const result = answer(params ?? {}, id);
  if (result !== undefined) say({ id, result });
});
