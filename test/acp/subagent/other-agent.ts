// An agent of somebody else, written with the protocol's own SDK, as a program: it does what the lines of its prompt say.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [, , directory = ".", ability = "loadSession"] = process.argv;
const sessions = `${directory}/other-agent-sessions`;
const cancelled = new Map<string, () => void>();

const app = acp
  .agent({ name: "other-agent" })
  .onRequest("initialize", () => ({
    protocolVersion: 1,
    agentInfo: { name: "other-agent", version: "1.0.0" },
    agentCapabilities: { loadSession: ability === "loadSession" },
  }))
  .onRequest("session/new", () => ({ sessionId: `session-${process.pid}` }))
  .onRequest("session/load", ({ params }) => {
    if (!existsSync(sessions) || !readFileSync(sessions, "utf8").includes(params.sessionId)) {
      throw acp.RequestError.resourceNotFound(params.sessionId);
    }
    return {};
  })
  .onNotification("session/cancel", ({ params }) => cancelled.get(params.sessionId)?.())
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
    const update = (one: acp.SessionUpdate) => client.notify("session/update", { sessionId, update: one });
    const say = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    const [block] = prompt;
    for (const line of block?.type === "text" ? block.text.split("\n") : []) {
      const [verb, first = "", ...rest] = line.split(" ");
      const text = rest.join(" ");
      try {
        switch (verb) {
          case "say":
            await say([first, ...rest].join(" "));
            break;
          case "read":
            await say((await client.request("fs/read_text_file", { sessionId, path: first })).content);
            break;
          case "write":
            await client.request("fs/write_text_file", { sessionId, path: first, content: text });
            break;
          case "run": {
            const { terminalId } = await client.request("terminal/create", {
              sessionId,
              command: [first, ...rest].join(" "),
            });
            const exit = await client.request("terminal/wait_for_exit", { sessionId, terminalId });
            const { output } = await client.request("terminal/output", { sessionId, terminalId });
            await say(`${exit.exitCode}: ${output}`);
            break;
          }
          case "ask": {
            writeFileSync(sessions, sessionId);
            const { outcome } = await client.request("session/request_permission", {
              sessionId,
              toolCall: { toolCallId: "own", kind: "execute", title: [first, ...rest].join(" ") },
              options: [
                { optionId: "always", kind: "allow_always", name: "Always" },
                { optionId: "yes", kind: "allow_once", name: "Yes" },
                { optionId: "no", kind: "reject_once", name: "No" },
              ],
            });
            await say(outcome.outcome === "selected" ? outcome.optionId : outcome.outcome);
            break;
          }
          case "use":
            await update({
              sessionUpdate: "usage_update",
              used: Number(first),
              size: 200_000,
              cost: { amount: 0.5, currency: "USD" },
            });
            break;
          case "hang": {
            const child = spawn("sleep", ["600"]);
            appendFileSync(`${directory}/pids`, `${process.pid} ${child.pid}`);
            await new Promise<void>((resolve) => cancelled.set(sessionId, resolve));
            return { stopReason: "cancelled" };
          }
          case "die":
            process.stderr.write("I cannot go on.\n");
            process.exit(3);
        }
      } catch (error) {
        await say(`failed: ${(error as Error).message}`);
      }
    }
    if (block?.type === "text" && block.text.startsWith("You were started again.")) await say(block.text);
    return { stopReason: "end_turn" };
  });

app.connect(
  acp.ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);
