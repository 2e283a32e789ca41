import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectMcp } from "../../../src/mcp/index.js";
import { callOf, closing, published, whenStatus } from "../servers.js";

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The published server, as a process of its own, on a port that nobody else has taken meanwhile. */
async function startEverything(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port) };
  const child = spawn(process.execPath, [published("everything"), "streamableHttp"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const started = closing({ port, close });
  let printed = "";
  for await (const chunk of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (!printed.includes("listening on port")) continue;
    child.stderr.resume();
    return started;
  }
  if (printed.includes("already in use")) return startEverything();
  throw new Error(`The server ended before it listened: ${printed}`);
}

/** A port of our own that leads to whichever server is behind it: it stays while servers come and go. */
async function stablePort(): Promise<{ readonly port: number; leadTo(port: number): void }> {
  let behind = 0;
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    const onward = connect(behind, "127.0.0.1");
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const leadTo = (port: number) => {
    behind = port;
  };
  return { port: (server.address() as AddressInfo).port, leadTo };
}

test("a server at a URL is used like one that is a program, and connected again after it was restarted", async () => {
  const { port, leadTo } = await stablePort();
  const first = await startEverything();
  leadTo(first.port);
  const connection = closing(
    connectMcp(
      { name: "everything", url: `http://127.0.0.1:${port}/mcp` },
      { reconnect: { baseMs: 50, maxMs: 100, maxAttempts: 1_000 }, timeoutMs: 50_000 },
    ),
  );
  await connection.ready;
  const before = connection.tools();

  const echo = await callOf(connection, "echo", { message: "over HTTP" });
  const long = await callOf(connection, "trigger-long-running-operation", { duration: 0.2, steps: 2 });
  await first.close();
  leadTo(0);
  const meanwhile = await callOf(connection, "echo", { message: "anybody?" });
  await whenStatus(connection, "disconnected");
  leadTo((await startEverything()).port);
  await whenStatus(connection, "connected");
  const after = await callOf(connection, "echo", { message: "back" });

  expect(echo).toMatchObject({ output: "Echo: over HTTP" });
  expect(long.context.updates).toHaveLength(2);
  expect(meanwhile).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(connection.tools().map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  expect(after).toMatchObject({ output: "Echo: back" });
});

test("headers go to the server, and a redirect to another host is not followed with them", async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(`elsewhere ${request.headers.authorization}`);
    response.end();
  }).listen(0, "127.0.0.1");
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const { port } = elsewhere.address() as AddressInfo;
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
  }).listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(elsewhere, "listening")]);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const connection = closing(
    connectMcp({ name: "redirecting", url, headers: { authorization: "Bearer hush" } }, { reconnect: false }),
  );

  await expect(connection.ready).rejects.toMatchObject({ code: "MCP_FAILED" });
  for (const each of [server, elsewhere]) {
    each.closeAllConnections();
    each.close();
  }

  expect(seen).toEqual(["Bearer hush"]);
});

/** A server by hand: what it answers to each request. */
async function serveByHand(
  answer: (method: string, id: unknown) => { type: string; body: string; status?: number; cut?: boolean },
) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { method, id } = JSON.parse(text);
    if (id === undefined) return void response.writeHead(202).end();
    const { type, body, status = 200, cut } = answer(method, id);
    response.writeHead(status, { "content-type": type });
    if (cut) return void response.write(body, () => response.destroy());
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  closing({ close });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const json = (id: unknown, result: object) => ({
  type: "application/json",
  body: JSON.stringify({ jsonrpc: "2.0", id, result }),
});
const WELL: Record<string, object> = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } },
  "tools/list": { tools: [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }] },
  ping: {},
};

test.each([
  [
    "a stream that ends without a response",
    { type: "text/event-stream", body: ": nothing\n\n" },
    /ended before its response had come/,
  ],
  [
    "a stream that is cut off",
    { type: "text/event-stream", body: 'data: {"js', cut: true },
    /ended before its response had come/,
  ],
  ["a page of HTML", { type: "text/html", body: "<h1>It works!</h1>" }, /content type/i],
  ["an error of the gateway", { type: "text/html", body: "<h1>502</h1>", status: 502 }, /502/],
  [
    "more than fits",
    { type: "application/json", body: " ".repeat(40_000_000) },
    /gave no usable answer: the server sent more than 32 MiB at once\. Its work may be half done/,
  ],
])("%s instead of a response is a clear error", async (_what, reply, message) => {
  const url = await serveByHand((method, id) => (method === "tools/call" ? reply : json(id, WELL[method] ?? {})));
  const connection = closing(connectMcp({ name: "byhand", url }, { timeoutMs: 50_000 }));
  await connection.ready;

  const result = await callOf(connection, "echo");

  expect(result).toMatchObject({ isError: true, status: "failure" });
  expect(result.output).toMatch(message);
});

test("a session that the server has forgotten is replaced", async () => {
  let isForgotten = false;
  const url = await serveByHand((method, id) => {
    if (isForgotten && method !== "initialize") return { type: "application/json", body: "{}", status: 404 };
    isForgotten = false;
    return json(id, method === "tools/call" ? { content: [{ type: "text", text: "done" }] } : (WELL[method] ?? {}));
  });
  const connection = closing(connectMcp({ name: "byhand", url }, { timeoutMs: 50_000, reconnect: { baseMs: 10 } }));
  await connection.ready;
  isForgotten = true;

  const lost = await callOf(connection, "echo");
  await whenStatus(connection, "disconnected");
  await whenStatus(connection, "connected");

  expect(lost).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(await callOf(connection, "echo")).toMatchObject({ output: "done" });
});
