import type { Task } from "@a2a-js/sdk";
import { afterEach, expect, test } from "vitest";
import { createRunHub } from "../../src/http/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { gate, newEngine, talking } from "../http/agents.js";
import { answered, as, byToken, connect, questionsOf, said, serveAgent } from "./agents.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
async function served(...args: Parameters<typeof serveAgent>) {
  const server = await serveAgent(...args);
  closing.push(() => server.close());
  return server;
}

const hellos = (count = 20) => scripted(Array.from({ length: count }, () => text("Hi.")));
const JSON_10 = { "content-type": "application/json", "a2a-version": "1.0" };

/** A request as it is, and what came back. */
async function post(url: string, body: string, headers: Record<string, string> = JSON_10, user = "ann") {
  const response = await as(user)(url, { method: "POST", body, headers });
  const answer = await response.text();
  return { status: response.status, answer, json: answer.startsWith("{") ? JSON.parse(answer) : undefined };
}
const rpc = (method: string, params: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const wireMessage = (parts: unknown, ids: object = {}) => ({
  message: { messageId: "m", role: "ROLE_USER", parts, ...ids },
});

test("whoever is not signed in gets the card, and nothing else", async () => {
  const { url, origin } = await served({ engine: newEngine({ provider: hellos() }) });

  const card = await fetch(`${origin}/.well-known/agent-card.json`, { headers: { "a2a-version": "1.0" } });
  const refused = await Promise.all([
    fetch(url, { method: "POST", body: rpc("ListTasks", {}), headers: JSON_10 }),
    fetch(`${url}/tasks`, { headers: JSON_10 }),
    fetch(`${url}/message:stream`, { method: "POST", body: "{}", headers: JSON_10 }),
    fetch(`${url}/extendedAgentCard`, { headers: JSON_10 }),
  ]);

  expect(await card.json()).toMatchObject({
    name: "Deployer",
    capabilities: { streaming: true, pushNotifications: false },
  });
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(refused[0]!.headers.get("www-authenticate")).toBe("Bearer");
});

test("a task of another user is not found, exactly as one that never was", async () => {
  const provider = scripted([toolCall("deploy"), text("Live.")]);
  const { url } = await served({ engine: newEngine({ provider }) });
  const ann = await connect(url);
  const asked = (await ann.sendMessage(said("Deploy."))) as Task;
  const [{ id }] = questionsOf(asked.status);
  const never = `${crypto.randomUUID()}.mx0o6p6p-13mv5e0g43k70ifzwf0ejt8a`;
  const parts = [{ data: { id, decision: "allow" } }];
  const requests = (taskId: string): [string, unknown][] => [
    ["GetTask", { id: taskId }],
    ["CancelTask", { id: taskId }],
    ["SubscribeToTask", { id: taskId }],
    ["SendMessage", wireMessage(parts, { taskId })],
    ["SendStreamingMessage", wireMessage(parts, { taskId })],
  ];

  const answers = async (taskId: string) =>
    Promise.all(
      requests(taskId).map(async ([method, params]) => (await post(url, rpc(method, params), JSON_10, "bob")).answer),
    );
  const rest = async (taskId: string) =>
    Promise.all(
      ["", ":subscribe"].map(async (action) => {
        const response = await as("bob")(`${url}/tasks/${encodeURIComponent(taskId)}${action}`, { headers: JSON_10 });
        return `${response.status} ${await response.text()}`;
      }),
    );

  const [foreign, missing] = [await answers(asked.id), await answers(never)];
  expect(foreign).toEqual(missing);
  expect(foreign.every((answer) => answer.includes("Task not found"))).toBe(true);
  const [foreignRest, missingRest] = [await rest(asked.id), await rest(never)];
  expect(foreignRest).toEqual(missingRest);
  expect(foreignRest.every((answer) => answer.startsWith("404"))).toBe(true);
  expect(((await ann.sendMessage(answered({ id, decision: "allow" }, asked.id))) as Task).status?.state).toBe(3);
});

test("a context of another user is a new one of one's own", async () => {
  const seen: number[] = [];
  const engine = newEngine({ provider: hellos() });
  engine.on("run-end", () => seen.push(1));
  const { url } = await served({ engine });
  const ann = (await (await connect(url)).sendMessage(said("My secret."))) as Task;

  const bob = (await (
    await connect(url, "JSONRPC", "bob")
  ).sendMessage(said("Mine?", { contextId: ann.contextId }))) as Task;

  expect(bob.id).not.toBe(ann.id);
  expect(JSON.stringify(bob)).not.toContain("My secret.");
  expect((await (await connect(url)).listTasks(LIST)).totalSize).toBe(1);
});
const LIST = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };

