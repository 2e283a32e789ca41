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
