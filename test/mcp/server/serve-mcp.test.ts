import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { AgentEngine, defineTool, ToolRegistry } from "../../../src/index.js";
import { connectMcp, type ServeMcpOptions, serveMcp } from "../../../src/mcp/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";
import { bundled } from "../../bundled.js";
import { callOf, closing } from "../servers.js";

const PROGRAM = new URL("stdio-program.ts", import.meta.url);

function sampleTools() {
  const seen: string[] = [];
  const add = defineTool<{ a: number; b: number }>({
    name: "add",
    description: "Adds two numbers.",
    permission: "none",
    input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    execute: ({ a, b }) => String(a + b),
  });
  const erase = defineTool({
    name: "erase",
    description: "Erases everything.",
    permission: "execute",
    execute: () => {
      seen.push("erased");
      return "erased";
    },
  });
  const slow = defineTool({
    name: "slow",
    description: "Counts, until it is stopped.",
    permission: "none",
    async *execute(_input, { signal, sessionId }) {
      yield { progress: 1, total: 2, message: "halfway" };
      seen.push(`slow in ${sessionId.slice(0, 4)}`);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      seen.push("stopped");
      return "";
    },
  });
  return { registry: new ToolRegistry([add, erase, slow]), seen, add };
}

async function connectClient(url: string, headers: Record<string, string> = {}, mode: "legacy" | "auto" = "legacy") {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return closing({ client, transport, close: () => client.close() });
}

async function serve(source: AgentEngine | ToolRegistry, options: Partial<ServeMcpOptions> = {}) {
  const server = closing(await serveMcp(source, { transport: {}, ...options }));
  return { server, url: server.url ?? "" };
}

test.each(["legacy", "auto"] as const)(
  "a client lists and calls our tools over HTTP, through the gate (%s)",
  async (mode) => {
    const { registry, seen } = sampleTools();
    const { url } = await serve(registry, {
      gate: createPermissionChecker({ rules: { deny: ["slow"] } }),
      instructions: "Add.",
    });
    const { client } = await connectClient(url, {}, mode);

    const { tools } = await client.listTools();
    const sum = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    const wrong = await client.callTool({ name: "add", arguments: { a: "one" } });
    const asked = await client.callTool({ name: "erase", arguments: {} });
    const denied = await client.callTool({ name: "slow", arguments: {} });
    const unknown = await client.callTool({ name: "nothing", arguments: {} });

    expect(client.getInstructions()).toBe("Add.");
    expect(tools.map(({ name, annotations }) => ({ name, annotations }))).toEqual([
      { name: "add", annotations: { readOnlyHint: true } },
      { name: "erase", annotations: { readOnlyHint: false } },
      { name: "slow", annotations: { readOnlyHint: true } },
    ]);
    expect(sum).toMatchObject({ content: [{ type: "text", text: "3" }] });
    expect(sum.isError).toBeUndefined();
    for (const [result, code] of [
      [wrong, "TOOL_INPUT_INVALID"],
      [asked, "PERMISSION_ASK"],
      [denied, "PERMISSION_DENIED"],
      [unknown, "TOOL_UNKNOWN"],
    ] as const) {
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(`${code}: `) }] });
    }
    expect(seen).toEqual([]);
  },
);

test("a program offers its tools on its standard input and output, and ends with its client", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({ command: process.execPath, args: [await bundled(PROGRAM)] });
  await client.connect(transport);
  const pid = transport.pid ?? 0;

  const sum = await client.callTool({ name: "add", arguments: { a: 2, b: 2 } });
  const asked = await client.callTool({ name: "erase", arguments: {} });
  await client.close();

  expect(sum.content).toEqual([{ type: "text", text: "4" }]);
  expect(asked).toMatchObject({ isError: true });
  expect(() => process.kill(pid, 0)).toThrow();
});

