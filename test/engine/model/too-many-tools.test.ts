import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, defineTool, ToolRegistry } from "../../../src/index.js";
import { deferTools } from "../../../src/mcp/index.js";
import { openai } from "../../../src/providers/openai/index.js";

const ANSWER = [{ id: "1", model: "m", choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] }];

/** A server that takes as many tools as the vendor does, and answers what it refuses in the vendor's words. */
async function serveModel(refusal?: { status: number; message: string }) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { length } = JSON.parse(body).tools;
    const message = `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${length} instead.`;
    const refused = refusal ?? (length > 128 ? { status: 400, message } : undefined);
    if (refused) {
      response.writeHead(refused.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: { message: refused.message, type: "invalid_request_error" } }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of ANSWER) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return openai({ model: "m", apiKey: "k", baseURL });
}

function registryOf(count: number): ToolRegistry {
  const make = (_: unknown, index: number) =>
    defineTool({ name: `tool_${index}`, description: `Does ${index}.`, permission: "none", execute: () => "done" });
  return new ToolRegistry(Array.from({ length: count }, make));
}

test("a request with more tools than an API takes fails with what to do, and works once that is done", async () => {
  const provider = await serveModel();
  const tools = registryOf(200);

  const refused = await new AgentEngine({ provider, tools }).run("Hi.");
  const taken = await new AgentEngine({ provider, tools: deferTools(tools) }).run("Hi.");

  expect(refused.error).toMatchObject({ code: "BAD_REQUEST", status: 400, retryable: false });
  expect(refused.error?.message).toMatch(
    /got an array with length 200 instead\. The request had 200 tools, .*deferTools\(\)/,
  );
  expect(taken).toMatchObject({ status: "completed", text: "Hello." });
});

test.each([
  ["is not about the request", 200, { status: 401, message: "Wrong key." }],
  ["has a usual number of tools", 128, { status: 400, message: "Unknown parameter." }],
])("a refusal that %s says nothing of tools", async (_, count, refusal) => {
  const provider = await serveModel(refusal);

  const { error } = await new AgentEngine({ provider, tools: registryOf(count) }).run("Hi.");

  expect(error?.message).toContain(refusal.message);
  expect(error?.message).not.toContain("deferTools");
});
