import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createWebFetchTool, type WebFetchOptions } from "../../../src/tools/web/web-fetch.js";
import { callTool } from "../call-tool.js";

/** How long what is waited for may take on a busy machine. */

const MIB = 1024 * 1024;

/** A web server on this machine, gone after the test; `lookup` leads every name to it. */
async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const local = {
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    dangerouslyAllowPrivateAddresses: true,
  };
  const read = (path: string, options: WebFetchOptions = {}, context = {}) =>
    callTool(createWebFetchTool({ ...local, ...options }), { url: `http://site.example:${port}${path}` }, context);
  return { port, server, read };
}

/** A page of a server that always answers the same. */
async function page(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200) {
  const { read } = await serve((_request, response) => response.writeHead(status, headers).end(body));
  return read("/");
}

const publicLookup = async () => [{ address: "93.184.216.34", family: 4 }];
const from = (answer: (url: string) => Response, options: WebFetchOptions = {}) =>
  createWebFetchTool({ lookup: publicLookup, fetch: async (url) => answer(url), ...options });

// ── what is read ────────────────────────────────────────────────────────────────────────────────────────────────────

test("HTML comes as Markdown, with where it is from", async () => {
  const { text, details } = await page("<head><title>t</title></head><h1>Cats</h1><p>All <b>about</b> cats.</p>", {
    "content-type": "text/html; charset=utf-8",
  });

  expect(text).toMatch(
    /^\[http:\/\/site\.example:\d+\/: text\/html, 71 bytes\]\n\n# Cats\n\nAll \*\*about\*\* cats\.$/,
  );
  expect(details).toMatchObject({ status: 200, bytes: 71, cut: false });
});

test.each([
  ["text/plain", "a <b>\n"],
  ["application/json", '{ "a": [1, 2] }'],
  ["application/vnd.api+json; charset=utf-8", "{}"],
  ["text/markdown", "# A"],
  ["application/xml", "<a/>"],
  ["", "just text"],
])("%s comes as it is", async (type, body) => {
  const { text } = await page(body, type ? { "content-type": type } : {});

  expect(text.split("\n\n").slice(1).join("\n\n")).toBe(body);
});

test.each([
  ["the header", Buffer.from("caf\u00e9", "latin1"), "text/plain; charset=ISO-8859-1"],
  ["the header, quoted", Buffer.from("caf\u00e9", "latin1"), 'text/plain; charset="latin1"'],
  ["a mark", Buffer.from("\ufeffcaf\u00e9", "utf16le"), "text/plain; charset=utf-8"],
  ["the page", Buffer.from('<meta charset="windows-1252">caf\u00e9', "latin1"), "text/html"],
  ["the page, the old way", Buffer.from("<META content='text/html; charset=latin1'>caf\u00e9", "latin1"), "text/html"],
  ["nothing", Buffer.from("caf\u00e9"), "text/plain"],
  ["a label nobody knows", Buffer.from("caf\u00e9"), "text/plain; charset=klingon"],
])("the charset is reported by %s", async (_what, body, type) => {
  expect((await page(body, { "content-type": type })).text).toMatch(/\n\ncafé$/);
});

test("a page without a type is read by what it is", async () => {
  expect((await page("  <!DOCTYPE html><p>Hi <b>you</b>")).text).toMatch(/\n\nHi \*\*you\*\*$/);
  await expect(page(Buffer.from([0x89, 0x50, 0, 1]))).rejects.toMatchObject({ code: "FETCH_FAILED" });
});

test("what is not text is refused with type and size", async () => {
  const refusal = page(Buffer.alloc(12_345), { "content-type": "application/pdf", "content-length": "12345" });

  await expect(refusal).rejects.toMatchObject({
    code: "FETCH_FAILED",
    message: expect.stringContaining("is not text: application/pdf, 12,345 bytes"),
  });
});

