// Pi, by the AI SDK's own adapter, as a sub-agent of ours: its model is on loopback, its tools work in a directory.
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createPi } from "@ai-sdk/harness-pi";
import { expect, onTestFinished, test } from "vitest";
import { harnessSubagent } from "../../../src/ai-sdk/index.js";
import { AgentEngine } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { serve } from "../../http/loopback.js";
import { newDirectory } from "./hosts.js";
import { localSandbox } from "./local-sandbox.js";

/** A model behind the Chat Completions API: it writes a file, and then says so. */
async function loopbackModel() {
  const server = await serve(async (request) => {
    const { messages } = (await request.json()) as { messages: { role: string }[] };
    const call = { name: "write", arguments: JSON.stringify({ file_path: "a.txt", content: "from pi" }) };
    const isFirst = !messages.some(({ role }) => role === "tool");
    const delta = isFirst
      ? { role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] }
      : { role: "assistant", content: "It is written." };
    const chunk = (choices: unknown[], more = {}) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more })}\n\n`;
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    const body = [
      chunk([{ index: 0, delta, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: isFirst ? "tool_calls" : "stop" }]),
      chunk([], { usage }),
      "data: [DONE]\n\n",
    ];
    return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
  });
  onTestFinished(server.close);
  return { url: server.url };
}

test("pi asks our approver before it writes, works in its sandbox, and its usage counts", async () => {
  const directory = newDirectory();
  const { url } = await loopbackModel();
  const model = {
    id: "m",
    name: "m",
    reasoning: false,
    input: ["text" as const],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 1_000,
  };
  const harness = createPi({
    agentDir: join(directory, "agent"),
    providers: { loopback: { baseUrl: `${url}/v1`, apiKey: "none", api: "openai-completions", models: [model] } },
  });
  const asked: string[] = [];
  const sessionWorkDir = join(directory, "work");
  await mkdir(sessionWorkDir);
  const pi = harnessSubagent({
    harness,
    name: "pi",
    description: "Fixes small things.",
    model: "loopback/m",
    sandbox: async () => ({ sandboxSession: await localSandbox(directory).createSession({}), sessionWorkDir }) as never,
  });
  const provider = scripted([toolCall("pi", { prompt: "Write a.txt." }), text("Done.")]);
  const engine = new AgentEngine({
    provider,
    tools: [pi],
    approver: ({ tool }) => {
      asked.push(tool);
      return { decision: "allow" };
    },
  });

  const result = await engine.run("Go.");

  expect(provider.requests[1]?.lastToolResult?.output).toBe("It is written.");
  expect(asked).toEqual(["pi", "pi_permission"]);
  expect(readFileSync(join(sessionWorkDir, "a.txt"), "utf8")).toBe("from pi");
  expect(result.usage.inputTokens).toBe(20 + 200);
});
