import { expect, onTestFinished, test, vi } from "vitest";
import { createChatRoutes, createRunHub, createUsageStore } from "../../../src/http/index.js";
import { defineTool, SessionError, type SessionStore } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { gate, newEngine, talking } from "../agents.js";
import { serve } from "../loopback.js";
import { Page, saidOf } from "../page-client.js";
import { type Asked, message, open } from "./kit.js";

const every = (id: string): readonly (readonly [string, string, unknown?])[] => [
  ["POST", "/chat", message(id, "Hi.")],
  ["POST", "/chat", { sessionId: id, answers: [{ id: "q", decision: "allow" }] }],
  ["POST", "/chat", { id, trigger: "regenerate-message", messageId: "m" }],
  ["POST", "/chat", { threadId: id, messages: [{ id: "1", role: "user", content: "Hi." }] }],
  ["GET", `/chat/${id}`],
  ["GET", `/chat/${id}/stream`],
  ["POST", `/chat/${id}/stop`],
  ["GET", `/chat/${id}/branches`],
  ["GET", `/chat/${id}/pending`],
  ["POST", `/chat/${id}/answer`, { id: "q", decision: "allow" }],
  ["PATCH", `/chat/${id}`, { title: "Mine." }],
  ["PATCH", `/chat/${id}`, { archived: true }],
  ["DELETE", `/chat/${id}`],
  ["POST", `/chat/${id}/share`],
  ["DELETE", `/chat/${id}/share`],
];

test("every route as somebody else is answered like a session that does not exist, and reads nothing", async () => {
  const { send, read, asked, provider, hub } = open([toolCall("deploy"), text("Live.")]);
  await (await send("ann", "POST", "/chat", message("ann-1", "Deploy."))).text();
  const requests = provider.requests.length;
  read.length = 0;

  for (const [method, path, body] of every("ann-1")) {
    const there = await send("eve", method, path, body);
    const nowhere = await send(
      "eve",
      method,
      path.replace("ann-1", "ann-9"),
      JSON.parse(JSON.stringify(body ?? {}).replace("ann-1", "ann-9")),
    );
    expect([method, path, there.status]).toEqual([method, path, 404]);
    expect(await there.text()).toBe((await nowhere.text()).replaceAll("ann-9", "ann-1"));
    expect((await send(null, method, path, body)).status).toBe(401);
  }

  expect(read).toEqual([]);
  expect(provider.requests).toHaveLength(requests);
  expect(hub.findRunning("ann-1")).toBeUndefined();
  expect(new Set(asked.map(({ action }) => action))).toEqual(
    new Set(
      "send resume stop history branches pending answer rename archive delete share".split(" ") as Asked["action"][],
    ),
  );
  expect(await (await send("eve", "GET", "/chat")).json()).toEqual({ sessions: [], before: null });
  expect((await send(null, "GET", "/chat")).status).toBe(401);
  expect(asked.at(-1)).toEqual({ user: { id: "eve" }, session: "ann-1", action: "list" });
  expect(read).toEqual([]);
  expect((await send("ann", "GET", "/chat/ann-1/pending")).status).toBe(200);
});

test("its owner sends, sees the history and the questions, answers, and lists branches", async () => {
  const { send } = open([toolCall("deploy"), text("Live."), text("Again.")]);
  await (await send("ann", "POST", "/chat", message("ann-1", "Deploy."))).text();
  const { pending } = (await (await send("ann", "GET", "/chat/ann-1/pending")).json()) as { pending: { id: string }[] };

  const answer = { id: pending[0]!.id, decision: "allow", by: "the boss", remember: [{ type: "addRules" }] };
  expect(await (await send("ann", "POST", "/chat/ann-1/answer", answer)).text()).toContain("Live.");

  const history = async (query = "") => {
    const { messages } = (await (await send("ann", "GET", `/chat/ann-1${query}`)).json()) as {
      messages: { role: string; parts: object[] }[];
    };
    return saidOf(messages).map(({ text: words }) => words);
  };
  expect(await history()).toEqual(["Deploy.", "Live."]);
  expect(await history("?limit=1")).toEqual(["Live."]);
  await (await send("ann", "POST", "/chat", message("ann-1", "Deploy."))).text();
  const { branches } = (await (await send("ann", "GET", "/chat/ann-1/branches")).json()) as {
    branches: { id: string }[];
  };
  expect(await history()).toEqual(["Deploy.", "Again."]);
  expect(await history(`?branch=${encodeURIComponent(branches[1]!.id)}`)).toEqual(["Deploy.", "Live."]);
  expect((await send("ann", "GET", "/chat/ann-1?branch=nothing")).status).toBe(400);
  expect((await send("ann", "GET", "/chat/ann-1?limit=x")).status).toBe(400);
});