test("an HTTP error is an error result that shows what the page says", async () => {
  const { read } = await serve((_request, response) =>
    response.writeHead(404, { "content-type": "text/html" }).end("<h1>Gone</h1>"),
  );

  const { text, details } = await read("/x");

  expect(text).toMatch(/was answered with HTTP 404\.\n\n# Gone$/);
  expect(details).toMatchObject({ code: "FETCH_FAILED", status: 404 });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("a page compressed with %s is read", async (encoding, compress) => {
  const headers = { "content-type": "text/plain", "content-encoding": encoding };

  expect((await page(compress("hello"), headers)).text).toMatch(/hello$/);
  await expect(page("this is no such thing", headers)).rejects.toMatchObject({ code: "FETCH_FAILED" });
});

test("an encoding nobody asked for is an error, and terminal sequences are removed", async () => {
  const type = { "content-type": "text/plain" };

  for (const encoding of ["zstd", "gzip, gzip", "constructor"]) {
    const refusal = page("x", { ...type, "content-encoding": encoding });
    await expect(refusal).rejects.toMatchObject({ code: "FETCH_FAILED" });
  }
  expect((await page("a\u001b[31mb\0", { ...type, "content-encoding": "identity" })).text).toMatch(/\n\nab$/);
});

// ── what is sent ────────────────────────────────────────────────────────────────────────────────────────────────────

test("no cookie, credential or referrer is sent, also not to the next page", async () => {
  const seen: object[] = [];
  const { read } = await serve(({ headers, method, url }, response) => {
    seen.push({ method, url, names: Object.keys(headers).sort() });
    const headersOut = { "set-cookie": "id=1", location: "/b", "content-type": "text/plain" };
    response.writeHead(url === "/a" ? 302 : 200, headersOut).end("b");
  });

  await read("/a");

  const names = ["accept", "accept-encoding", "connection", "host", "user-agent"];
  expect(seen).toEqual(["/a", "/b"].map((url) => ({ method: "GET", url, names })));
});

// ── where it goes ───────────────────────────────────────────────────────────────────────────────────────────────────

test("the connection goes to the address that was checked: a name is resolved once", async () => {
  const { port } = await serve((_request, response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end("here"),
  );
  const answers = ["127.0.0.1", "127.0.0.2"];
  const tool = createWebFetchTool({
    lookup: async () => [{ address: answers.shift()!, family: 4 }],
    dangerouslyAllowPrivateAddresses: true,
  });

  const { text } = await callTool(tool, { url: `http://rebinding.example:${port}/` });

  expect(text).toMatch(/here$/);
  expect(answers).toEqual(["127.0.0.2"]);
});

test("without the option for tests nothing on this machine is reached, by address or by name", async () => {
  let requests = 0;
  const { port, read } = await serve((_request, response) => response.end(String(++requests)));

  for (const host of ["127.0.0.1", "localhost", "[::1]", "2130706433", "0.0.0.0"]) {
    await expect(callTool(createWebFetchTool(), { url: `http://${host}:${port}/` })).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
  }
  await expect(read("/", { dangerouslyAllowPrivateAddresses: false })).rejects.toMatchObject({
    code: "ADDRESS_REFUSED",
  });

  expect(requests).toBe(0);
});

test.each([
  "http://169.254.169.254/latest/",
  "http://[::ffff:10.0.0.1]/",
  "http://2852039166/",
  "//localhost/x",
  "file:///etc/passwd",
  "http://internal.example/",
])("a redirect to %s is refused and not followed", async (location) => {
  const asked: string[] = [];
  const tool = createWebFetchTool({
    lookup: async (host) => [{ address: host === "internal.example" ? "10.0.0.1" : "93.184.216.34", family: 4 }],
    async fetch(url) {
      asked.push(url);
      return new Response(null, { status: 302, headers: { location } });
    },
  });

  await expect(callTool(tool, { url: "https://example.com/" })).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  expect(asked).toEqual(["https://example.com/"]);
});

test("redirects on one site are followed, to a limit", async () => {
  const next = (url: string) => String(Number(new URL(url).pathname.slice(1)) + 1);
  const hops = (count: number) =>
    from((url) => {
      if (next(url) === String(count + 1)) return new Response("there", { headers: { "content-type": "text/plain" } });
      return new Response(null, { status: 301, headers: { location: `https://www.example.com/${next(url)}` } });
    });

  expect((await callTool(hops(5), { url: "http://example.com/0" })).text).toMatch(
    /^\[https:\/\/www.example.com\/5: .*there$/s,
  );
  await expect(callTool(hops(6), { url: "http://example.com/0" })).rejects.toMatchObject({
    message: expect.stringContaining("more than 5 times"),
  });
});

test("a redirect to another site is reported, so that the gate decides on it", async () => {
  const asked: string[] = [];
  const tool = from((url) => {
    asked.push(url);
    return new Response(null, { status: 302, headers: { location: "https://other.example/x" } });
  });

  const { text, details } = await callTool(tool, { url: "https://example.com/" });

  expect(text).toContain("leads to another site: https://other.example/x");
  expect(details).toEqual({ url: "https://example.com/", redirect: "https://other.example/x" });
  expect(asked).toEqual(["https://example.com/"]);
});

test("a fetch of the host's that follows redirects by itself is not believed", async () => {
  const tool = from(() => Object.defineProperty(new Response("secret"), "redirected", { value: true }));

  await expect(callTool(tool, { url: "https://example.com/" })).rejects.toMatchObject({ code: "FETCH_FAILED" });
});

test("the host's fetch is asked to send no credentials and follow nothing", async () => {
  const inits: object[] = [];
  const fetch: WebFetchOptions["fetch"] = async (_url, init) => {
    inits.push(init);
    return new Response("ok");
  };

  const { text } = await callTool(createWebFetchTool({ fetch, lookup: publicLookup }), {
    url: "https://example.com/#x",
  });

  expect(text).toMatch(/ok$/);
  expect(inits).toMatchObject([{ method: "GET", redirect: "manual", credentials: "omit" }]);
});

// ── bounds ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a page that is too long is cut and says so", async () => {
  let closed: Promise<unknown> | undefined;
  const { read } = await serve((_request, response) => {
    closed = once(response, "close");
    response.writeHead(200, { "content-type": "text/plain" });
    const more = () => {
      while (response.write(Buffer.alloc(64 * 1024, "x")));
      response.once("drain", more);
    };
    more();
  });

  const { text, details } = await read("/", { maxBytes: 1_000 });

  expect(text).toMatch(/1,000 bytes; the page is longer and was cut there\]\n\nx{1000}$/);
  expect(details).toMatchObject({ bytes: 1_000, cut: true });
  await closed;
});

test("a decompression bomb is unpacked to the limit and no further", async () => {
  const { read } = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(bomb);
  });
  const bomb = gzipSync(Buffer.alloc(128 * MIB));
  const before = process.memoryUsage().arrayBuffers;

  const { details } = await read("/", { maxBytes: MIB });

  expect(bomb.length).toBeLessThan(MIB / 4);
  expect(details).toMatchObject({ bytes: MIB, cut: true });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MIB);
});