test.each([
  ["no JSON", "{", -32602],
  ["no object", "7", -32602],
  ["a batch", "[]", -32602],
  ["another protocol", '{"jsonrpc":"1.0","id":1,"method":"GetTask","params":{}}', -32602],
  ["an id that is an object", rpc("GetTask", { id: "x" }, {}), -32602],
  ["a method that is none", rpc("DropTables", {}), -32601],
  ["no parameters", rpc("SendMessage", undefined), -32602],
  ["no message", rpc("SendMessage", {}), -32602],
  ["a message without parts", rpc("SendMessage", wireMessage([])), -32602],
  ["a part without content", rpc("SendMessage", wireMessage([{}])), -32602],
  ["a file that would be fetched", rpc("SendMessage", wireMessage([{ url: "http://169.254.169.254/" }])), -32602],
  [
    "a context that leaves the directory",
    rpc("SendMessage", wireMessage([{ text: "x" }], { contextId: "../x" })),
    -32602,
  ],
  ["a context without end", rpc("SendMessage", wireMessage([{ text: "x" }], { contextId: "x".repeat(9_999) })), -32602],
  ["a task that is no id", rpc("GetTask", { id: "../../etc/passwd" }), -32001],
  ["a prototype", '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"__proto__":{"id":"x"}}}', -32602],
  ["depth", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`, -32602],
  ["a page without end", rpc("ListTasks", { pageSize: 1e9 }), -32602],
  ["a page that is none", rpc("ListTasks", { pageToken: "x" }), -32602],
  ["a history of less than nothing", rpc("GetTask", { id: "a.b", historyLength: -1 }), -32001],
  ["a push notification", rpc("CreateTaskPushNotificationConfig", { taskId: "x", url: "http://x" }), -32003],
  [
    "a push notification beside a message",
    rpc("SendMessage", {
      ...wireMessage([{ text: "x" }]),
      configuration: { taskPushNotificationConfig: { url: "http://x" } },
    }),
    -32003,
  ],
  ["a card that is none", rpc("GetExtendedAgentCard", {}), -32004],
])("JSON-RPC refuses %s", async (_, body, code) => {
  const { url } = await served({ engine: newEngine({ provider: hellos() }) });

  const { status, json } = await post(url, body);

  expect(status).toBe(200);
  expect(json.error.code).toBe(code);
});

test("a client of version 0.3 is refused in its own words", async () => {
  const { url } = await served({ engine: newEngine({ provider: hellos() }) });
  const headers = { "content-type": "application/json" };

  const missing = await post(url, rpc("tasks/get", { id: "a.b" }), headers);
  const unknown = await post(url, rpc("tasks/drop", {}), headers);
  const push = await post(url, rpc("tasks/pushNotificationConfig/get", { id: "a.b" }), headers);

  expect([missing, unknown, push].map(({ json }) => json.error.code)).toEqual([-32001, -32601, -32003]);
});

test("REST refuses what it does not know, with the status that fits", async () => {
  const { url, origin } = await served({ engine: newEngine({ provider: hellos() }) });
  const get = async (path: string) => (await as("ann")(path, { headers: JSON_10 })).status;

  expect(await get(`${url}/tasks/%E0%A4%A`)).toBe(400);
  expect(await get(`${url}/tasks?pageSize=0`)).toBe(400);
  expect(await get(`${url}/tasks/x/pushNotificationConfigs`)).toBe(400);
  expect(await get(`${url}/nothing`)).toBe(400);
  expect(await get(`${origin}/elsewhere`)).toBe(404);
  expect((await post(`${url}/message:send`, "{")).status).toBe(400);
  expect((await post(`${url}/message:send`, "{}")).status).toBe(400);
});

test("a version that is not served is refused", async () => {
  const { url } = await served({ engine: newEngine({ provider: hellos() }) });

  const over = await post(url, rpc("ListTasks", {}), { ...JSON_10, "a2a-version": "9.9" });
  const rest = await as("ann")(`${url}/tasks`, { headers: { "a2a-version": "0.2" } });

  expect(over.json.error).toMatchObject({ code: -32009 });
  expect(rest.status).toBe(400);
});

test("a body in another form than JSON is refused, so that no page of a browser can send one", async () => {
  const { url } = await served({ engine: newEngine({ provider: hellos() }), authenticate: "nobody" });
  const body = rpc("SendMessage", wireMessage([{ text: "Do it." }]));

  const refused = await post(url, body, { "content-type": "text/plain", "a2a-version": "1.0" });

  expect(refused.json.error.code).toBe(-32005);
});

test("a body that is too large is refused", async () => {
  const { url } = await served({ engine: newEngine({ provider: hellos() }), maxBytes: 1_000 });

  const refused = await post(url, rpc("SendMessage", wireMessage([{ text: "x".repeat(2_000) }])));

  expect(refused.json.error.message).toContain("larger than 1000 bytes");
});

test("an answer to a question that is not open is refused, and one that was given counts once", async () => {
  let deployed = 0;
  const engine = newEngine({ provider: scripted([toolCall("deploy"), text("Live."), text("Again.")]) });
  engine.on("tool-call-end", () => deployed++);
  const { url } = await served({ engine });
  const client = await connect(url);
  const asked = (await client.sendMessage(said("Deploy."))) as Task;
  const [{ id }] = questionsOf(asked.status);

  await expect(client.sendMessage(answered({ id: "x", decision: "allow" }, asked.id))).rejects.toThrow(
    "no open question",
  );
  await expect(client.sendMessage(answered({ id, decision: "perhaps" }, asked.id))).rejects.toThrow("not understood");
  const both = await Promise.allSettled(
    [1, 2].map(() => client.sendMessage(answered({ id, decision: "allow" }, asked.id))),
  );

  expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(deployed).toBe(1);
});

test("two messages to one context at once: one is refused, and says so", async () => {
  const held = gate();
  const { url } = await served({ engine: newEngine({ provider: talking(1, () => held.opened) }) });
  const client = await connect(url);
  const contextId = "shared";
  const first = client.sendMessage(said("One.", { contextId }));
  await expect.poll(async () => (await client.listTasks({ ...LIST, contextId })).totalSize).toBe(1);

  await expect(client.sendMessage(said("Two.", { contextId }))).rejects.toThrow(
    "Another task of this context is under way",
  );
  held.open();

  expect(((await first) as Task).status?.state).toBe(3);
});

test("a reader that stops holds up nothing: it gets the task as it is, then the rest, nothing doubled", async () => {
  const big = "x".repeat(64 * 1024);
  const words = 250;
  const provider = {
    id: "big",
    model: "big",
    async *stream() {
      yield { type: "message-start" as const };
      for (let word = 0; word < words; word++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield { type: "text-delta" as const, text: big };
      }
      yield { type: "message-end" as const, finishReason: "stop" as const, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  const hub = createRunHub({ engine: newEngine({ provider }), maxEvents: 20 });
  const { url } = await served({ hub });
  const body = rpc("SendStreamingMessage", wireMessage([{ text: "Go." }], { contextId: "slow" }));
  const response = await as("ann")(url, { method: "POST", body, headers: JSON_10 });
  const client = await connect(url);
  await expect
    .poll(async () => (await client.listTasks({ ...LIST, contextId: "slow" })).tasks[0]?.status?.state, {
      timeout: 10_000,
    })
    .toBe(3);

  let [snapshots, answer] = [0, ""];
  for (const line of (await response.text()).split("\n").filter((each) => each.startsWith("data: "))) {
    const { task, artifactUpdate } = JSON.parse(line.slice(6)).result;
    if (task) [snapshots, answer] = [snapshots + 1, task.artifacts?.[0]?.parts[0].text ?? ""];
    if (artifactUpdate) answer = (artifactUpdate.append ? answer : "") + artifactUpdate.artifact.parts[0].text;
  }

  expect(snapshots).toBe(2);
  expect(answer.length).toBe(words * big.length);
}, 30_000);

test("a client that leaves ends its stream, and not its task", async () => {
  const held = gate();
  const { url } = await served({
    engine: newEngine({ provider: talking(2, (word) => (word === 1 ? held.opened : undefined)) }),
  });
  const client = await connect(url);
  const stream = client.sendMessageStream(said("Go."));
  const first = (await stream.next()).value!;
  const id = first.payload?.$case === "task" ? first.payload.value.id : "";
  await stream.return();
  held.open();

  await expect.poll(async () => (await client.getTask({ tenant: "", id })).status?.state).toBe(3);
});

test("what the host's own functions throw reaches its log, and no client", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const fails = () => {
    throw new Error("the database is at 10.0.0.7");
  };
  const one = await served({ engine: newEngine({ provider: hellos() }), authenticate: fails, onError });
  const two = await served({ engine: newEngine({ provider: hellos() }), optionsFor: fails, onError });

  const signIn = await post(one.url, rpc("ListTasks", {}));
  const message = await post(two.url, rpc("SendMessage", wireMessage([{ text: "x" }])));

  expect(signIn.status).toBe(500);
  expect(message.json.error.code).toBe(-32603);
  expect(signIn.answer + message.answer).not.toContain("10.0.0.7");
  expect(errors.map(String)).toEqual(Array(2).fill("Error: the database is at 10.0.0.7"));
});

test("an authenticate that returns no user refuses, whatever else it returns", async () => {
  for (const user of [undefined, "", 7, {}, true]) {
    const { url } = await served({ engine: newEngine({ provider: hellos() }), authenticate: (() => user) as never });
    expect((await post(url, rpc("ListTasks", {}))).status).toBe(401);
  }
  expect(byToken(new Request("http://x"))).toBeNull();
});
