import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  anthropicEvents,
  chatChunks,
  googleChunks,
  namedSse,
  responseEvents,
  sse,
} from "../../src/testing/fault-server/index.js";
import { createMemoryWorkspace, workspaceContract } from "../../src/testing/index.js";
import { openChromium } from "./chromium.js";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const PROGRAM = `
import { AgentEngine, defineTool } from "./index.ts";
import { scripted, text, toolCall } from "./providers/scripted/index.ts";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  permission: "none",
  input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: async ({ a, b }) => String(a + b),
});
const remove = defineTool({
  name: "remove",
  description: "Removes something.",
  permission: "read_write",
  execute: async () => "removed",
});

window.runAgent = async () => {
  const provider = scripted([
    [toolCall("add", { a: 2, b: 3 }), toolCall("add", { a: "two" }), toolCall("remove", {})],
    text("It is 5.", { chunkSize: 3 }),
  ]);
  const engine = new AgentEngine({ provider, tools: [add, remove] });
  const run = engine.stream("What is 2 + 3?");
  const events = [];
  for await (const event of run) events.push(event.type);
  const first = await run.result;
  const answers = first.pending.map(({ id }) => ({ id, decision: "allow" }));
  const second = engine.resume(first.sessionId, { answers });
  let streamed = "";
  for await (const event of second) if (event.type === "text-delta") streamed += event.text;
  const result = await second.result;
  await second.idle;
  const results = provider.requests[1].lastToolResults.map(({ output, isError }) => ({ output, isError }));
  return { first: first.status, events: events.length, status: result.status, text: result.text, streamed, results };
};
`;

/** One agent for each fetch provider: a call, its result, an answer, over real HTTP. */
const PROVIDERS = `
import { AgentEngine, defineTool } from "./index.ts";
import { anthropic } from "./providers/anthropic/index.ts";
import { google } from "./providers/google/index.ts";
import { openai } from "./providers/openai/index.ts";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  permission: "none",
  input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: async ({ a, b }) => String(a + b),
});
const at = (api) => ({ model: "m", apiKey: "k", baseURL: location.origin + "/" + api + "/v1" });
const providers = {
  chat: () => openai(at("chat")),
  responses: () => openai({ ...at("responses"), api: "responses" }),
  anthropic: () => anthropic(at("anthropic")),
  google: () => google(at("google")),
};

window.runProvider = async (api) => {
  const engine = new AgentEngine({ provider: providers[api](), tools: [add] });
  const run = engine.stream("What is 2 + 3?");
  let streamed = "";
  for await (const event of run) if (event.type === "text-delta") streamed += event.text;
  const { status, turns } = await run.result;
  return { status, turns, streamed };
};
`;

/** Every case of the contract of workspaces, over just-bash in the page; the answer is what failed. */
const WORKSPACES = `
import { Bash } from "just-bash";
import { workspaceContract } from "./testing/workspace/workspace-contract.ts";
import { createJustBashWorkspace } from "./workspace/browser/entry.ts";

window.runContract = async () => {
  const cases = workspaceContract(() => createJustBashWorkspace({ bash: new Bash() }));
  const failed = [];
  for (const { name, run } of cases) await run().catch((error) => failed.push(name + ": " + error.message));
  return { passed: cases.length - failed.length, failed };
};
`;
/** What the build of the package puts in the place of Node; just-bash needs the last. */
const IN_A_PAGE = {
  "node:path": join(SRC, "workspace/browser/node.ts"),
  "node:events": join(SRC, "workspace/browser/node.ts"),
  "node:zlib": fileURLToPath(new URL("no-zlib.mjs", import.meta.url)),
};

/** What the model of each API says: a call, and once it has the result, an answer. */
const BODIES: Readonly<Record<string, (answer: { text: string; toolCalls?: ToolCalls }) => string>> = {
  chat: (answer) => sse(chatChunks(answer)),
  responses: (answer) => sse(responseEvents(answer), { named: true, done: false }),
  anthropic: (answer) => namedSse(anthropicEvents(answer)),
  google: (answer) => sse(googleChunks(answer), { done: false }),
};
type ToolCalls = { name: string; arguments: { a: number; b: number } }[];

const PAGES: Readonly<Record<string, string>> = {
  "/": "/app.js",
  "/providers": "/providers.js",
  "/workspaces": "/workspaces.js",
};

let server: Server;
let context: BrowserContext;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const scripts = new Map([
    ["/app.js", await bundle(PROGRAM)],
    ["/providers.js", await bundle(PROVIDERS)],
    ["/workspaces.js", await bundle(WORKSPACES, IN_A_PAGE)],
  ]);
  server = createServer(async (request, response) => {
    const url = request.url ?? "/";
    const script = scripts.get(url);
    if (request.method === "POST") {
      let sent = "";
      for await (const piece of request) sent += piece;
      const hasResult = /"(role":"tool|function_call_output|tool_result|functionResponse)"/.test(sent);
      const toolCalls = [{ name: "add", arguments: { a: 2, b: 3 } }];
      response.setHeader("content-type", "text/event-stream");
      response.end(BODIES[url.split("/")[1]!]!(hasResult ? { text: "It is 5." } : { text: "", toolCalls }));
      return;
    }
    response.setHeader("content-type", script ? "text/javascript" : "text/html");
    response.end(script ?? `<!doctype html><script src="${PAGES[url] ?? "/app.js"}"></script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ context, close } = await openChromium());
});

afterAll(async () => {
  await close?.();
  server?.close();
});

async function bundle(contents: string, alias: Record<string, string> = {}): Promise<string> {
  const stdin = { contents, resolveDir: SRC, loader: "ts" } as const;
  const platform = { platform: "browser", define: { "process.platform": '"linux"' }, alias } as const;
  const { outputFiles } = await build({ stdin, bundle: true, ...platform, format: "iife", write: false });
  return outputFiles[0]!.text;
}

test.each(Object.keys(BODIES))("the fetch provider %s works in a real browser", async (api) => {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/providers`);

  const outcome = await page.evaluate(
    (name) => (window as unknown as { runProvider(api: string): Promise<unknown> }).runProvider(name),
    api,
  );

  expect(faults).toEqual([]);
  expect(outcome).toEqual({ status: "completed", turns: 2, streamed: "It is 5." });
});

test("a workspace over just-bash keeps the whole contract inside a real browser", async () => {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/workspaces`);

  const outcome = await page.evaluate(() => (window as unknown as { runContract(): Promise<unknown> }).runContract());

  expect(faults).toEqual([]);
  expect(outcome).toEqual({ passed: workspaceContract(() => createMemoryWorkspace()).length, failed: [] });
});

test("an agent runs, suspends and resumes inside a real browser", async () => {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  const outcome = await page.evaluate(() => (window as unknown as { runAgent(): Promise<unknown> }).runAgent());

  expect(faults).toEqual([]);
  expect(outcome).toEqual({
    first: "needs-approval",
    events: expect.any(Number),
    status: "completed",
    text: "It is 5.",
    streamed: "It is 5.",
    results: [
      { output: "5", isError: false },
      { output: expect.stringContaining('"a": expected number, got string "two"'), isError: true },
      { output: "removed", isError: false },
    ],
  });
});
