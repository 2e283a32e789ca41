import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ChunkReader } from "../../../../src/providers/openai/chat/chunk-reader.js";
import { joinURL } from "../../../../src/providers/shared/http/base-url.js";
import { Connection, type ConnectionSettings } from "../../../../src/providers/shared/http/connection.js";
import { readEnvironmentKey, readEnvironmentURL } from "../../../../src/providers/shared/http/connection-options.js";
import { ResponseStream } from "../../../../src/providers/shared/http/response-stream.js";
import type { HttpResponse } from "../../../../src/providers/shared/http/transport.js";
import { collect } from "../../../../src/testing/contract-case.js";
import { createFaultServer, type FaultServer } from "../../../../src/testing/fault-server/index.js";

const KEY = "sk-live-0123456789abcdef";
const servers: FaultServer[] = [];

async function serve(...[script]: Parameters<typeof createFaultServer>): Promise<FaultServer> {
  const server = await createFaultServer(script);
  servers.push(server);
  return server;
}

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function connect(baseURL: string, settings: Partial<ConnectionSettings> = {}): Connection {
  const headers = { "x-api-key": KEY, authorization: `Bearer ${KEY}` };
  return new Connection({ provider: "p", model: "m", baseURL, headers, secrets: [KEY], ...settings });
}

async function textOf({ body }: HttpResponse): Promise<string> {
  const reader = body!.getReader();
  let text = "";
  for (let packet = await reader.read(); packet.value; packet = await reader.read()) {
    text += Buffer.from(packet.value).toString();
  }
  return text;
}

const live = () => new AbortController().signal;

function redirect(status: number, location: string) {
  return { status, headers: { location, "content-type": "text/html" }, body: "<html>moved</html>" };
}

test("a body is posted as JSON with the headers of connection and request", async () => {
  const server = await serve({ body: "{}" });

  const response = await connect(server.url).post("/messages?beta=true", { a: "ä" }, live(), { "x-one": "1" });

  expect(await textOf(response)).toBe("{}");
  expect(server.requests[0]).toMatchObject({ method: "POST", path: "/v1/messages?beta=true", body: { a: "ä" } });
  expect(server.requests[0]!.headers).toMatchObject({
    "content-type": "application/json",
    "x-api-key": KEY,
    "x-one": "1",
  });
});

for (const status of [301, 307, 308]) {
  test(`a redirect ${status} on the same origin repeats the request`, async () => {
    const server = await serve([redirect(status, "/v2/chat"), { body: "done" }]);

    const response = await connect(server.url).post("/chat", { a: 1 }, live());

    expect(await textOf(response)).toBe("done");
    expect(server.requests[1]).toMatchObject({ method: "POST", path: "/v2/chat", body: { a: 1 } });
  });
}

test("no redirect takes keys or the conversation to another origin", async () => {
  const thief = await serve({ body: "{}" });
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await serve(redirect(status, `${thief.url}/chat`));

    const posting = connect(server.url).post("/chat", { secret: "conversation" }, live());

    await expect(posting).rejects.toMatchObject({
      code: "BAD_REQUEST",
      status,
      message: expect.stringContaining(`redirects to "${new URL(thief.url).origin}"`),
    });
  }
  expect(thief.requests).toEqual([]);
});

test("redirects that lead nowhere, turn a POST into a GET or never end are refused", async () => {
  for (const [reply, sent] of [
    [{ status: 307 }, 1],
    [redirect(302, "/login"), 1],
    [redirect(307, "http://["), 1],
    [redirect(307, "/again"), 4],
  ] as const) {
    const server = await serve(reply);

    await expect(connect(server.url).post("/chat", {}, live())).rejects.toMatchObject({
      code: "BAD_REQUEST",
      retryable: false,
      message: expect.stringContaining("check baseURL"),
    });
    expect(server.requests).toHaveLength(sent);
  }
});

test("a browser's hidden redirect is refused", async () => {
  const fetch = async () => Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });

  await expect(connect("http://localhost/v1", { fetch }).post("/chat", {}, live())).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("check baseURL"),
  });
});

test("a long conversation arrives whole, also behind a redirect, and the host's own fetch gets it as text", async () => {
  const server = await serve([{ body: "{}" }, redirect(307, "/v1/there"), { body: "{}" }]);
  const body = {
    messages: Array.from({ length: 500 }, (_, at) => ({ role: "user", content: `${at} ⇥🙂 `.repeat(20) })),
  };
  const taken: unknown[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    taken.push(init.body);
    return new Response("ok");
  };

  for (let times = 0; times < 2; times++) await connect(server.url).post("/chat", body, live());
  await connect("http://localhost/v1", { fetch }).post("/chat", body, live());

  expect(server.requests.map((request) => request.body)).toEqual([body, body, body]);
  expect(taken).toEqual([JSON.stringify(body)]);
});

