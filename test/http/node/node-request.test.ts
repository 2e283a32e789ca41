// What a handler sees of a request, over real sockets.
import { createHash, randomBytes } from "node:crypto";
import { createServer, request as httpRequest } from "node:http";
import { connect as connect2 } from "node:http2";
import { createServer as createTlsServer, request as tlsRequest } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import express from "express";
import { expect, test } from "vitest";
import { toNodeHandler } from "../../../src/http/index.js";
import { listen, sendRaw, serveHttp2, serveNode, signalled } from "./servers.js";

const MB = 1024 * 1024;

/** Method, URL and headers of each request, as JSON. */
const describe = async (request: Request) => {
  const { method, url, headers } = request;
  return Response.json({
    method,
    url,
    headers: Object.fromEntries(headers),
    body: request.body && (await request.text()),
  });
};

test("method, URL, headers and body of a request arrive", async () => {
  const { url } = await serveNode(describe);

  const response = await fetch(`${url}/a%20b?c=d`, { method: "PUT", body: "héllo", headers: { "x-a": "1" } });

  expect(await response.json()).toMatchObject({
    method: "PUT",
    url: `${url}/a%20b?c=d`,
    headers: { "x-a": "1" },
    body: "héllo",
  });
});

test("a request without a body has none", async () => {
  const { url } = await serveNode(describe);

  const bodies = ["GET", "POST", "DELETE", "OPTIONS"].map(async (method) => (await fetch(url, { method })).json());

  expect((await Promise.all(bodies)).map(({ body }) => body)).toEqual([null, null, null, null]);
});

test("repeated headers are joined as Node joins them: a second Host or Authorization does not count", async () => {
  const { port } = await serveNode(describe, { origin: "https://chat.example.com" });

  const answer = await sendRaw(port, [
    "GET /x HTTP/1.1",
    "Host: one.example",
    "Authorization: a",
    "Authorization: b",
    "X-A: 1",
    "X-A: 2",
    "Cookie: c=1",
    "Cookie: d=2",
    "X-Forwarded-Proto: http",
    "Connection: close",
  ]);

  const { url, headers } = JSON.parse(/\{.*\}/s.exec(answer)![0]);
  expect(url).toBe("https://chat.example.com/x");
  expect(headers).toMatchObject({ host: "one.example", authorization: "a", "x-a": "1, 2", cookie: "c=1; d=2" });
});

test("X-Forwarded-Proto and X-Forwarded-Host are not read", async () => {
  const { url } = await serveNode(describe);

  const response = await fetch(url, { headers: { "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" } });

  expect((await response.json()).url).toBe(`${url}/`);
});

test.each([
  ["//evil.example/x", "http://a.example//evil.example/x"],
  ["/\\evil.example/x", "http://a.example//evil.example/x"],
  ["/..//x?y#z", "http://a.example//x?y#z"],
  ["http://evil.example/x?y", "http://a.example/x?y"],
  ["http://evil.example", "http://a.example/"],
])("the target %s is a path of this server", async (target, expected) => {
  const { port } = await serveNode(({ url }) => new Response(url));

  const answer = await sendRaw(port, [`GET ${target} HTTP/1.1`, "Host: a.example", "Connection: close"]);

  expect(answer.split("\r\n")).toContain(expected);
});

test.each([
  ["GET / HTTP/1.1", "Host: user@evil.example"],
  ["GET / HTTP/1.1", "Host: a.example/path"],
  ["GET / HTTP/1.1", "Host: a.example?query"],
  ["GET / HTTP/1.1", "Host: a.example#x"],
  ["GET / HTTP/1.1", "Host: a.example:99999"],
  ["GET / HTTP/1.1", "Host: [::1"],
  ["GET / HTTP/1.1", "Host: a b"],
  ["GET / HTTP/1.1", "Host:"],
  ["OPTIONS * HTTP/1.1", "Host: a.example"],
  ["TRACE / HTTP/1.1", "Host: a.example"],
])("%s with %s gets 400, and never reaches the handler", async (line, host) => {
  let count = 0;
  const { port } = await serveNode(() => new Response(String(++count)));

  const answer = await sendRaw(port, [line, host, "Connection: close"]);

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("OPTION_INVALID");
  expect(count).toBe(0);
});

test("a Host may be a name, an address or absent in HTTP/1.0", async () => {
  const { port } = await serveNode(({ url }) => new Response(url));
  const hosts = ["Host: a_b.example", "Host: [::1]:80", "Host: 10.0.0.1:8080", "X-No-Host: 1"];

  const answers = await Promise.all(hosts.map((host) => sendRaw(port, ["GET /x HTTP/1.0", host])));

  expect(answers.map((answer) => answer.split("\r\n").at(-1))).toEqual([
    "http://a_b.example/x",
    "http://[::1]/x",
    "http://10.0.0.1:8080/x",
    "http://localhost/x",
  ]);
});

test("over TLS the URL is https", async () => {
  // A key that both sides know takes the place of a certificate.
  const tls = { ciphers: "PSK-AES128-GCM-SHA256", maxVersion: "TLSv1.2" } as const;
  const psk = Buffer.from("a secret of this test");
  const server = createTlsServer({ ...tls, pskCallback: () => psk }, toNodeHandler(describe));
  const port = await listen(server);

  const body = await new Promise<string>((resolve, reject) => {
    const checkServerIdentity = () => undefined;
    const options = { port, ...tls, pskCallback: () => ({ psk, identity: "test" }), checkServerIdentity };
    tlsRequest(options, (response) => resolve(text(response)))
      .on("error", reject)
      .end();
  });

  expect(JSON.parse(body).url).toBe(`https://localhost:${port}/`);
});

