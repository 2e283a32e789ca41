// What a client gets of a response, and what becomes of one that nobody waits for, over real sockets.
import { createServer, get } from "node:http";
import { connect as connect2 } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import express, { type ErrorRequestHandler } from "express";
import { expect, test, vi } from "vitest";
import { toNodeHandler } from "../../../src/http/index.js";
import { listen, sendRaw, serveHttp2, serveListener, serveNode, signalled } from "./servers.js";

const MB = 1024 * 1024;
const encoder = new TextEncoder();

/** A body that never ends, and what becomes of it. */
function endless() {
  const cancelled = signalled<unknown>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("data: 1\n\n")),
    cancel: (reason) => cancelled.resolve(reason),
  });
  return { body, cancelled: cancelled.promise };
}

test("status, text, headers, several cookies and body arrive", async () => {
  const { url } = await serveNode(() => {
    const headers = new Headers({ "x-a": "1" });
    headers.append("set-cookie", "a=1; Path=/");
    headers.append("set-cookie", "b=2, 3");
    return new Response("hello", { status: 418, statusText: "Teapot", headers });
  });

  const response = await fetch(url);

  expect([response.status, response.statusText, response.headers.get("x-a")]).toEqual([418, "Teapot", "1"]);
  expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2, 3"]);
  expect(await response.text()).toBe("hello");
});

test("headers and cookies that a middleware has set stay", async () => {
  const { url } = await serveListener((incoming, outgoing) => {
    outgoing.setHeader("x-frame-options", "DENY");
    outgoing.setHeader("set-cookie", "session=1");
    toNodeHandler(() => new Response("", { headers: { "set-cookie": "a=1" } }))(incoming, outgoing);
  });

  const { headers } = await fetch(url);

  expect([headers.get("x-frame-options"), headers.getSetCookie()]).toEqual(["DENY", ["session=1", "a=1"]]);
});

test("the head of a response is sent before the first event of its body", async () => {
  const { url } = await serveNode(() => new Response(new ReadableStream(), { headers: { "x-a": "1" } }));

  expect((await fetch(url)).headers.get("x-a")).toBe("1");
});

test("a HEAD, a 204 and a 304 have no body, and a body that is not sent is cancelled", async () => {
  const { body, cancelled } = endless();
  const responses = [new Response(body, { headers: { "content-length": "5" } }), 204, 304];
  const { port } = await serveNode(() => {
    const next = responses.shift()!;
    return typeof next === "number" ? new Response(null, { status: next, headers: { etag: '"1"' } }) : next;
  });

  const answers = [];
  for (const method of ["HEAD", "GET", "GET"])
    answers.push(await sendRaw(port, [`${method} / HTTP/1.1`, "Host: a", "Connection: close"]));

  await cancelled;
  expect(answers.map((answer) => answer.split("\r\n")[0])).toEqual([
    "HTTP/1.1 200 OK",
    "HTTP/1.1 204 No Content",
    "HTTP/1.1 304 Not Modified",
  ]);
  expect(answers.every((answer) => answer.endsWith("\r\n\r\n"))).toBe(true);
  expect(answers[0]).toContain("content-length: 5");
});

test.each(["HTTP/1.1", "HTTP/2"])(
  "over %s a client that leaves aborts the signal and cancels the body",
  async (version) => {
    const { body, cancelled } = endless();
    const signal = signalled<AbortSignal>();
    const answer = (request: Request) => {
      signal.resolve(request.signal);
      return new Response(body);
    };
    if (version === "HTTP/2") {
      const client = connect2(await serveHttp2(toNodeHandler(answer)));
      const stream = client.request({ ":path": "/" });
      await new Promise((resolve) => stream.once("data", resolve));
      stream.close();
      client.close();
    } else {
      const { url } = await serveNode(answer);
      const leaving = new AbortController();
      await (await fetch(url, { signal: leaving.signal })).body!.getReader().read();
      leaving.abort();
    }

    const reason = await cancelled;

    expect(await signal.promise).toMatchObject({ aborted: true, reason });
    expect(reason).toMatchObject({ name: "AbortError" });
  },
);

