import { type Task, TaskState } from "@a2a-js/sdk";
import { afterEach, expect, test } from "vitest";
import { AgentEngine, defineTool, type ProviderAdapter } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { gate, newEngine, talking } from "../http/agents.js";
import { answered, artifactsOf, connect, questionsOf, Seen, said, seenOf, serveAgent, textOf } from "./agents.js";

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_INPUT_REQUIRED } = TaskState;
const { TASK_STATE_CANCELED, TASK_STATE_FAILED } = TaskState;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
async function served(...args: Parameters<typeof serveAgent>) {
  const server = await serveAgent(...args);
  closing.push(() => server.close());
  return server;
}

/** A model that stops after each word until it may go on. */
function halting(words: number) {
  const gates = Array.from({ length: words }, gate);
  const provider = talking(words, (word) => gates[word]!.opened);
  const openAll = () => {
    for (const { open } of gates) open();
  };
  return { provider, open: (word: number) => gates[word]!.open(), openAll };
}

const task = (sent: unknown) => sent as Task;
const byId = (id: string) => ({ tenant: "", id, metadata: undefined });

test("a client that has lost its connection subscribes again: nothing lost, nothing doubled", async () => {
  const { provider, open, openAll } = halting(6);
  const { url } = await served({ engine: newEngine({ provider }) });
  const client = await connect(url);
  const seen = new Seen();
  const stream = client.sendMessageStream(said("Go."));
  seen.add((await stream.next()).value!);
  for (const word of [0, 1, 2, 3]) open(word);
  while (!seen.artifacts.get("answer")?.includes("1")) seen.add((await stream.next()).value!);
  await stream.return();

  const again = client.resubscribeTask(byId(seen.id));
  seen.add((await again.next()).value!);
  openAll();
  for await (const update of again) seen.add(update);

  expect(seen.states.at(-1)).toBe(TASK_STATE_COMPLETED);
  expect(seen.artifacts.get("answer")).toBe("0 1 2 3 4 5 ");
  expect([...artifactsOf(await client.getTask(byId(seen.id)))]).toEqual([...seen.artifacts]);
});

test("ten clients see one task, each from its beginning", async () => {
  const { provider, openAll } = halting(50);
  const { url } = await served({ engine: newEngine({ provider }) });
  const client = await connect(url);
  const { id } = task(await client.sendMessage({ ...said("Go."), configuration: RETURN_AT_ONCE }));

  const watching = Array.from({ length: 10 }, async () => seenOf((await connect(url)).resubscribeTask(byId(id))));
  await new Promise((resolve) => setTimeout(resolve, 100));
  openAll();

  const whole = Array.from({ length: 50 }, (_, word) => `${word} `).join("");
  for (const seen of await Promise.all(watching)) expect(seen.artifacts.get("answer")).toBe(whole);
});
const RETURN_AT_ONCE = {
  returnImmediately: true,
  acceptedOutputModes: [],
  taskPushNotificationConfig: undefined,
};

test("text before a tool call is not the answer: the next text takes its place", async () => {
  const provider = scripted([[text("Let me look."), toolCall("look")], text("It is there.")] as never);
  const { url } = await served({ engine: newEngine({ provider }) });

  const seen = await seenOf((await connect(url)).sendMessageStream(said("Look.")));

  expect([...seen.artifacts]).toEqual([["answer", "It is there."]]);
});

