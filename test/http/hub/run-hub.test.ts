import fc from "fast-check";
import { expect, test } from "vitest";
import { createRunHub, type RunStreamEvent, toErrorResponse, toResponse, toSse } from "../../../src/http/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { runs } from "../../runs.js";
import { gate, newEngine, talking } from "../agents.js";
import { allEvents, readEvents, serve } from "../loopback.js";

async function collect(events: AsyncIterable<RunStreamEvent>): Promise<RunStreamEvent[]> {
  const all: RunStreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const seqs = (events: readonly RunStreamEvent[]) =>
  events.map((event) => (event.type === "reset" ? event.type : event.seq));

test("a subscriber that comes late gets the whole run", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([toolCall("look"), text("Done.")]) }) });
  const run = hub.start("go");
  await run.result;

  const events = await collect(hub.subscribe(run.id));

  expect(seqs(events)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("several subscribers, each from its own position, get what follows it", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: talking(10) }) });
  const run = hub.start("go");

  const [all, some, byId] = await Promise.all([
    collect(run),
    collect(hub.subscribe(run.id, 7)),
    collect(hub.subscribe(run.id, `${run.id}:7`)),
  ]);

  expect(some).toEqual(all.slice(7));
  expect(byId).toEqual(some);
});

test("a refused run rejects before there is a stream", async () => {
  const held = gate();
  const hub = createRunHub({ engine: newEngine({ provider: talking(3, () => held.opened) }) });
  const run = hub.start("go", { sessionId: "s" });
  await run.started;

  const busy = hub.start("again", { sessionId: "s" });
  const wrong = hub.start("again", { limits: { maxTurns: -1 } });
  const refusals = await Promise.all([busy.started, wrong.started].map((one) => one.catch(toErrorResponse)));
  const unknown = await hub.answer([], { sessionId: "unknown" }).catch(toErrorResponse);

  expect(refusals.map((response) => Object(response).status)).toEqual([409, 400]);
  expect(unknown).toMatchObject({ status: 404 });
  held.open();
  await run.result;
});

test("a run is steered through the hub until it ends", async () => {
  const held = gate();
  const provider = scripted([() => held.opened.then(() => text("One.")), text("Two.")]);
  const hub = createRunHub({ engine: newEngine({ provider }) });
  const run = hub.start("go");
  for await (const { type } of run) if (type === "model-call-start") break;

  expect(hub.steer(run.id, "And two.")).toBe(true);
  held.open();

  expect((await run.result).text).toBe("Two.");
  expect(hub.steer(run.id, "Three?")).toBe(false);
  expect(hub.steer("unknown", "Three?")).toBe(false);
});

test("leaving a subscription neither ends the run nor keeps a listener", async () => {
  const held = gate();
  const hub = createRunHub({
    engine: newEngine({ provider: talking(3, (word) => (word === 1 ? held.opened : undefined)) }),
  });
  const run = hub.start("go");

  for await (const event of run) if (event.type === "text-delta") break;
  held.open();

  expect((await run.result).status).toBe("completed");
});

test("connections cut at random and continued by Last-Event-ID give every event once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), async (cuts) => {
      const hub = createRunHub({ engine: newEngine({ provider: talking(40) }) });
      const run = hub.start("go");
      const server = await serve((request) => {
        const from = request.headers.get("last-event-id") ?? undefined;
        return toResponse(hub.subscribe(run.id, from));
      });
      const ids: string[] = [];
      try {
        for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
          const controller = new AbortController();
          const headers = { ...(ids.length > 0 && { "last-event-id": ids.at(-1)! }) };
          const response = await fetch(server.url, { headers, signal: controller.signal });
          if (response.status === 204) break;
          let count = 0;
          for await (const event of readEvents(response.body!)) {
            ids.push(event.id!);
            if (++count >= cut) break;
          }
          controller.abort();
        }
      } finally {
        await server.close();
      }

      const { length } = await collect(run);
      expect(ids).toEqual(Array.from({ length }, (_, index) => `${run.id}:${index + 1}`));
    }),
    { numRuns: runs(4, 30, 300) },
  );
});

test("a client that has everything of a run that ended gets 204", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([text("Hi.")]) }) });
  const run = hub.start("go");
  const all = await allEvents(toResponse(run).body!);

  expect(toResponse(hub.subscribe(run.id, all.at(-1)!.id)).status).toBe(204);
});

