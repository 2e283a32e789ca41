import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import { serveA2a } from "../../src/a2a/index.js";
import { toNodeHandler } from "../../src/http/index.js";
import { newEngine, talking } from "../http/agents.js";
import { byToken, CARD, connect, said, seenOf } from "./agents.js";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

function agentAt(server: Server) {
  servers.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents/deployer`;
  const engine = newEngine({ provider: talking(3) });
  return { url, answer: serveA2a({ engine, card: { ...CARD, url }, authenticate: byToken, heartbeatMs: 1 }) };
}
type Agent = ReturnType<typeof agentAt>;

test("Express serves it below a path, and its card at the origin", async () => {
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const { url, answer } = agentAt(server);
  app.use(express.json());
  app.use("/agents/deployer", toNodeHandler(answer));
  app.use("/.well-known/agent-card.json", toNodeHandler(answer));

  for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
    const seen = await seenOf((await connect(url, binding)).sendMessageStream(said("Go.")));
    expect(seen.artifacts.get("answer")).toBe("0 1 2 ");
  }
});

test("Hono serves it as it is", async () => {
  let agent: Agent | undefined;
  const app = new Hono().all("*", ({ req }) => agent!.answer(req.raw));
  const server = await new Promise<Server>((resolve) => {
    const listening = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", createServer }, () =>
      resolve(listening as Server),
    );
  });
  agent = agentAt(server);

  const seen = await seenOf((await connect(agent.url)).sendMessageStream(said("Go.")));

  expect(seen.artifacts.get("answer")).toBe("0 1 2 ");
});
