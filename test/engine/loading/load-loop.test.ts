// The first run of a process, while its code is still being read.
import { beforeEach, expect, test, vi } from "vitest";
import { scripted, text } from "../../../src/providers/scripted/index.js";

let AgentEngine: typeof import("../../../src/index.js").AgentEngine;
beforeEach(async () => {
  vi.resetModules();
  ({ AgentEngine } = await import("../../../src/index.js"));
});

test("a run that is aborted before its code is there ends as aborted, and the next one runs", async () => {
  const engine = new AgentEngine({ provider: scripted([text("Hello.")]) });
  const run = engine.stream("go");
  run.abort("enough");

  expect((await run.result).status).toBe("aborted");
  expect((await engine.run("go")).text).toBe("Hello.");
});

test("two engines that begin at once both run, and an engine that is closed meanwhile lets nothing go on", async () => {
  const engines = [1, 2].map((n) => new AgentEngine({ provider: scripted([text(`${n}`)]) }));
  const results = engines.map((engine) => engine.run("go"));
  const closed = new AgentEngine({ provider: scripted([text("late")]) });
  const run = closed.stream("go");
  const closing = closed.close();

  expect((await Promise.all(results)).map((result) => result.text)).toEqual(["1", "2"]);
  expect((await run.result).status).toBe("aborted");
  await closing;
});

test("what is said to a run before its code is there is said to it, in order", async () => {
  const engine = new AgentEngine({ provider: scripted([text("One."), text("Two.")]) });
  const run = engine.stream("go", { sessionId: "s" });

  expect(run.state).toMatchObject({ status: "running", turn: 0, transition: "next-turn", costUsd: 0 });
  expect([run.steer("look here"), run.followUp("and then this"), run.steer("")]).toEqual([true, true, false]);
  expect(await run.result).toMatchObject({ status: "completed", text: "Two.", turns: 2 });
  expect(run.state).toMatchObject({ status: "completed", turn: 2 });
});

test("a run that was stopped before its code is there takes no more messages", async () => {
  const engine = new AgentEngine({ provider: scripted([text("Hello.")]) });
  const run = engine.stream("go");
  run.abort();

  expect([run.steer("late"), run.followUp("late")]).toEqual([false, false]);
  expect((await run.result).status).toBe("aborted");
});

test("misuse that shows with the run's code is reported, and the session is free again", async () => {
  const ping = { name: "ping", description: "Pings.", permission: "none", input: { type: "object" } } as const;
  const { defineTool } = await import("../../../src/index.js");
  const tool = defineTool({ ...ping, execute: () => "pong" });
  const engine = new AgentEngine({ provider: scripted([text("Hello.")]), tools: [tool] });
  const run = engine.stream("go", { sessionId: "s", extraTools: [tool] });

  await expect(run.result).rejects.toMatchObject({ code: "TOOL_DUPLICATE" });
  await run.idle;
  expect((await engine.run("go", { sessionId: "s" })).text).toBe("Hello.");
});

test("hooks run, and a retried stream is read, before any run has begun", async () => {
  const { HookRunner, withRetry } = await import("../../../src/index.js");
  const hooks = new HookRunner({ TeammateIdle: [{ run: () => ({ systemMessage: "heard" }) }] });
  const engine = new AgentEngine({ provider: scripted([]), hooks });
  const notified = engine.notify("TeammateIdle", { teammateName: "a", teamName: "b" } as never, "s");
  const { signal } = new AbortController();
  const request = { system: [], messages: [], tools: [], signal, sessionId: "s" } as never;
  const events: string[] = [];
  for await (const event of withRetry(scripted([text("Hello.")])).stream(request)) events.push(event.type);

  expect((await notified)?.systemMessages).toEqual(["heard"]);
  expect(events.at(-1)).toBe("message-end");
});