test("the host's own fetch is used, as a plain function", async () => {
  const seen: unknown[] = [];
  async function fetch(this: unknown, url: string, init: RequestInit) {
    seen.push(this, url, init.method);
    return new Response("ok");
  }

  await connect("http://localhost/v1/", { fetch }).post("/chat", {}, live());

  expect(seen).toEqual([undefined, "http://localhost/v1/chat", "POST"]);
});

test("without a fetch the error says what to pass", async () => {
  vi.stubGlobal("fetch", undefined);

  await expect(connect("http://localhost/v1").post("/chat", {}, live())).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining('"fetch"'),
  });
});

test("an abort closes the connection while the head, the body or a refusal is awaited", async () => {
  for (const reply of [
    { delayMs: 60_000 },
    { body: "data: 1\n\n", end: "stall" },
    { status: 500, end: "stall" },
  ] as const) {
    const server = await serve(reply);
    const controller = new AbortController();
    const reading = connect(server.url)
      .events("/chat", {}, controller.signal)
      .then((events) => collect(events));
    reading.catch(() => {});
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));

    controller.abort();

    await expect(reading).rejects.toBeDefined();
    expect(await server.requests[0]!.left).toBe(true);
  }
});

test("a response without a stream of bytes is read as a string", async () => {
  const text = 'data: {"a":1}\n\ndata: [DONE]\n\n';
  const fetch = async () => ({ ok: true, status: 200, body: null, text: async () => text }) as unknown as Response;

  const events = await connect("http://localhost/v1", { fetch }).events("/chat", {}, live());

  expect(await collect(events)).toEqual([[{ a: 1 }]]);
});

test("a body that cannot be written is not a failed connection", async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;

  await expect(connect("http://localhost/v1").post("/chat", circular, live())).rejects.toMatchObject({
    code: "PROVIDER_FAILED",
    retryable: false,
  });
});

test("a response that is called compressed and is not says so, or can be left", async () => {
  const plain = createServer((asked, answer) => {
    answer.writeHead(200, { "content-encoding": "gzip" });
    // With the head, or behind it: then the fetch of Node before 26 waits for ever.
    if (asked.url === "/late/x") answer.flushHeaders();
    setTimeout(() => answer.end("data: {}\n\n"), asked.url === "/late/x" ? 20 : 0);
  });
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => plain.closeAllConnections());
  onTestFinished(() => void plain.close());
  const base = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  const { failures } = connect(base);

  const early: unknown = await (await connect(base).events("/x", {}, live())).next().catch((thrown: unknown) => thrown);
  const host = new AbortController();
  const reader = new ChunkReader("p", () => new Set());
  const open = (signal: AbortSignal) => connect(`${base}/late`).events("/x", {}, signal);
  const late = new ResponseStream({ reader, request: host, failures, open }).next();
  setTimeout(() => host.abort(new Error("enough")), 60);

  expect(failures.streaming(early)).toMatchObject({
    code: "STREAM_BROKEN",
    retryable: true,
    message: expect.stringMatching(/compressed, and it cannot be unpacked.*Check what stands between/),
  });
  await expect(late).rejects.toThrow(/enough|cannot be unpacked/);
});

test("the beginning of a compressed stream arrives before its end is sent", async () => {
  const { createGzip } = await import("node:zlib");
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/event-stream" });
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write('data: {"a":1}\n\n');
    gzip.flush();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const controller = new AbortController();

  const events = await connect(`http://127.0.0.1:${port}`).events("/chat", {}, controller.signal);
  const first = await events.next();
  controller.abort();
  server.closeAllConnections();
  server.close();

  expect(first).toEqual({ done: false, value: [{ a: 1 }] });
});

test("a path is put below any base URL, whose query is kept", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["https://a.test", "/chat", "https://a.test/chat"],
    ["https://a.test/v1/", "/chat", "https://a.test/v1/chat"],
    ["https://a.test/v1/chat", "/chat", "https://a.test/v1/chat"],
    ["https://a.test/v1?api-version=1", "/m:stream?alt=sse", "https://a.test/v1/m:stream?api-version=1&alt=sse"],
    ["https://a.test/v1#x", "/chat", "https://a.test/v1/chat"],
  ];
  for (const [baseURL, path, expected] of cases) expect(joinURL(baseURL, path)).toBe(expected);
});

test("the environment's key and address are trimmed and checked, and never repeated", () => {
  vi.stubEnv("A_KEY", "");
  vi.stubEnv("B_KEY", ` ${KEY}\n`);
  expect(readEnvironmentKey("A_KEY", "B_KEY")).toBe(KEY);
  expect(readEnvironmentKey("A_KEY")).toBeUndefined();

  vi.stubEnv("A_KEY", `${KEY}\n${KEY}`);
  expect(() => readEnvironmentKey("A_KEY")).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", message: expect.not.stringContaining(KEY) }),
  );
  vi.stubEnv("A_URL", `http://user:${KEY}@localhost`);
  expect(() => readEnvironmentURL("A_URL")).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", message: expect.not.stringContaining(KEY) }),
  );
});