test.each([
  ["never answers", () => {}],
  [
    "never ends its page",
    (_request, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("x"),
  ],
] as [string, RequestListener][])(
  "a server that %s is given up after the time, and let go of",
  async (_what, listener) => {
    const { server, read } = await serve(listener);

    await expect(read("/", { timeoutMs: 50 })).rejects.toMatchObject({
      code: "FETCH_FAILED",
      message: expect.stringContaining("within 0.05 s"),
    });

    await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
  },
);

test("a resolver, a fetch and a body that never settle are given up, too", async () => {
  const never = () => new Promise<never>(() => {});
  const silent = () => new Response(new ReadableStream({ pull: never }), { headers: { "content-type": "text/plain" } });

  for (const options of [
    { lookup: never },
    { lookup: publicLookup, fetch: never },
    { lookup: publicLookup, fetch: async () => silent() },
  ]) {
    const tool = createWebFetchTool({ timeoutMs: 20, ...options });
    await expect(callTool(tool, { url: "https://example.com/" })).rejects.toMatchObject({ code: "FETCH_FAILED" });
  }
});

test("an abort ends the request with the run's own reason", async () => {
  const controller = new AbortController();
  const { server, read } = await serve(() => controller.abort(new Error("enough")));

  await expect(read("/", {}, { signal: controller.signal })).rejects.toThrow("enough");

  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
});

// ── failures ────────────────────────────────────────────────────────────────────────────────────────────────────────

test("what the network says does not reach the model", async () => {
  const { port, server } = await serve(() => {});
  server.close();
  await once(server, "close");
  const tool = createWebFetchTool({
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    dangerouslyAllowPrivateAddresses: true,
  });

  const failure = await callTool(tool, { url: `http://site.example:${port}/` }).catch((error: Error) => error);

  expect(failure).toMatchObject({ code: "FETCH_FAILED", message: expect.stringContaining("refused the connection") });
  expect((failure as Error).message).not.toContain("127.0.0.1");
});

test("a server that wants another protocol is a failure", async () => {
  const { read } = await serve((_request, response) => {
    response.socket?.end("HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n");
  });

  await expect(read("/")).rejects.toMatchObject({ code: "FETCH_FAILED" });
});

test("a host that is not found says so; a fetch of the host's may know it all the same", async () => {
  const lookup = () => Promise.reject(Object.assign(new Error("queryA"), { code: "ENOTFOUND" }));

  await expect(callTool(createWebFetchTool({ lookup }), { url: "https://nowhere.example/" })).rejects.toMatchObject({
    code: "FETCH_FAILED",
    message: expect.stringContaining("host that cannot be found"),
  });
});

test("a time longer than any timer is not time that is over at once", async () => {
  const tool = createWebFetchTool({
    timeoutMs: 2 ** 40,
    fetch: async () => {
      await sleep(20);
      return new Response("hi", { headers: { "content-type": "text/plain" } });
    },
    lookup: async () => [{ address: "93.184.216.34", family: 4 }],
  });

  expect((await callTool(tool, { url: "https://example.com/" })).text).toContain("hi");
});

test("a limit that is not one is refused at once", () => {
  for (const options of [{ timeoutMs: 0 }, { maxBytes: -1 }, { timeoutMs: Number.NaN }]) {
    expect(() => createWebFetchTool(options)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});