test("our own client and server understand each other; progress and cancellation arrive", async () => {
  const { registry, seen } = sampleTools();
  const { url } = await serve(registry);
  const connection = closing(connectMcp({ name: "ours", url }, { timeoutMs: 50_000 }));
  await connection.ready;
  const stop = new AbortController();

  const context = fakeToolContext({ signal: stop.signal });
  const slow = callOf(connection, "slow", {}, context);
  while (context.updates.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort(new Error("enough"));
  const result = await slow;
  while (!seen.includes("stopped")) await new Promise((resolve) => setTimeout(resolve, 5));

  expect(result).toMatchObject({ status: "aborted" });
  expect(context.updates).toEqual([{ progress: 1, total: 2, message: "halfway" }]);
  expect(seen).toEqual(["slow in mcp-", "stopped"]);
});

test("an approver and hooks are asked, and a new tool reaches the client", async () => {
  const { registry, seen } = sampleTools();
  const asked: unknown[] = [];
  const { url } = await serve(registry, {
    hooks: {
      PreToolUse: [{ run: ({ toolName }) => (toolName === "add" ? { permissionDecision: "deny" } : undefined) }],
    },
    approver: ({ tool, input }) => {
      asked.push({ tool, input });
      return { decision: "allow" };
    },
  });
  const connection = closing(connectMcp({ name: "ours", url }, { timeoutMs: 50_000 }));
  await connection.ready;

  expect(await callOf(connection, "add", { a: 1, b: 1 })).toMatchObject({ isError: true });
  expect(await callOf(connection, "erase")).toMatchObject({ output: "erased" });
  const changed = new Promise<void>((resolve) => connection.on("tools-changed", resolve));
  registry.register(defineTool({ name: "late", description: "Came late.", permission: "none", execute: () => "here" }));
  await changed;

  expect(asked).toEqual([{ tool: "erase", input: {} }]);
  expect(seen).toEqual(["erased"]);
  expect(await callOf(connection, "late")).toMatchObject({ output: "here" });
});

test("what tools hold for a conversation that is forgotten is released, the longest unused first", async () => {
  const ended: string[] = [];
  const holds = defineTool({ name: "hold", description: "Holds.", permission: "none", execute: () => "held" });
  const engine = new AgentEngine({
    provider: scripted([text("Yes.")], { loop: true }),
    tools: [{ ...holds, endSession: async (id) => void (id && ended.push(id)) }],
  });
  const { url } = await serve(engine, { agent: { description: "Says yes." } });
  const { client } = await connectClient(url);
  const ask = (args: Record<string, string>) => client.callTool({ name: "agent", arguments: { prompt: "?", ...args } });

  for (let count = 0; count < 100; count++) await ask({});
  await ask({ conversation: "1" });
  await ask({});

  expect(ended.map((id) => id.replace(/^mcp-.*-/, ""))).toEqual(["2"]);
  expect(await ask({ conversation: "2" })).toMatchObject({ isError: true });
  expect(await ask({ conversation: "1" })).not.toMatchObject({ isError: true });
});

test("an engine is offered with its own gate, or as one tool that is a whole agent", async () => {
  const { registry } = sampleTools();
  const provider = scripted([
    toolCall("add", { a: 20, b: 22 }),
    text("It is 42."),
    text("You are welcome."),
    toolCall("erase", {}),
  ]);
  const permissions = createPermissionChecker({ rules: { deny: ["slow"] } });
  const engine = new AgentEngine({ provider, tools: registry, permissions });
  const tools = await serve(engine);
  const agent = await serve(engine, { agent: { name: "mathematician", description: "Adds." } });
  const [{ client: one }, { client: other }] = await Promise.all([connectClient(tools.url), connectClient(agent.url)]);

  const slow = await one.callTool({ name: "slow", arguments: {} });
  const { tools: offered } = await other.listTools();
  const sum = await other.callTool({ name: "mathematician", arguments: { prompt: "20 + 22?" } });
  const thanks = await other.callTool({ name: "mathematician", arguments: { prompt: "Thanks.", conversation: "1" } });
  const stranger = await other.callTool({ name: "mathematician", arguments: { prompt: "x", conversation: "7" } });
  const erase = await other.callTool({ name: "mathematician", arguments: { prompt: "Erase it all." } });

  expect(slow).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("PERMISSION_DENIED") }] });
  expect(offered.map(({ name }) => name)).toEqual(["mathematician"]);
  expect(sum.content).toEqual([{ type: "text", text: "It is 42.\n\n(conversation: 1)" }]);
  expect(thanks.content).toEqual([{ type: "text", text: "You are welcome.\n\n(conversation: 1)" }]);
  expect(provider.requests[2]?.messages.length).toBeGreaterThan(3);
  expect(stranger).toMatchObject({ isError: true });
  expect(erase).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^PERMISSION_ASK: .*erase/) }],
  });
  provider.assertExhausted();
});

test("requests that name another host, come from another origin, or lack the token are refused", async () => {
  const { registry } = sampleTools();
  const { url } = await serve(registry, { transport: { token: "s3cret" } });
  const { port } = new URL(url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const post = (headers: Record<string, string>) => {
    const init = {
      method: "POST",
      body,
      headers: { "content-type": "application/json", authorization: "Bearer s3cret", ...headers },
    };
    return fetch(url, init).then(({ status }) => status);
  };
  const { request } = await import("node:http");
  const withHost = (host: string) =>
    new Promise((resolve) => {
      request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end(body);
    });

  expect(await withHost("evil.example")).toBe(403);
  expect(await post({ origin: "https://evil.example" })).toBe(403);
  expect(await post({ authorization: "Bearer s3crex" })).toBe(401);
  expect(await post({ "mcp-session-id": "guessed" })).toBe(404);
  await expect(connectClient(url, { authorization: "Bearer s3cret" })).resolves.toBeDefined();
  await expect(serveMcp(registry, { transport: { host: "0.0.0.0" } })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
});

test("a port that is taken is reported, and nothing of the server is left", async () => {
  const { registry } = sampleTools();
  const { url } = await serve(registry);
  const intervals = vi.spyOn(globalThis, "setInterval");
  onTestFinished(() => intervals.mockRestore());

  const second = serveMcp(registry, { transport: { port: Number(new URL(url).port) } });

  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  expect(intervals).not.toHaveBeenCalled();
});

test("the server is gone once it is closed, also with a call under way", async () => {
  const { registry, seen } = sampleTools();
  const { server, url } = await serve(registry);
  const { client } = await connectClient(url);
  const call = client.callTool({ name: "slow", arguments: {} }).catch(() => "gone");
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

  await server.close();

  await server.closed;
  expect(seen).toContain("stopped");
  await client.close();
  expect(await call).toBe("gone");
  await expect(fetch(url)).rejects.toThrow();
});

test("an agent that draws answers with its text and the picture", async () => {
  const png = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  const engine = new AgentEngine({ provider: scripted([["Here:", png], "Nothing drawn."]) });
  const { url } = await serve(engine, { agent: { description: "Draws." } });
  const { client } = await connectClient(url);

  const drawn = await client.callTool({ name: "agent", arguments: { prompt: "Draw." } });
  const plain = await client.callTool({ name: "agent", arguments: { prompt: "And?", conversation: "1" } });

  expect(drawn.content).toEqual([
    { type: "text", text: "Here:\n\n(conversation: 1)" },
    { type: "image", data: png.data, mimeType: "image/png" },
  ]);
  expect(plain.content).toEqual([{ type: "text", text: "Nothing drawn.\n\n(conversation: 1)" }]);
});
