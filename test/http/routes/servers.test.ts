// The routes in servers that people use, over real sockets, with the AI SDK's own client as the page.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { AbstractChat, DefaultChatTransport, type UIMessage } from "ai";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import { type ChatRoutes, createChatRoutes, toNodeHandler } from "../../../src/http/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { deploy, gate, newEngine, talking } from "../agents.js";
import { PlainState, saidOf } from "../page-client.js";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

function addressOf(server: Server): string {
  closing.push(() => close(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const listening = (listen: (done: () => void) => Server): Promise<string> =>
  new Promise((resolve) => {
    const server = listen(() => resolve(addressOf(server)));
  });

const SERVERS: Readonly<Record<string, (routes: ChatRoutes) => Promise<string>>> = {
  "node:http": ({ handle }) => {
    const server = createServer(toNodeHandler(handle));
    return listening((done) => server.listen(0, "127.0.0.1", done));
  },
  express: ({ handle }) => {
    const app = express();
    app.use("/chat", toNodeHandler(handle));
    return listening((done) => app.listen(0, "127.0.0.1", done));
  },
  "express behind express.json()": ({ handle }) => {
    const app = express();
    app.use(express.json());
    app.all("/{*path}", toNodeHandler(handle));
    return listening((done) => app.listen(0, "127.0.0.1", done));
  },
  fastify: async ({ handle }) => {
    const app = fastify();
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
      const answer = toNodeHandler(handle);
      for (const url of ["/chat", "/chat/*"])
        scope.all(url, (request, reply) => {
          reply.hijack();
          answer(request.raw, reply.raw);
        });
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return addressOf(app.server);
  },
  hono: ({ handle }) => {
    const app = new Hono();
    app.all("/chat/*", (c) => handle(c.req.raw));
    return listening((done) => serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, done) as Server);
  },
};

class Page extends AbstractChat<UIMessage> {
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {
    const transport = new DefaultChatTransport({ api: `${url}/chat`, headers });
    super({ id: "ann-1", transport, state: new PlainState([]) });
  }

  ask(method: string, path: string): Promise<Response> {
    const headers = { ...this.headers, "content-type": "application/json" };
    return fetch(`${this.url}${path}`, { method, headers, ...(method !== "GET" && { body: "{}" }) });
  }
}

async function open(name: string, options: Parameters<typeof newEngine>[0]) {
  const routes = createChatRoutes({
    engine: newEngine({ tools: [deploy], ...options }),
    identify: ({ headers }) => {
      const id = /user=(\w+)/.exec(headers.get("cookie") ?? "")?.[1];
      return id === undefined ? null : { id };
    },
    authorize: ({ user, session }) => session.startsWith(`${user.id}-`),
    maxBytes: 10_000,
  });
  const url = await SERVERS[name]!(routes);
  const as = (cookie: string, origin = url) => new Page(url, { ...(cookie && { cookie }), origin });
  return { url, as };
}

test.each(Object.keys(SERVERS))("in %s a chat is held, read, and deleted by its owner alone", async (name) => {
  const { url, as } = await open(name, { provider: scripted([toolCall("deploy"), text("It is live.")]) });
  const page = as("user=ann");
  await page.sendMessage({ text: "Deploy." });
  const asked = page.messages.at(-1)!.parts.find((part) => "approval" in part) as { approval: { id: string } };
  await page.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await page.sendMessage();
  expect(page.error).toBeUndefined();

  const stored = (await (await page.ask("GET", "/chat/ann-1")).json()) as { messages: UIMessage[] };
  expect(saidOf(stored.messages)).toEqual(saidOf(page.messages));
  expect(saidOf(page.messages).map((one) => one.text)).toEqual(["Deploy.", "It is live."]);

  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${url}/chat`, { method: "POST", headers, body }).then(({ status }) => status);
  const cookie = "user=ann";
  const json = "application/json";
  const body = JSON.stringify({ id: "ann-2", input: "Hi" });
  expect({
    nobody: await post({ "content-type": json, origin: url }, body),
    anotherSite: await post({ "content-type": json, cookie, origin: "http://evil.example" }, body),
    noOrigin: await post({ "content-type": json, cookie }, body),
    text: await post({ "content-type": "text/plain", cookie, origin: url }, body),
    form: await post({ "content-type": "application/x-www-form-urlencoded", cookie, origin: url }, "id=ann-2"),
    large: await post({ "content-type": json, cookie, origin: url }, JSON.stringify({ input: "x".repeat(20_000) })),
    another: (await as("user=eve").ask("GET", "/chat/ann-1")).status,
    anothers: (await as("user=eve").ask("DELETE", "/chat/ann-1")).status,
    own: (await page.ask("DELETE", "/chat/ann-1")).status,
    gone: (await page.ask("GET", "/chat/ann-1")).status,
  }).toEqual({
    nobody: 401,
    anotherSite: 403,
    noOrigin: 403,
    text: 415,
    form: 415,
    large: 400,
    another: 404,
    anothers: 404,
    own: 204,
    gone: 404,
  });
});

test.each(Object.keys(SERVERS))("in %s an answer streams, is read by a second page, and is stopped", async (name) => {
  const [begun, held] = [gate(), gate()];
  const { as } = await open(name, {
    provider: talking(3, (word) => {
      if (word < 2) return;
      begun.open();
      return held.opened;
    }),
  });
  const page = as("user=ann");
  const sent = page.sendMessage({ text: "Talk." });
  await begun.opened;
  await expect.poll(() => saidOf(page.messages).at(-1)!.text, { timeout: 60_000 }).toBe("0 1 ");

  const other = as("user=ann");
  const resumed = other.resumeStream();
  await expect.poll(() => saidOf(other.messages)[0]?.text, { timeout: 60_000 }).toBe("0 1 ");
  expect(await (await page.ask("POST", "/chat/ann-1/stop")).json()).toEqual({ stopped: true });
  held.open();
  await Promise.all([sent, resumed]);

  expect([page.error, other.error, page.status]).toEqual([undefined, undefined, "ready"]);
  expect((await page.ask("GET", "/chat/ann-1/stream")).status).toBe(204);
});
