import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findLocalModels, isLoopback, localServers } from "../../../src/program/models/local-servers.js";
import { NO_OWN_MODELS } from "../../../src/program/models/own-models.js";

async function server(vendor: string, answer: RequestListener) {
  const http = createServer(answer);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { vendor, baseURL: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1` };
}

const saying =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body);

test("the usual servers and the user's own on this machine are looked for, and no others", () => {
  const own = {
    ...NO_OWN_MODELS,
    providers: {
      desk: { api: "chat", baseURL: "http://[::1]:9/v1", models: {} },
      rack: { api: "chat", baseURL: "http://localhost.evil.example/v1", models: {} },
    },
  } as const;

  expect(localServers(own).map(({ vendor }) => vendor)).toEqual(["ollama", "vllm", "llamaCpp", "lmStudio", "desk"]);
  expect(["http://127.0.0.1.example/", "http://localhost@example.com/"].map(isLoopback)).toEqual([false, false]);
});

test("the models of those that answer are named, whatever the others do", async () => {
  const asked: string[] = [];
  const good = await server("good", (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end(JSON.stringify({ data: [{ id: "qwen3:8b" }, { id: 7 }, null, { id: "" }, { id: "x".repeat(300) }] }));
  });
  const others = await Promise.all([
    server("silent", () => {}),
    server("endless", (_, response) => {
      const timer = setInterval(() => response.write("x".repeat(100_000)), 5);
      response.on("close", () => clearInterval(timer));
    }),
    server("broken", saying("{")),
    server("failing", saying('{"data":[{"id":"no"}]}', 500)),
    server("elsewhere", (_, response) => response.writeHead(302, { location: `${good.baseURL}/models` }).end()),
    server("other", saying('{"models":[]}')),
    server("many", saying(JSON.stringify({ data: Array.from({ length: 900 }, (_, id) => ({ id: `m${id}` })) }))),
  ]);
  const gone = { vendor: "gone", baseURL: "http://127.0.0.1:1/v1" };
  const startedAt = performance.now();

  let names: readonly string[] = [];
  // A machine may stand still for longer than a server is waited for.
  for (let attempt = 0; names.length !== 201 && attempt < 5; attempt++) {
    asked.length = 0;
    names = await findLocalModels([good, gone, ...others]);
  }

  expect(names[0]).toBe("good/qwen3:8b");
  expect(names.slice(1).every((name) => name.startsWith("many/m"))).toBe(true);
  expect(names).toHaveLength(201);
  expect(asked).toEqual(["GET /v1/models undefined"]);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});
