import { expect, test } from "vitest";
import { createRunHub, toResponse, toSse } from "../../../src/http/index.js";
import { defineTool } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { newEngine, talking } from "../agents.js";
import { allEvents } from "../loopback.js";

test("an answer that is refused does not refuse the next one", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([toolCall("deploy"), text("Live.")]) }) });
  const first = hub.start("Deploy.");
  const [question] = (await first.result).pending;
  const answer = { id: question!.id, decision: "allow" } as const;

  const [refused, taken] = await Promise.allSettled([
    hub.answer(answer, { limits: { maxTurns: -1 } }),
    hub.answer(answer),
  ]);

  expect(refused.status).toBe("rejected");
  expect(taken).toMatchObject({ status: "fulfilled" });
  if (taken.status === "fulfilled") expect(await taken.value.result).toMatchObject({ text: "Live." });
});

test("an answer reaches the session that asked its question, whatever else is asked", async () => {
  const provider = scripted([
    toolCall("deploy"),
    toolCall("deploy"),
    toolCall("deploy"),
    text("A."),
    text("B."),
    text("C."),
  ]);
  const hub = createRunHub({ engine: newEngine({ provider }) });
  const runs = [hub.start("a"), hub.start("b"), hub.start("c")];
  const asked = await Promise.all(runs.map((run) => run.result));

  for (const index of [1, 2, 0]) {
    const next = await hub.answer({ id: asked[index]!.pending[0]!.id, decision: "deny" });
    expect(next.sessionId).toBe(runs[index]!.sessionId);
    await next.result;
  }
});

test("the context given with an answer comes before the hub's own, which is then not asked for", async () => {
  const seen: unknown[] = [];
  const tool = defineTool({
    name: "act",
    description: "Acts.",
    permission: "execute",
    execute: async (_input, { app }) => {
      seen.push(app);
      return "Done.";
    },
  });
  const asked: string[] = [];
  const hub = createRunHub({
    engine: newEngine({
      provider: scripted([toolCall("act"), text("1."), toolCall("act"), text("2.")]),
      tools: [tool],
    }),
    contextFor: (sessionId) => {
      asked.push(sessionId);
      return { from: "the hub" };
    },
  });
  for (const context of [{ from: "the answer" }, undefined]) {
    const run = hub.start("Act.", { context: { from: "the start" } });
    const { pending } = await run.result;
    const next = await hub.answer({ id: pending[0]!.id, decision: "allow" }, { ...(context && { context }) });
    await next.result;
  }

  expect(seen).toEqual([{ from: "the answer" }, { from: "the hub" }]);
  expect(asked).toHaveLength(1);
});

test("a client that falls silent between heartbeats loses no event", async () => {
  const provider = talking(12, (word) => new Promise((resolve) => setTimeout(resolve, word % 3 === 0 ? 20 : 0)));
  const hub = createRunHub({ engine: newEngine({ provider }) });
  const run = hub.start("go");

  const ids = (await allEvents(toSse(run, { heartbeatMs: 4 }))).map(({ id }) => id);

  expect(ids).toEqual(ids.map((_, index) => `${run.id}:${index + 1}`));
  expect((await run.result).status).toBe("completed");
});

test("a host's headers stay beside the stream's own, which are sent once whatever their letter case", async () => {
  const run = newEngine({ provider: talking(1) }).stream("go");

  const { headers, body } = toResponse(run, {
    headers: { "Content-Type": "text/html", "CACHE-CONTROL": "public", "X-Request-Id": "7" },
  });

  expect(Object.fromEntries(headers)).toEqual({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "x-request-id": "7",
  });
  await allEvents(body!);
});

test("only a client of events is told by 204 that there is no more; a chat gets its end", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([text("Hi.")]) }) });
  const run = hub.start("go");
  const last = (await allEvents(toResponse(run).body!)).at(-1)!.id;

  const statuses = (["events", "ui-messages", "ag-ui"] as const).map(
    (format) => toResponse(hub.subscribe(run.id, last), { format }).status,
  );

  expect(statuses).toEqual([204, 200, 200]);
});