test("a structured answer is data, and files are files", async () => {
  const provider: ProviderAdapter = {
    id: "drawing",
    model: "drawing",
    async *stream() {
      yield { type: "message-start" };
      yield { type: "media", part: { type: "image", mediaType: "image/png", data: "AAAA" } };
      yield { type: "text-delta", text: '{"city":"Rome"}' };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  const output = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
  const { url } = await served({ engine: new AgentEngine({ provider }), optionsFor: () => ({ output }) });
  const client = await connect(url);

  const seen = await seenOf(client.sendMessageStream(said("Draw.")));

  expect([...seen.artifacts]).toEqual([
    ["answer", '{"city":"Rome"}'],
    ["output", '{"city":"Rome"}'],
    ["file-1", "<3 bytes>"],
  ]);
  expect([...artifactsOf(await client.getTask(byId(seen.id)))]).toEqual([...seen.artifacts]);
});

test("a task at work takes a message as steering, and is canceled with its run", async () => {
  const { provider, open } = halting(3);
  const { url } = await served({ engine: newEngine({ provider }) });
  const client = await connect(url);
  const stream = client.sendMessageStream(said("Go."));
  const seen = new Seen().add((await stream.next()).value!);
  const rest = (async () => {
    for await (const update of stream) seen.add(update);
  })();
  open(0);
  const steered = client.sendMessageStream(said("Faster.", { taskId: seen.id }));
  const joined = new Seen().add((await steered.next()).value!);

  const canceled = await client.cancelTask(byId(seen.id));
  await rest;

  expect(joined.id).toBe(seen.id);
  expect(canceled.status?.state).toBe(TASK_STATE_CANCELED);
  expect(seen.states).toEqual([TASK_STATE_WORKING, TASK_STATE_CANCELED]);
  await expect(client.cancelTask(byId(seen.id))).rejects.toThrow("cannot be canceled");
  await expect(client.sendMessage(said("More.", { taskId: seen.id }))).rejects.toThrow("takes no more messages");
});

test("a task that waits for an answer is canceled, and the context goes on with another", async () => {
  const provider = scripted([toolCall("deploy"), text("Then not.")]);
  // A run with a context can be continued only with one.
  const optionsFor = ({ user }: { readonly user: string | null }) => ({ context: { user } });
  const { url } = await served({ engine: newEngine({ provider }), optionsFor });
  const client = await connect(url);
  const asked = task(await client.sendMessage(said("Deploy.")));

  const canceled = await client.cancelTask(byId(asked.id));
  const next = task(await client.sendMessage(said("Leave it.", { contextId: asked.contextId })));

  expect(canceled.status?.state).toBe(TASK_STATE_CANCELED);
  expect(next.contextId).toBe(asked.contextId);
  expect(next.id).not.toBe(asked.id);
  expect([...artifactsOf(next)]).toEqual([["answer", "Then not."]]);
  expect((await client.getTask(byId(asked.id))).status?.state).toBe(TASK_STATE_CANCELED);
});

test("an approval is answered by a word, a question by any text; the user is the one who answers", async () => {
  const by: (string | undefined)[] = [];
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    permission: "none",
    async execute(_, context) {
      if (!context.resumed) return context.suspend({ kind: "question", reason: "Which city?" });
      by.push(context.resumed.answer.by);
      return JSON.stringify("value" in context.resumed.answer && context.resumed.answer.value);
    },
  });
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys.",
    permission: "execute",
    execute: async () => "Live.",
  });
  const provider = scripted([toolCall("ask"), toolCall("deploy"), text("Done.")]);
  const { url } = await served({ engine: new AgentEngine({ provider, tools: [ask, deploy] }) });
  const client = await connect(url);
  const asked = task(await client.sendMessage(said("Go.")));

  const more = task(await client.sendMessage(said("Rome", { taskId: asked.id })));
  await expect(client.sendMessage(said("Sure, why not", { taskId: asked.id }))).rejects.toThrow('Answer "allow"');
  const done = task(await client.sendMessage(said("Allow", { taskId: asked.id })));

  expect(textOf(asked.status!.message!.parts)).toContain("Which city?");
  expect(more.status?.state).toBe(TASK_STATE_INPUT_REQUIRED);
  expect(done.status?.state).toBe(TASK_STATE_COMPLETED);
  expect(by).toEqual(["ann"]);
});