test("a client that leaves before there is a response aborts the signal, and the response's body is cancelled", async () => {
  const { body, cancelled } = endless();
  const asked = signalled<void>();
  const onError = vi.fn();
  const { port } = await serveNode(
    async ({ signal }) => {
      asked.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return new Response(body);
    },
    { onError },
  );

  const leaving = get({ port }).on("error", () => {});
  await asked.promise;
  leaving.destroy();

  await cancelled;
  expect(onError).not.toHaveBeenCalled();
});

test.each(["HTTP/1.1", "HTTP/2"])(
  "over %s a client that left while a middleware was at work finds an aborted signal, and the body is cancelled",
  async (version) => {
    const { body, cancelled } = endless();
    const seen = signalled<boolean>();
    const handle = toNodeHandler(({ signal }) => {
      seen.resolve(signal.aborted);
      return new Response(body);
    });

    if (version === "HTTP/2") {
      const client = connect2(
        await serveHttp2((incoming, outgoing) => {
          outgoing.on("close", () => setTimeout(() => handle(incoming, outgoing), 20));
          client.destroy();
        }),
      );
      client.request({ ":path": "/" }).on("error", () => {});
    } else {
      const { port } = await serveListener((incoming, outgoing) => {
        outgoing.on("close", () => setTimeout(() => handle(incoming, outgoing), 20));
        leaving.destroy();
      });
      const leaving = get({ port }).on("error", () => {});
    }

    expect(await seen.promise).toBe(true);
    await cancelled;
  },
);

test("a response that arrives whole does not abort the signal", async () => {
  const signals: AbortSignal[] = [];
  const { url } = await serveNode(({ signal }) => {
    signals.push(signal);
    return new Response("hello");
  });

  await (await fetch(url, { headers: { connection: "close" } })).text();
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test("a slow reader of 50 MB holds up the body, not the memory", async () => {
  let [made, taken] = [0, 0];
  const chunk = new Uint8Array(64 * 1024);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      made += chunk.length;
      controller.enqueue(chunk);
      if (made >= 50 * MB) controller.close();
    },
  });
  const { port } = await serveNode(() => new Response(body));
  const ahead: number[] = [];

  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.0\r\n\r\n");
  for await (const bytes of socket) {
    // At first nothing more is taken, until nothing more is made.
    if (taken === 0) await untilStill(() => made);
    taken += bytes.length;
    ahead.push(made - taken);
  }

  expect(taken).toBeGreaterThanOrEqual(50 * MB);
  // What the system buffers for a socket of loopback is a few MB.
  expect(Math.max(...ahead)).toBeLessThan(16 * MB);
});

async function untilStill(read: () => number): Promise<void> {
  for (let last = -1; last !== read(); ) {
    last = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("of an error of the handler the client learns nothing, and onError gets it", async () => {
  const errors: unknown[] = [];
  const failure = new Error("password is hunter2");
  const { url } = await serveNode(
    () => {
      throw failure;
    },
    { onError: (error) => errors.push(error) },
  );

  const response = await fetch(url);

  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: { code: "INTERNAL", message: "The server failed. Its log may say why." },
  });
  expect(errors).toEqual([failure]);
});

test("without onError an error goes to console.error", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { url } = await serveNode(() => Promise.reject(new Error("broken")));

  await fetch(url);

  expect(log.mock.calls).toEqual([[new Error("broken")]]);
  log.mockRestore();
});

test.each([
  ["no Response", () => undefined as never, /returned undefined. Return a Response/],
  ["Response.error()", () => Response.error(), /status/i],
  [
    "a Response whose body was read",
    async () => {
      const response = new Response("x");
      await response.text();
      return response;
    },
    /lock|disturbed|used/i,
  ],
])("a handler that returns %s gets the client a clean 500", async (_, handler, message) => {
  const errors: Error[] = [];
  const { url } = await serveNode(handler, { onError: (error) => errors.push(error as Error) });

  const response = await fetch(url);

  expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/json"]);
  expect(errors.map((error) => error.message)).toEqual([expect.stringMatching(message)]);
});

