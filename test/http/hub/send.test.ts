import { expect, test } from "vitest";
import {
  createRunHub,
  listBranches,
  type RunHubOptions,
  toErrorResponse,
  toResponse,
  toUiMessages,
} from "../../../src/http/index.js";
import type { ProviderAdapter, SessionEntry } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { gate, newEngine, talking } from "../agents.js";
import { Page, saidOf, serveChat, stop } from "../page-client.js";

const sessionId = "chat-1";
const prompt = (input: string) => ({ sessionId, input, answers: [] });

function open(provider: ProviderAdapter, options: Partial<RunHubOptions> = {}) {
  const sessions = createMemorySessionStore();
  const hub = createRunHub({ engine: newEngine({ provider, sessions }), ...options });
  const stored = async () =>
    saidOf((await toUiMessages(sessions.read(sessionId))).messages).map(({ text: words }) => words);
  return { hub, sessions, stored };
}

test("a message to a session with a run under way waits for its end, and those that wait keep their order", async () => {
  const held = gate();
  const { hub, stored } = open(talking(2, () => held.opened));
  const first = await hub.send(prompt("a"));
  const waiting = [hub.send(prompt("b")), hub.send(prompt("c"))];
  held.open();

  const runs = await Promise.all(waiting);

  await runs[1]!.result;
  expect(await stored()).toEqual(["a", "0 1 ", "b", "0 1 ", "c", "0 1 "]);
  expect(new Set([first.id, ...runs.map(({ id }) => id)]).size).toBe(3);
});

test("up to 20 messages may wait for a session; one more is refused with SESSION_BUSY, and those go on", async () => {
  const held = gate();
  const { hub } = open(talking(1, () => held.opened));
  await hub.send(prompt("first"));
  const waiting = Array.from({ length: 20 }, (_, nth) => hub.send(prompt(`${nth}`)));

  await expect(hub.send(prompt("too many"))).rejects.toMatchObject({ code: "SESSION_BUSY" });
  const elsewhere = hub.send({ ...prompt("elsewhere"), sessionId: "chat-2" });
  held.open();

  expect(new Set((await Promise.all([...waiting, elsewhere])).map(({ id }) => id)).size).toBe(21);
});

test('whenBusy "refuse" rejects it with SESSION_BUSY', async () => {
  const held = gate();
  const { hub } = open(
    talking(1, () => held.opened),
    { whenBusy: "refuse" },
  );
  const first = await hub.send(prompt("a"));

  await expect(hub.send(prompt("b"))).rejects.toMatchObject({ code: "SESSION_BUSY" });

  held.open();
  await first.result;
});