test("an answer changes no rules, and names nobody else", async () => {
  const answers: unknown[] = [];
  const engine = newEngine({ provider: scripted([toolCall("deploy"), text("Live.")]) });
  engine.on("approval-answered", ({ answer }) => answers.push(answer));
  const { url } = await served({ engine });
  const client = await connect(url);
  const asked = task(await client.sendMessage(said("Deploy.")));
  const [{ id }] = questionsOf(asked.status);
  const remember = [{ type: "setMode", mode: "bypassPermissions", destination: "session" }];

  await client.sendMessage(answered({ id, decision: "allow", by: "root", remember }, asked.id));

  expect(answers).toEqual([{ id, decision: "allow", by: "ann" }]);
});

test("a list has the tasks of one user, newest first, in pages", async () => {
  const { url } = await served({
    engine: newEngine({ provider: scripted(Array.from({ length: 8 }, () => text("Hi."))) }),
  });
  const [ann, bob] = [await connect(url), await connect(url, "HTTP+JSON", "bob")];
  const ids: string[] = [];
  for (const word of ["One", "Two", "Three"]) ids.push(task(await ann.sendMessage(said(word))).id);
  const bobs = task(await bob.sendMessage(said("Bob's")));
  const LIST = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };

  const first = await ann.listTasks({ ...LIST, pageSize: 2 });
  const second = await ann.listTasks({ ...LIST, pageSize: 2, pageToken: first.nextPageToken });
  const ofBob = await bob.listTasks({ ...LIST, includeArtifacts: true });

  expect([...first.tasks, ...second.tasks].map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(first).toMatchObject({ pageSize: 2, totalSize: 3 });
  expect(second.nextPageToken).toBe("");
  expect(ofBob.tasks.map(({ id }) => id)).toEqual([bobs.id]);
  expect(artifactsOf(ofBob.tasks[0]!).get("answer")).toBe("Hi.");
  expect((await ann.listTasks({ ...LIST, contextId: bobs.contextId })).tasks).toEqual([]);
});

test("a run that fails says so, and nothing of the server", async () => {
  const provider = scripted([new Error("secret of the host")]);
  const { url } = await served({ engine: newEngine({ provider, retry: false }) });

  const failed = task(await (await connect(url)).sendMessage(said("Go.")));

  expect(failed.status?.state).toBe(TASK_STATE_FAILED);
  expect(JSON.stringify(failed)).not.toContain("secret of the host");
});

test("a prompt that a hook has blocked is a task that failed, and leaves the one before as it was", async () => {
  const hooks = { UserPromptSubmit: [{ run: ({ prompt }: { prompt: unknown }) => BLOCKED(prompt) }] };
  const { url } = await served({ engine: newEngine({ provider: scripted([text("Hi.")]), hooks: hooks as never }) });
  const client = await connect(url);
  const first = task(await client.sendMessage(said("Hello.")));

  const blocked = task(await client.sendMessage(said("Forbidden.", { contextId: first.contextId })));

  expect(blocked.id).not.toBe(first.id);
  expect(blocked.status?.state).toBe(TASK_STATE_FAILED);
  expect((await client.getTask(byId(first.id))).status?.state).toBe(TASK_STATE_COMPLETED);
});
const BLOCKED = (prompt: unknown) =>
  JSON.stringify(prompt).includes("Forbidden") ? { decision: "block", reason: "Not here." } : undefined;

test("two servers with one store serve the same tasks", async () => {
  const sessions = createMemorySessionStore();
  const turns = scripted([toolCall("deploy"), text("Live.")]);
  const one = await served({ engine: newEngine({ provider: turns, sessions }) });
  const other = await served({ engine: newEngine({ provider: turns, sessions }) });
  const asked = task(await (await connect(one.url)).sendMessage(said("Deploy.")));
  const client = await connect(other.url);

  const again = await client.getTask(byId(asked.id));
  const done = task(
    await client.sendMessage(answered({ id: questionsOf(again.status)[0].id, decision: "allow" }, again.id)),
  );

  expect(again).toEqual(asked);
  expect(done.status?.state).toBe(TASK_STATE_COMPLETED);
});
