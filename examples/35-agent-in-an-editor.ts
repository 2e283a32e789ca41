// Shows: an agent inside an editor, over the Agent Client Protocol; here the official client plays the editor.
// Run:   npx tsx examples/35-agent-in-an-editor.ts
// Expect: the agent reads what the user has not saved, asks before it edits, and the editor writes the file.
import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { AgentEngine } from "loopwright";
import { serveAcp } from "loopwright/acp";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const cwd = await realpath(await mkdtemp(join(tmpdir(), "editor-")));
const file = join(cwd, "greeting.txt");
const provider = scripted([
  toolCall("read_file", { path: "greeting.txt" }),
  toolCall("edit_file", { path: "greeting.txt", old_text: "Helo", new_text: "Hello" }),
  text("Fixed the spelling."),
]);

// In a program of its own, standard input and output take the place of these two streams.
const toAgent = new TransformStream<Uint8Array, Uint8Array>();
const toEditor = new TransformStream<Uint8Array, Uint8Array>();
const server = serveAcp({
  input: toAgent.readable,
  output: toEditor.writable,
  async createEngine(session) {
    const workspace = session.withEditor(await createWorkspace({ root: session.cwd }));
    const permissions = createPermissionChecker({ workspace });
    const engine = new AgentEngine({ provider, tools: builtinTools(workspace), permissions });
    return { engine, close: () => engine.close().then(() => workspace.close()) };
  },
});

// The editor: one buffer that was never saved, and a user who allows what is asked.
const buffers = new Map([[file, "Helo, world.\n"]]);
const shown: string[] = [];
const editor = acp
  .client({ name: "editor" })
  .onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "tool_call") shown.push(update.title);
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      shown.push(update.content.text);
  })
  .onRequest("session/request_permission", ({ params }) => {
    shown.push(`may it? ${params.options.map(({ kind }) => kind).join(", ")}`);
    return { outcome: { outcome: "selected", optionId: params.options[0]!.optionId } };
  })
  .onRequest("fs/read_text_file", ({ params }) => ({ content: buffers.get(params.path) ?? "" }))
  .onRequest("fs/write_text_file", ({ params }) => {
    buffers.set(params.path, params.content);
    return {};
  });

await editor.connectWith(acp.ndJsonStream(toAgent.writable, toEditor.readable), async (agent) => {
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
  await agent.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities });
  const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
  const prompt: acp.ContentBlock[] = [{ type: "text", text: "Fix the spelling of the greeting." }];
  const { stopReason } = await agent.request("session/prompt", { sessionId, prompt });
  assert.equal(stopReason, "end_turn");
});
await server.close();
await rm(cwd, { recursive: true });

for (const line of shown) console.log(line);
assert.equal(buffers.get(file), "Hello, world.\n");
assert.deepEqual(shown, [
  "Read greeting.txt",
  "Edit greeting.txt",
  "may it? allow_once, reject_once, allow_always, reject_always",
  "Fixed the spelling.",
]);
provider.assertExhausted();
