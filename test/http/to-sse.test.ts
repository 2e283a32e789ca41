import { afterEach, expect, test } from "vitest";
import { toResponse, toSse } from "../../src/http/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { gate, newEngine, talking } from "./agents.js";
import { allEvents, serve } from "./loopback.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test("every event of a run arrives once, in order, with the id runId:seq", async () => {
  const run = newEngine({ provider: scripted([toolCall("look"), text("Done.")]) }).stream("go");

  const events = await allEvents(toSse(run));

  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => `${run.id}:${index + 1}`));
  expect(events[0]?.data).toMatchObject({ type: "run-start", runId: run.id });
  expect(events.at(-1)?.data).toMatchObject({ type: "run-end", status: "completed" });
});

test("over a real server, the response is a stream of events", async () => {
  const engine = newEngine({ provider: scripted([text("Hi.")]) });
  const server = await serve(() => toResponse(engine.stream("hi"), { headers: { "x-own": "1" } }));
  closing.push(server.close);

  const response = await fetch(server.url);
  const events = await allEvents(response.body!);

  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("x-own")).toBe("1");
  expect(events.at(-1)?.data.type).toBe("run-end");
});

test("a position skips what the client has", async () => {
  const run = newEngine({ provider: scripted([text("Hi.")]) }).stream("hi");

  const [first] = await allEvents(toSse(run, { from: `${run.id}:3` }));

  expect(first?.id).toBe(`${run.id}:4`);
});

test("a client that leaves does not end the run", async () => {
  const held = gate();
  const run = newEngine({ provider: talking(5, (word) => (word === 2 ? held.opened : undefined)) }).stream("go");
  const reader = toSse(run).getReader();
  await reader.read();

  await reader.cancel();
  held.open();

  expect(await run.result).toMatchObject({ status: "completed", text: "0 1 2 3 4 " });
});

test("a client that leaves ends the run if asked to", async () => {
  const run = newEngine({ provider: talking(5, (word) => (word === 2 ? new Promise(() => {}) : undefined)) }).stream(
    "go",
  );
  const reader = toSse(run, { abortOnLeave: true }).getReader();
  await reader.read();

  await reader.cancel();

  expect((await run.result).status).toBe("aborted");
});

test("a client that does not read never holds up the run", async () => {
  const run = newEngine({ provider: talking(3_000) }).stream("go");
  const stream = toSse(run);

  const result = await run.result;
  const events = await allEvents(stream);

  expect(result.status).toBe("completed");
  expect(events.at(-1)?.data.type).toBe("run-end");
  expect(
    events
      .filter(({ data }) => data.type === "text-delta")
      .map(({ data }) => data.text)
      .join(""),
  ).toBe(result.text);
});

test("a silent stream sends a comment, so that proxies keep it open", async () => {
  const held = gate();
  const run = newEngine({ provider: talking(2, () => held.opened) }).stream("go");
  const reader = toSse(run, { heartbeatMs: 5 }).getReader();
  let heard = "";

  while (!heard.includes(": heartbeat\n\n")) heard += new TextDecoder().decode((await reader.read()).value);
  held.open();
  await reader.cancel();

  expect((await run.result).status).toBe("completed");
});

test("a run that was refused ends its stream with an error event", async () => {
  const engine = newEngine({ provider: talking(1) });
  await engine.close();

  const events = await allEvents(toSse(engine.stream("go")));

  expect(events).toMatchObject([{ event: "error", data: { type: "error", error: { code: "ENGINE_CLOSED" } } }]);
});

test("errors travel with code and message, without a stack", async () => {
  const provider = scripted([new Error("secret path")]);
  const run = newEngine({ provider, retry: false }).stream("go");

  const last = (await allEvents(toSse(run))).at(-1)!.data;

  expect(last).toMatchObject({ type: "run-end", status: "failed", error: { code: "PROVIDER_FAILED" } });
  expect(JSON.stringify(last)).not.toContain(" at ");
});

test.each([-1, 1.5, "x", "run:", Number.NaN])("the position %s is refused", (from) => {
  const run = newEngine({ provider: talking(1) }).stream("go");

  expect(() => toSse(run, { from })).toThrow(/Option "from" of toSse\(\)/);
});

test("what is not a run is refused", () => {
  expect(() => toSse({} as never)).toThrow(/expected a run/);
});