test("an answer is the user's who sends it, and changes no rules", async () => {
  const { send, sessions } = open([toolCall("deploy"), text("Live.")]);
  await (await send("ann", "POST", "/chat", message("ann-1", "Deploy."))).text();
  const { pending } = (await (await send("ann", "GET", "/chat/ann-1/pending")).json()) as { pending: { id: string }[] };
  const answers = [{ id: pending[0]!.id, decision: "allow", by: "the boss", remember: [{ type: "addRules" }] }];

  await (await send("ann", "POST", "/chat", { sessionId: "ann-1", answers })).text();

  const kept = [];
  for await (const entry of sessions.read("ann-1")) if (entry.type === "answer") kept.push(entry.answer);
  expect(kept).toEqual([{ id: pending[0]!.id, decision: "allow", by: "ann" }]);
});

test("what a page of another site can make its visitor send is refused", async () => {
  const { routes, send, asked } = open([text("Hi."), text("Hi."), text("Hi.")], {
    origins: ["https://app.test", "http://[::1]:5173", "capacitor://localhost"],
  });
  for (const [method, path, body] of every("ann-1").filter(([each]) => each !== "GET")) {
    const noOrigin = new Headers({ cookie: "user=ann", "content-type": "application/json" });
    const request = new Request(`http://chat.test${path}`, {
      method,
      headers: noOrigin,
      body: JSON.stringify(body ?? {}),
    });
    expect((await routes.handle(request)).status).toBe(403);
    expect((await send("ann", method, path, body, { "content-type": "text/plain" })).status).toBe(415);
    expect((await send("ann", method, path, body, { origin: "https://evil.test" })).status).toBe(403);
    expect((await send("ann", method, path, body, { origin: "null" })).status).toBe(403);
  }
  expect(asked).toEqual([]);

  for (const origin of ["http://chat.test", "https://app.test"])
    expect((await send("ann", "POST", "/chat", message("ann-1", "Hi."), { origin })).status).toBe(200);
  const charset = { "content-type": "application/json; charset=utf-8" };
  expect((await send("ann", "POST", "/chat", message("ann-1", "Hi."), charset)).status).toBe(200);
});

test.each([
  "*",
  "https://*.app.test",
  "https://app.test/",
  "https://app.test:443",
  "https://App.test",
  "app.test",
  "null",
  "https://app.test/chat",
  /app/,
  "",
])("an origin that no browser sends is refused: %s", (origin) => {
  const options = { code: "OPTION_INVALID", message: expect.stringContaining("origins") };
  expect(() => open([], { origins: ["http://[::1]:5173", "capacitor://localhost", origin as string] })).toThrow(
    expect.objectContaining(options),
  );
});

test("a route that changes something is no link: under GET, too, it wants JSON and an origin", async () => {
  const { routes } = open([text("Hi.")]);
  for (const name of ["stop", "remove", "share", "unshare", "change", "chat", "answer"] as const) {
    const asked = (headers: Record<string, string>) =>
      routes[name](new Request("http://chat.test/chat/ann-1", { headers: { cookie: "user=ann", ...headers } }));
    expect([name, (await asked({})).status]).toEqual([name, 403]);
    expect([name, (await asked({ origin: "http://chat.test" })).status]).toEqual([name, 415]);
  }
});

