import { afterEach, expect, test } from "vitest";
import {
  chatChunks,
  createFaultServer,
  type FaultScript,
  type FaultServer,
  sse,
} from "../../../src/testing/fault-server/index.js";

let server: FaultServer;

afterEach(() => server.close());

async function ask(script: FaultScript, init: RequestInit = {}): Promise<Response> {
  server = await createFaultServer(script);
  return fetch(`${server.url}/chat/completions`, { method: "POST", body: '{"a":1}', ...init });
}

/** The sizes of the packets as they arrive. */
async function packets(response: Response): Promise<{ sizes: number[]; error: unknown }> {
  const sizes: number[] = [];
  try {
    for await (const packet of response.body as unknown as AsyncIterable<Uint8Array>) sizes.push(packet.length);
  } catch (error) {
    return { sizes, error };
  }
  return { sizes, error: undefined };
}

test("bytes split at offsets arrive in packets of their own", async () => {
  const response = await ask({ body: "abcdefghij", splitAt: [8, 3, 3, 99] });

  expect(await packets(response)).toEqual({ sizes: [3, 5, 2], error: undefined });
});

test("bytes split at every so many arrive so", async () => {
  expect((await packets(await ask({ body: "abcdefg", splitEvery: 3 }))).sizes).toEqual([3, 3, 1]);
});

test("a cut body ends in good order or by a reset", async () => {
  const closed = await packets(await ask({ body: "abcdef", cutAt: 4 }));
  await server.close();
  const reset = await packets(await ask({ body: "abcdef", cutAt: 4, end: "reset" }));

  expect(closed).toEqual({ sizes: [4], error: undefined });
  expect(reset.error).toBeDefined();
});

test("status, headers and compression are as scripted", async () => {
  const response = await ask({
    status: 429,
    headers: { "retry-after": "3", "content-type": "text/plain" },
    body: "slow",
    gzip: true,
  });

  expect([response.status, response.headers.get("retry-after"), response.headers.get("content-encoding")]).toEqual([
    429,
    "3",
    "gzip",
  ]);
  expect(await response.text()).toBe("slow");
});

test("replies come in turn, the last goes on, and requests are kept", async () => {
  const first = await ask([{ body: "1" }, { body: "2" }]);
  const others = [await fetch(server.url), await fetch(server.url)];

  expect(await Promise.all([first, ...others].map((response) => response.text()))).toEqual(["1", "2", "2"]);
  expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["POST", "/v1/chat/completions", { a: 1 }],
    ["GET", "/v1", ""],
    ["GET", "/v1", ""],
  ]);
  expect(await server.requests[0]!.left).toBe(false);
});

test("a script that fails answers 500 with the reason", async () => {
  const response = await ask(() => {
    throw new Error("no such reply");
  });

  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("no such reply")]);
});

test("a flood ends when its bytes are gone or the client leaves", async () => {
  const bounded = await packets(await ask({ body: "x".repeat(1_000), floodBytes: 10_000 }));
  await server.close();
  const controller = new AbortController();
  const endless = await ask(
    { body: "x".repeat(1_000), floodBytes: Number.POSITIVE_INFINITY },
    { signal: controller.signal },
  );
  await endless.body!.getReader().read();
  controller.abort();

  expect(bounded.sizes.reduce((sum, size) => sum + size, 0)).toBe(10_000);
  expect(await server.requests[0]!.left).toBe(true);
});

test("closing ends stalled responses and frees the port", async () => {
  const response = await ask({ body: "abc", end: "stall" });
  const reading = packets(response);
  await server.close();

  expect((await reading).error).toBeDefined();
  await expect(fetch(server.url)).rejects.toThrow();
});

test("chunks spell an answer in pieces, and events can be written in every dialect", () => {
  const chunks = chatChunks({
    text: "abc",
    toolCalls: [{ name: "t", arguments: { a: 1 } }],
    pieceSize: 2,
    usage: { prompt_tokens: 1 },
  });

  expect(chunks.map(({ choices }) => (choices as { delta?: object }[])[0]?.delta)).toEqual([
    { role: "assistant", content: "" },
    { content: "ab" },
    { content: "c" },
    { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "t", arguments: "" } }] },
    ...['{"', 'a"', ":1", "}"].map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    {},
    undefined,
  ]);
  expect(sse([{ a: 1 }, "raw"], { newline: "\r\n", comment: "hi" })).toBe(
    ': hi\r\n\r\ndata: {"a":1}\r\n\r\n: hi\r\n\r\ndata: raw\r\n\r\n: hi\r\n\r\ndata: [DONE]\r\n\r\n',
  );
});