test("over HTTP/2 the pseudo headers are the URL, and no headers", async () => {
  const url = await serveHttp2(toNodeHandler(describe));
  const client = connect2(url);

  const stream = client.request({ ":method": "POST", ":path": "/a?b", "x-a": "1" });
  stream.end("hello");
  const seen = JSON.parse(await text(stream));
  client.close();

  const host = url.slice("http://".length);
  expect(seen).toEqual({ method: "POST", url: `${url}/a?b`, headers: { "x-a": "1", host }, body: "hello" });
});

test("a body is read no faster than the handler reads it", async () => {
  const sent = randomBytes(20 * MB);
  const held = signalled<void>();
  const { port } = await serveNode(async (request) => {
    await held.promise;
    const hash = createHash("sha256");
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
    return new Response(hash.digest("hex"));
  });

  const uploading = httpRequest({ port, method: "POST", headers: { "content-length": sent.length } });
  const answered = new Promise<string>((resolve) => uploading.on("response", (response) => resolve(text(response))));
  const isAllTaken = new Promise<void>((resolve) => uploading.end(sent, () => resolve()));
  const first = await Promise.race([isAllTaken.then(() => "taken"), new Promise((r) => setTimeout(r, 300, "waits"))]);
  held.resolve();

  expect(first).toBe("waits");
  expect(await answered).toBe(createHash("sha256").update(sent).digest("hex"));
});

test("a handler that does not read the body, or stops reading it, answers, and the connection serves the next request", async () => {
  let count = 0;
  const { port } = await serveNode(async (request) => {
    if (count++ === 1) await request.body!.cancel();
    return new Response(`request ${count}`);
  });
  const socket = connect(port, "127.0.0.1");
  const body = "x".repeat(MB);

  const post = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(`${post}${post}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);

  expect((await text(socket)).match(/request \d/g)).toEqual(["request 1", "request 2", "request 3"]);
});

test("a body that is read after the response was sent fails instead of ending early", async () => {
  const read = signalled<unknown>();
  const { port } = await serveNode((request) => {
    const reader = request.body!.getReader();
    setTimeout(async () => read.resolve(await reader.read().catch((error: Error) => error.message)), 100);
    return new Response("done");
  });

  const socket = connect(port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");

  expect(await read.promise).toMatch(/after the response was sent/);
  socket.destroy();
});

test.each(["HTTP/1.1", "HTTP/2"])(
  "over %s an upload that breaks off aborts the signal, and the body fails with its reason",
  async (version) => {
    const read = signalled<readonly unknown[]>();
    const errors: unknown[] = [];
    const handle = toNodeHandler(
      async (request) => {
        const error = await request.text().catch((thrown: unknown) => thrown);
        read.resolve([request.signal.aborted, error === request.signal.reason]);
        throw error;
      },
      { onError: (error) => errors.push(error) },
    );

    if (version === "HTTP/2") {
      const client = connect2(await serveHttp2(handle));
      const stream = client.request({ ":method": "POST", ":path": "/" }).on("error", () => {});
      stream.write("12345", () => setTimeout(() => client.destroy(), 50));
    } else {
      const socket = connect(await listen(createServer(handle)), "127.0.0.1");
      socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345", () => socket.destroy());
    }

    expect(await read.promise).toEqual([true, true]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(errors).toEqual([]);
  },
);

test.each([
  ["express.json()", express.json(), "application/json", '{ "a": [1, "é"] }', '{"a":[1,"é"]}'],
  ["express.text()", express.text(), "text/plain", "hello", "hello"],
  ["express.raw()", express.raw(), "application/octet-stream", "bytes", "bytes"],
  ["a parser that leaves it alone", express.json(), "text/plain", "hello", "hello"],
])("a body that %s has read reaches the handler", async (_, parser, type, sent, seen) => {
  const app = express();
  app.use(parser);
  app.use(
    "/chat",
    toNodeHandler(async (request) =>
      Response.json([request.url, await request.text(), request.headers.get("content-length")]),
    ),
  );
  const port = await listen(createServer(app));

  const url = `http://127.0.0.1:${port}/chat/x`;
  const response = await fetch(url, { method: "POST", body: sent, headers: { "content-type": type } });

  const isLeft = type === "text/plain" && parser.name === "jsonParser";
  expect(await response.json()).toEqual([url, seen, isLeft ? "5" : null]);
});

test("a form that was parsed, and a body that is gone, are the host's error", async () => {
  const errors: Error[] = [];
  const handle = toNodeHandler(() => new Response("served"), { onError: (error) => errors.push(error as Error) });
  const app = express();
  app.use("/form", express.urlencoded({ extended: false }), (incoming, outgoing) => handle(incoming, outgoing));
  app.use("/gone", async (incoming, outgoing) => {
    await text(incoming);
    handle(incoming, outgoing);
  });
  const url = `http://127.0.0.1:${await listen(createServer(app))}`;

  const form = await fetch(`${url}/form`, { method: "POST", body: new URLSearchParams({ a: "1" }) });
  const gone = await fetch(`${url}/gone`, { method: "POST", body: "x", headers: { "content-type": "text/plain" } });

  expect([form.status, gone.status]).toEqual([500, 500]);
  expect(await gone.json()).toEqual({
    error: { code: "INTERNAL", message: "The server failed. Its log may say why." },
  });
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("had been read before toNodeHandler() got it (application/x-www-form-urlencoded"),
    expect.stringContaining("had been read before toNodeHandler() got it (text/plain)"),
  ]);
});
