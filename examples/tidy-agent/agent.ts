// An agent of somebody else, for 45-another-vendors-agent.ts: a program that asks, and writes a file by its host.
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const output = Writable.toWeb(process.stdout);
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;

acp
  .agent({ name: "tidy" })
  .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest("session/new", () => ({ sessionId: "one" }))
  .onRequest("session/prompt", async ({ params: { sessionId }, client }) => {
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall: { toolCallId: "1", kind: "delete", title: "Remove old drafts" },
      options: [
        { optionId: "yes", kind: "allow_once", name: "Yes" },
        { optionId: "no", kind: "reject_once", name: "No" },
      ],
    });
    const path = join(process.cwd(), "report.md");
    await client.request("fs/write_text_file", { sessionId, path, content: `Drafts: ${JSON.stringify(outcome)}\n` });
    const content = { type: "text" as const, text: "It is tidy. See report.md." };
    await client.notify("session/update", { sessionId, update: { sessionUpdate: "agent_message_chunk", content } });
    return { stopReason: "end_turn" };
  })
  .connect(acp.ndJsonStream(output, input));