test("a position that is gone yields reset and then the session, and goes on with the run", async () => {
  const held = gate();
  const slow = newEngine({
    provider: talking(30, (word) => (word === 25 ? held.opened : undefined)),
    sessions: createMemorySessionStore(),
  });
  const hub = createRunHub({ engine: slow, maxEvents: 10 });
  const run = hub.start("go");
  for await (const event of hub.subscribe(run.id, 20)) if (event.type === "text-delta" && event.text === "24 ") break;

  const subscription = hub.subscribe(run.id, 2)[Symbol.asyncIterator]();
  const reset = (await subscription.next()).value;
  const session = (await subscription.next()).value;
  held.open();
  const rest = await collect({ [Symbol.asyncIterator]: () => subscription });

  expect(reset).toMatchObject({ type: "reset", code: "EVENTS_GONE", runId: run.id, sessionId: run.sessionId });
  expect(session).toMatchObject({ type: "session", sessionId: run.sessionId });
  expect(session?.type === "session" && session.entries.some(({ type }) => type === "message")).toBe(true);
  expect(rest.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("after a restart the session is sent for a run the hub does not know", async () => {
  const sessions = createMemorySessionStore();
  const before = createRunHub({ engine: newEngine({ provider: scripted([text("Hi.")]), sessions }) }).start("go");
  await before.result;
  const hub = createRunHub({ engine: newEngine({ provider: scripted([]), sessions }) });

  const events = await collect(hub.subscribe(before.id, 3, { sessionId: before.sessionId }));

  expect(events.map(({ type }) => type)).toEqual(["reset", "session"]);
  expect(() => hub.subscribe("unknown", 3)).toThrow(expect.objectContaining({ code: "EVENTS_GONE" }));
});

test("a client that has the session of a run the hub does not know is told that there is no more", async () => {
  const sessions = createMemorySessionStore();
  const before = createRunHub({ engine: newEngine({ provider: scripted([text("Hi.")]), sessions }) }).start("go");
  await before.result;
  const { id: runId, sessionId } = before;
  const hub = createRunHub({ engine: newEngine({ provider: scripted([]), sessions }) });

  const sent = await toResponse(hub.subscribe(runId, `${runId}:3`, { sessionId })).text();
  const last = /^id: (.+)$/m.exec(sent)![1]!;
  const again = toResponse(hub.subscribe(runId, last, { sessionId }), { from: last });

  expect(JSON.parse(sent.split("data: ").at(-1)!).seq).toBeTypeOf("number");
  expect(again.status).toBe(204);
});

test("a run of another session is like one that the hub does not know: neither heard, nor ended, nor its questions shown", async () => {
  const { opened, open } = gate();
  const hub = createRunHub({
    engine: newEngine({ provider: talking(3, (word) => (word === 2 ? opened : undefined)) }),
  });
  const own = hub.start("Hello.");
  const run = hub.start("A secret.");
  await Promise.all([own.started, run.started]);

  const events = await collect(hub.subscribe(run.id, undefined, { sessionId: own.sessionId }));
  const { result, abort } = hub.subscribe(run.id, undefined, { sessionId: own.sessionId });
  abort?.("another user's page has left");
  open();

  expect(events.map(({ type }) => type)).toEqual(["reset", "session"]);
  expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set([own.sessionId]));
  expect(JSON.stringify(events)).not.toContain("A secret.");
  expect(result).toBeUndefined();
  expect((await run.result).status).toBe("completed");
  const heard = await collect(hub.subscribe(run.id, undefined, { sessionId: run.sessionId }));
  expect(heard.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("an answer continues the session it belongs to", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([toolCall("deploy"), text("It is live.")]) }) });
  const first = hub.start("Deploy.");
  const { pending } = await first.result;

  const second = await hub.answer({ id: pending[0]!.id, decision: "allow" });

  expect(second.sessionId).toBe(first.sessionId);
  expect(await second.result).toMatchObject({ status: "completed", text: "It is live." });
});

test("answers given at once, also while the run still goes on, take effect one after the other", async () => {
  const provider = scripted([[toolCall("deploy"), toolCall("deploy", { again: true })], text("Both are live.")]);
  const hub = createRunHub({ engine: newEngine({ provider }) });
  const first = hub.start("Deploy twice.");
  const answers: Promise<unknown>[] = [];
  for await (const event of first) {
    if (event.type !== "approval-requested") continue;
    answers.push(hub.answer({ id: event.request.id, decision: "allow" }).then((run) => run.result));
  }
  let last = (await Promise.all(answers)).at(-1) as { status: string; pending: readonly { id: string }[] };
  while (last.status === "needs-approval")
    last = (await (await hub.answer(last.pending.map(({ id }) => ({ id, decision: "allow" })))).result) as never;

  expect(last.status).toBe("completed");
});

test("an answer to a question nobody has asked says what to pass", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([]) }) });

  const refusal = await hub.answer({ id: "no", decision: "allow" }).catch((error) => error);

  expect(refusal).toMatchObject({ code: "SESSION_NOT_FOUND" });
  expect(toErrorResponse(refusal).status).toBe(404);
});

test("abort ends a run, and reports whether there was one", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: talking(3, () => new Promise(() => {})) }) });
  const run = hub.start("go");

  expect(hub.abort("unknown")).toBe(false);
  expect(hub.abort(run.id, "enough")).toBe(true);

  expect((await run.result).status).toBe("aborted");
  await run.idle;
  expect(hub.abort(run.id)).toBe(false);
});

test("no more ended runs are kept than allowed", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: scripted([text("a"), text("b")]) }), maxEndedRuns: 1 });
  const first = hub.start("a");
  await collect(first);
  const second = hub.start("b");
  await collect(second);

  expect(() => hub.subscribe(first.id)).toThrow(expect.objectContaining({ code: "EVENTS_GONE" }));
  expect((await collect(hub.subscribe(second.id))).length).toBeGreaterThan(0);
});

test("the run under way in a session is found, for a client that was reloaded", async () => {
  const held = gate();
  const hub = createRunHub({ engine: newEngine({ provider: talking(2, () => held.opened) }) });
  const run = hub.start("go", { sessionId: "chat" });

  const found = hub.findRunning("chat");
  held.open();

  expect(seqs(await collect(found!))).toEqual(seqs(await collect(run)));
  expect(hub.findRunning("chat")).toBeUndefined();
});

test("a subscriber that leaves ends the run only if asked to", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: talking(3, () => new Promise(() => {})) }) });
  const run = hub.start("go");
  const [patient, strict] = [
    toSse(hub.subscribe(run.id)).getReader(),
    toSse(hub.subscribe(run.id), { abortOnLeave: true }).getReader(),
  ];
  await Promise.all([patient.read(), strict.read()]);

  await patient.cancel();
  expect(run.state.status).toBe("running");
  await strict.cancel();

  expect((await run.result).status).toBe("aborted");
});