test('whenBusy "steer" gives it to the run, and the page has what the session has, in this order', async () => {
  const held = gate();
  let turns = 0;
  const provider: ProviderAdapter = {
    id: "steered",
    model: "steered",
    async *stream() {
      const turn = ++turns;
      yield { type: "message-start" };
      yield { type: "text-delta", text: `Turn ${turn}. ` };
      if (turn === 1) await held.opened;
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  const { hub, sessions, stored } = open(provider, { whenBusy: "steer" });
  const page = new Page(await serveChat(hub));

  const first = page.say("a");
  while (page.messages.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
  const second = page.say("b");
  await new Promise((resolve) => setTimeout(resolve, 20));
  held.open();
  await Promise.all([first, second]);

  expect(page.error).toBeUndefined();
  const shown = saidOf(page.messages).map(({ text: words }) => words);
  expect(shown).toEqual(["a", "Turn 1. ", "b", "Turn 2. "]);
  expect(await stored()).toEqual(shown);
  await page.say("c");
  expect(await stored()).toEqual([...shown, "c", "Turn 3. "]);
  expect(await listBranches(sessions.read(sessionId))).toHaveLength(1);
});

test.each(["ui-messages", "ag-ui"] as const)(
  "a stream of %s that was resumed ends where a message is taken",
  async (format) => {
    const held = gate();
    const writing = gate();
    const { hub } = open(
      talking(2, (word) => {
        if (word === 1) writing.open();
        return word === 1 ? held.opened : undefined;
      }),
      { whenBusy: "steer" },
    );
    const first = await hub.send(prompt("a"));
    await writing.opened;
    const reading = [first, hub.findRunning(sessionId)!].map((run) => toResponse(run, { format }).text());
    const second = hub.send(prompt("b"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    held.open();

    const run = await second;

    const [live, resumed] = await Promise.all(reading);
    expect(resumed).toBe(live);
    expect(resumed!.match(/"delta":"0 "/g)).toHaveLength(1);
    expect(run.id).toBe(first.id);
    await run.result;
  },
);

test("a message that a run was given and did not take starts a run of its own", async () => {
  const held = gate();
  let words = 0;
  const { hub, stored } = open(
    talking(2, () => (words++ === 0 ? held.opened : undefined)),
    { whenBusy: "steer" },
  );
  const first = await hub.send(prompt("a"));
  while (words === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const second = hub.send(prompt("b"));
  await new Promise((resolve) => setTimeout(resolve, 10));
  first.abort();

  const run = await second;
  held.open();

  expect(run.id).not.toBe(first.id);
  await run.result;
  expect(await stored()).toEqual(["ab", "0 1 "]);
});

test("stop ends the run under way, drops what waits for it, and the next message is taken", async () => {
  const held = gate();
  let words = 0;
  const { hub, stored } = open(talking(3, () => (words++ === 1 ? held.opened : undefined)));
  const run = await hub.send(prompt("a"));
  const waiting = hub.send(prompt("b")).catch((error: unknown) => error);
  while (words < 2) await new Promise((resolve) => setTimeout(resolve, 1));

  expect(await hub.stop(sessionId)).toBe(true);

  expect((await run.result).status).toBe("aborted");
  const dropped = await waiting;
  expect(dropped).toMatchObject({ code: "RUN_ABORTED", message: expect.stringContaining("was not sent") });
  expect(toErrorResponse(dropped).status).toBe(409);
  expect(await hub.stop(sessionId)).toBe(false);
  held.open();
  await (await hub.send(prompt("c"))).result;
  expect(await stored()).toEqual(["a", "0 ", "c", "0 1 2 "]);
});

test('stop drops a message that whenBusy "steer" has given to the run, which did not take it', async () => {
  const held = gate();
  const writing = gate();
  const { hub, stored } = open(
    talking(2, (word) => {
      if (word === 1) writing.open();
      return word === 1 ? held.opened : undefined;
    }),
    { whenBusy: "steer" },
  );
  await hub.send(prompt("a"));
  await writing.opened;
  const waiting = ["b", "c"].map((words) => hub.send(prompt(words)).catch((error: unknown) => error));

  expect(await hub.stop(sessionId)).toBe(true);

  for (const dropped of await Promise.all(waiting)) expect(dropped).toMatchObject({ code: "RUN_ABORTED" });
  held.open();
  await (await hub.send(prompt("d"))).result;
  expect(await stored()).toEqual(["a", "0 ", "d", "0 1 "]);
});

test("a page that stops sees the end of its stream, and its next message goes through", async () => {
  const { hub, stored } = open(talking(200, () => new Promise((resolve) => setTimeout(resolve, 1))));
  const url = await serveChat(hub);
  const page = new Page(url);
  const sent = page.say("a");
  while (page.messages.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));

  await stop(url);
  await sent;

  expect(page.status).toBe("ready");
  const shown = saidOf(page.messages).map(({ text: words }) => words);
  expect(await stored()).toEqual(shown);
  const next = page.say("b");
  while (!hub.findRunning(sessionId)) await new Promise((resolve) => setTimeout(resolve, 2));
  await page.stop();
  await stop(url);
  await next;
  const last = page.say("c");
  while (!hub.findRunning(sessionId)) await new Promise((resolve) => setTimeout(resolve, 2));
  await stop(url);
  await last;
  expect(page.error).toBeUndefined();
  expect((await stored()).slice(0, 2)).toEqual(shown);
  expect((await stored()).join("")).toContain("b");
});

test("send brings answers, and begins a session of its own where the request names none", async () => {
  const { hub } = open(scripted([toolCall("deploy"), text("Live."), text("New.")]));
  const asked = await (await hub.send(prompt("Deploy."))).result;
  const answers = [{ id: asked.pending[0]!.id, decision: "allow" as const }];

  const run = await hub.send({ sessionId, input: "", answers });

  expect((await run.result).text).toBe("Live.");
  const other = await hub.send({ input: "Hi.", answers: [] });
  expect(other.sessionId).not.toBe(sessionId);
  expect((await other.result).text).toBe("New.");
});

test("an answer to a question that does not wait any more is refused, as of a second tab, and does nothing", async () => {
  const { hub, stored } = open(scripted([toolCall("deploy"), text("Live."), toolCall("deploy"), text("Then not.")]));
  const ask = async () => (await (await hub.send(prompt("Deploy."))).result).pending.map(({ id }) => ({ id }));
  const allow = (answers: readonly { id: string }[]) =>
    hub.send({ sessionId, input: "", answers: answers.map(({ id }) => ({ id, decision: "allow" as const })) });
  const first = await ask();

  const [taken, late] = await Promise.allSettled([allow(first), allow(first)]);

  expect(taken).toMatchObject({ status: "fulfilled" });
  expect(late).toMatchObject({ status: "rejected", reason: { code: "CHAT_DIFFERS", details: { waiting: [] } } });
  if (late.status === "rejected") expect(toErrorResponse(late.reason).status).toBe(409);
  const left = await ask();
  await expect(allow(first)).rejects.toMatchObject({ code: "CHAT_DIFFERS", details: { waiting: [left[0]!.id] } });
  await (await hub.send(prompt("Not now."))).result;
  await expect(allow(left)).rejects.toMatchObject({ code: "CHAT_DIFFERS" });
  expect(await stored()).toEqual(["Deploy.", "Live.", "Deploy.", "", "Not now.", "Then not."]);
});

test("an answer that was taken by a process that was killed then can be given again", async () => {
  const { hub, sessions } = open(scripted([toolCall("deploy"), text("Live."), text("Live again.")]));
  const asked = await (await hub.send(prompt("Deploy."))).result;
  const answers = [{ id: asked.pending[0]!.id, decision: "allow" as const }];
  await (await hub.send({ sessionId, input: "", answers })).result;
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(sessionId)) entries.push(entry);
  const cut = entries.slice(0, entries.findIndex(({ type }) => type === "tool-result") + 1);
  const left = createMemorySessionStore();
  await left.append(sessionId, cut);
  const again = createRunHub({ engine: newEngine({ provider: scripted([text("Live again.")]), sessions: left }) });

  expect((await (await again.send({ sessionId, input: "", answers })).result).text).toBe("Live again.");
});