test("pages of other sites can neither read, nor measure what a list takes, nor use up how often their visitor may ask", async () => {
  const { send, asked, read } = open([], { requestsPerMinute: 2, origins: ["https://app.test"] });
  for (const [method, path, body] of every("ann-1")) {
    expect((await send("ann", method, path, body, { origin: "https://evil.test" })).status).toBe(403);
    if (method !== "GET") continue;
    expect((await send("ann", method, path, body, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  }
  expect([asked, read]).toEqual([[], []]);
  const fromApp = { origin: "https://app.test", "sec-fetch-site": "cross-site" };
  expect((await send("ann", "GET", "/chat", undefined, fromApp)).status).toBe(200);
  expect((await send("ann", "GET", "/chat", undefined, { "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test.each(["identify", "authorize", "contextFor"])("what %s throws reaches the host, and no client", async (name) => {
  const fault = new Error("a fault of the host");
  const fail = () => {
    throw fault;
  };
  const onError = vi.fn();
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());

  for (const more of [{ onError }, {}]) {
    const { send } = open([text("Hi.")], { [name]: fail, ...more });
    const response = await send("ann", "POST", "/chat", message("ann-1", "Hi."));
    expect([response.status, (await response.text()).includes(fault.message)]).toEqual([500, false]);
  }

  expect(onError.mock.calls).toEqual([[fault]]);
  expect(log.mock.calls).toEqual([[fault]]);
});

test.each(["ui-messages", "ag-ui"] as const)(
  "what a store's driver says reaches the host, and no client, as %s",
  async (format) => {
    const words = "connect ECONNREFUSED 10.0.0.7:5432";
    const memory = createMemorySessionStore();
    const onError = vi.fn();
    let isAway = false;
    const fail = () => {
      throw new SessionError("SESSION_READ", { message: `Session "ann-1" could not be read: ${words}`, cause: words });
    };
    const sessions: SessionStore = {
      ...memory,
      async lock(id) {
        const release = await memory.lock(id);
        return async () => {
          await release();
          if (isAway) throw new Error(words);
        };
      },
      list: (filter) => memory.list(filter),
      delete: (id) => memory.delete(id),
      append: async (...args) => (isAway ? Promise.reject(new Error(words)) : memory.append(...args)),
      read: (id) => (isAway ? fail() : memory.read(id)),
    };
    const model = talking(3, () => {
      isAway = true;
    });
    const { send } = open([], { format, onError }, sessions, { provider: model });

    const stream = await (await send("ann", "POST", "/chat", message("ann-1", "Hi."))).text();
    const history = await send("ann", "GET", "/chat/ann-1");

    expect(stream).toContain("could not be written");
    expect(history.status).toBe(500);
    expect((await history.json()).error).toEqual({ code: "SESSION_READ", message: expect.any(String) });
    await vi.waitFor(() =>
      expect(onError.mock.calls.map(([{ code, message }]) => [code, message.includes(words)])).toEqual(
        expect.arrayContaining([
          ["SESSION_WRITE", true],
          ["SESSION_READ", true],
        ]),
      ),
    );
    expect(stream + JSON.stringify(await (await send("ann", "GET", "/chat/ann-1")).json())).not.toContain(
      "ECONNREFUSED",
    );
  },
);

test("what a client does wrong, or a client that leaves, is no fault for the host", async () => {
  const onError = vi.fn();
  const { send, routes } = open([], { onError, contextFor: (user) => user });
  const left = new AbortController();
  left.abort();
  const identify = () => left.signal.throwIfAborted() as never;
  const leaving = createChatRoutes({
    engine: newEngine({ provider: scripted([]) }),
    identify,
    authorize: () => true,
    onError,
  });

  expect((await send("eve", "POST", "/chat", message("ann-1", "Hi."))).status).toBe(404);
  expect((await send("ann", "POST", "/chat", { nothing: true })).status).toBe(400);
  expect((await routes.shared(new Request("http://chat.test/chat/none/shared"))).status).toBe(404);
  await leaving.handle(new Request("http://chat.test/chat", { signal: left.signal }));

  expect(onError).not.toHaveBeenCalled();
});

test("the names of a message's pictures and files come back with it", async () => {
  const { send } = open([text("Hi.")]);
  const sent = message("ann-1", "Look.");
  const files = ["image/png", "application/pdf"].map((mediaType) => {
    const filename = `plan.${mediaType.slice(-3)}`;
    return { type: "file", mediaType, url: `data:${mediaType};base64,YQ==`, filename };
  });
  const messages = sent.messages.map((one) => ({ ...one, parts: [...one.parts, ...files] }));

  await (await send("ann", "POST", "/chat", { ...sent, messages })).text();
  const kept = await (await send("ann", "GET", "/chat/ann-1")).json();

  expect(kept.messages[0].parts).toEqual(messages[0]!.parts);
});

test("paths and bodies that are none of a chat's are refused", async () => {
  const { send, read } = open([], { maxBytes: 100 });
  for (const path of ["/", "/chatter", "/chat/", "/chat/ann-1/none", "/chat/ann-1/stop/x", "/elsewhere/ann-1"])
    expect([path, (await send("ann", "GET", path)).status]).toEqual([path, 404]);
  expect((await send("ann", "PUT", "/chat/ann-1/stop")).status).not.toBe(200);
  expect((await send("ann", "GET", "/chat/%E0%A4%A")).status).toBe(404);
  expect((await send("ann", "POST", "/chat", message("ann-1", "x".repeat(200)))).status).toBe(400);
  const everybody = open([], { authorize: () => true });
  expect((await everybody.send("ann", "GET", "/chat/sub-1")).status).toBe(404);
  expect((await everybody.send("ann", "GET", "/chat/none")).status).toBe(404);
  expect(read).toEqual([]);
});

test("a page of useChat uses nothing but the routes, and tools get the context of the user who asks", async () => {
  const seen: unknown[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "read_only",
    execute: async (_input, { app }) => {
      seen.push(app);
      return "Seen.";
    },
  });
  const engine = newEngine({ provider: scripted([toolCall("look"), text("Done.")]), tools: [look] });
  const routes = createChatRoutes({
    engine,
    identify: () => ({ id: "ann" }),
    authorize: () => true,
    contextFor: ({ id }, session) => ({ id, session }),
  });
  const server = await serve(routes.handle);
  onTestFinished(server.close);
  const page = new Page(server.url);

  await page.say("Look.");

  expect(page.error).toBeUndefined();
  expect(saidOf(page.messages).at(-1)!.text).toBe("Done.");
  expect(seen).toEqual([{ id: "ann", session: "chat-1" }]);
});

test("stop and resume work on the run under way, and usage counts as the user's", async () => {
  const held = gate();
  const store = createUsageStore();
  const engine = newEngine({ provider: talking(3, () => held.opened) });
  const hub = createRunHub({ engine, usage: { store, limits: { maxTokens: 1 } } });
  const routes = createChatRoutes({ engine: hub, identify: () => ({ id: "ann" }), authorize: () => true });
  const json = { "content-type": "application/json" };
  const post = (path: string, body: object) =>
    routes.handle(new Request(`http://x${path}`, { method: "POST", headers: json, body: JSON.stringify(body) }));
  const get = (path: string) => routes.handle(new Request(`http://x${path}`));
  await post("/chat", message("s", "Go."));

  expect((await get("/chat/s/stream")).status).toBe(200);
  expect(await (await post("/chat/s/stop", {})).json()).toEqual({ stopped: true });

  expect((await get("/chat/s/stream")).status).toBe(204);
  held.open();
  await (await post("/chat", message("s2", "Go."))).text();
  expect((await post("/chat", message("s3", "Go."))).status).toBe(429);
});

test("a run that is not in the store yet is stopped, and what was never begun is not found", async () => {
  const stored = gate();
  const memory = createMemorySessionStore();
  const sessions: SessionStore = {
    ...memory,
    async append(sessionId, entries) {
      await stored.opened;
      await memory.append(sessionId, entries);
    },
  };
  const engine = newEngine({ provider: talking(1), sessions });
  const authorize = ({ action }: Asked) => {
    if (action === "stop") setTimeout(stored.open, 50);
    return true;
  };
  const routes = createChatRoutes({ engine, identify: () => ({ id: "ann" }), authorize });
  const headers = { "content-type": "application/json" };
  const post = (path: string, body: object) =>
    routes.handle(new Request(`http://x${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  await post("/chat", message("s", "Go."));

  expect(await (await post("/chat/s/stop", {})).json()).toEqual({ stopped: true });
  expect((await post("/chat/none/stop", {})).status).toBe(404);
});