test.each(["HTTP/1.1", "HTTP/2"])("over %s a body that fails is cut off, not ended", async (version) => {
  const errors: unknown[] = [];
  const handle = toNodeHandler(
    () => {
      let count = 0;
      const pull = (controller: ReadableStreamDefaultController) => {
        if (count++ > 0) throw new Error("torn");
        controller.enqueue(encoder.encode("one "));
      };
      return new Response(new ReadableStream({ pull }));
    },
    { onError: (error) => errors.push(error) },
  );

  let read: Promise<string>;
  if (version === "HTTP/2") {
    const client = connect2(await serveHttp2(handle));
    const stream = client.request({ ":path": "/" });
    read = text(stream).then((all) => (stream.rstCode === 0 ? all : Promise.reject(new Error("reset"))));
    void read.catch(() => {}).finally(() => client.close());
  } else {
    read = (await fetch((await serveListener(handle)).url)).text();
  }

  await expect(read).rejects.toThrow();
  expect(errors).toEqual([new Error("torn")]);
});

test("in Express an error goes to next, before and after the head was sent", async () => {
  const failed: unknown[] = [];
  const app = express();
  app.get(
    "/early",
    toNodeHandler(() => Promise.reject(new Error("early"))),
  );
  app.get(
    "/late",
    toNodeHandler(() => {
      const pull = () => Promise.reject(new Error("late"));
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    }),
  );
  const log: ErrorRequestHandler = (error, _incoming, outgoing, next) => {
    failed.push(error);
    if (outgoing.headersSent) next(error);
    else outgoing.status(503).end("the app's own page");
  };
  app.use(log);
  app.set("env", "test");
  const url = `http://127.0.0.1:${await listen(createServer(app))}`;

  const early = await fetch(`${url}/early`);
  const late = await fetch(`${url}/late`);

  expect([early.status, await early.text()]).toEqual([503, "the app's own page"]);
  await expect(late.text()).rejects.toThrow();
  expect(failed).toEqual([new Error("early"), new Error("late")]);
});

test("a request that was answered before does not reach the handler, and its answer stays", async () => {
  const errors: Error[] = [];
  const handler = vi.fn(() => new Response("second"));
  const { url } = await serveListener((incoming, outgoing) => {
    outgoing.writeHead(200).flushHeaders();
    toNodeHandler(handler, { onError: (error) => errors.push(error as Error) })(incoming, outgoing);
    setTimeout(() => outgoing.end("first"), 20);
  });

  expect(await (await fetch(url)).text()).toBe("first");
  expect(handler).not.toHaveBeenCalled();
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("had been answered before")]);
});

test("an answer that something else gives meanwhile stays, and the response's body is cancelled", async () => {
  const { body, cancelled } = endless();
  const held = signalled<void>();
  const errors: Error[] = [];
  const handle = toNodeHandler(
    async () => {
      await held.promise;
      return new Response(body);
    },
    { onError: (error) => errors.push(error as Error) },
  );
  const { url } = await serveListener((incoming, outgoing) => {
    handle(incoming, outgoing);
    outgoing.writeHead(503).write("too ");
    held.resolve();
    setTimeout(() => outgoing.end("late"), 20);
  });

  expect(await (await fetch(url)).text()).toBe("too late");
  await cancelled;
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("headers")]);
});

test("wrong options are refused", () => {
  const answer = () => new Response("");

  expect(() => toNodeHandler(undefined as never)).toThrow(/expected a function from Request to Response/);
  for (const origin of ["chat.example.com", "https://a.example/", "https://a.example/path", "ftp://a.example"])
    expect(() => toNodeHandler(answer, { origin })).toThrow(/expected scheme, host and port/);
});
