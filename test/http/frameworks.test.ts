// The same function in servers that people use: over real sockets, as the guide shows it.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import {
  createRunHub,
  type RunHub,
  readPrompt,
  toErrorResponse,
  toNodeHandler,
  toResponse,
} from "../../src/http/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { gate, newEngine, talking } from "./agents.js";
import { allEvents, readEvents } from "./loopback.js";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

function chatOf(hub: RunHub) {
  return async (request: Request): Promise<Response> => {
    try {
      const { sessionId, input, answers } = await readPrompt(request);
      const run = answers.length > 0 ? await hub.answer(answers, { sessionId }) : hub.start(input, { sessionId });
      await run.started;
      return toResponse(run);
    } catch (error) {
      return toErrorResponse(error);
    }
  };
}

const FRAMEWORKS: Readonly<Record<string, (hub: RunHub) => Promise<string>>> = {
  async hono(hub) {
    const app = new Hono();
    app.post("/chat", (c) => chatOf(hub)(c.req.raw));
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}/chat`),
      );
      servers.push(server as Server);
    });
  },
  async express(hub) {
    const app = express();
    app.post("/chat", toNodeHandler(chatOf(hub)));
    const server = await new Promise<Server>((resolve) => {
      const listening: Server = app.listen(0, "127.0.0.1", () => resolve(listening));
    });
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`;
  },
};

const post = (url: string, body: unknown, signal?: AbortSignal) =>
  fetch(url, { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });

test.each(Object.keys(FRAMEWORKS))(
  "in %s an approval goes there and back, and a refusal has its status",
  async (name) => {
    const hub = createRunHub({ engine: newEngine({ provider: scripted([toolCall("deploy"), text("It is live.")]) }) });
    const url = await FRAMEWORKS[name]!(hub);

    const asked = (await allEvents((await post(url, { sessionId: "s", input: "Deploy." })).body!)).map(
      ({ data }) => data,
    );
    const { id } = asked.find(({ type }) => type === "approval-requested").request;
    const unknown = await post(url, { sessionId: "other", answers: [{ id, decision: "allow" }] });
    const done = await post(url, { sessionId: "s", answers: [{ id, decision: "allow" }] });

    expect([unknown.status, (await post(url, { input: "" })).status]).toEqual([404, 400]);
    const words = (await allEvents(done.body!)).map(({ data }) => (data.type === "text-delta" ? data.text : ""));
    expect(words.join("")).toBe("It is live.");
  },
);

test.each(Object.keys(FRAMEWORKS))(
  "in %s events arrive while the run goes on, and leaving does not end it",
  async (name) => {
    const held = gate();
    const hub = createRunHub({
      engine: newEngine({ provider: talking(5, (word) => (word === 2 ? held.opened : undefined)) }),
    });
    const url = await FRAMEWORKS[name]!(hub);
    const leaving = new AbortController();

    const response = await post(url, { sessionId: "s", input: "Talk." }, leaving.signal);
    for await (const { data } of readEvents(response.body!)) if (data.text === "1 ") break;
    leaving.abort();

    const run = hub.findRunning("s")!;
    held.open();
    expect((await run.result)?.pending).toEqual([]);
    expect((await hub.subscribe(run.id).result) as { text?: string }).toMatchObject({ text: "0 1 2 3 4 " });
  },
);
