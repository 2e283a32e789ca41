// An abort settles the run wherever it stands, with every call answered and the session closed.
import { expect, test, vi } from "vitest";
import { AbandonedWork } from "../../../src/engine/run/abandoned-work.js";
import { RunLifetime } from "../../../src/engine/run/run-lifetime.js";
import type { EngineOptions, RunResult } from "../../../src/index.js";
import { ProviderError } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { Deadlines } from "../../../src/time/deadlines.js";
import { deferred, entriesOf, HeldStore, issuesOf, listen, quiet, testEngine, tool } from "../kit.js";

const forever = () => new Promise<never>(() => {});
const hang = tool("hang", forever, { timeoutMs: null });
const act = tool("act", async () => "ok");

/** Where a run may stand when it is aborted: the model's turns, and what hangs. */
const PLACES: Record<string, [turns: Parameters<typeof testEngine>[0], options: Partial<EngineOptions>]> = {
  "the first token": [[text("late", { delayMs: 60_000 })], {}],
  "a streaming answer": [[text("slow", { chunkSize: 1, chunkDelayMs: 60_000 })], {}],
  "a retry delay": [
    [new ProviderError("OVERLOADED", { message: "busy", retryable: true })],
    { retry: { baseMs: 60_000 } },
  ],
  "a tool": [[toolCall("hang")], { tools: [hang] }],
  "a tool's validation": [[toolCall("act")], { tools: [{ ...act, validate: forever }] }],
  "a tool's parsing": [[toolCall("act")], { tools: [{ ...act, parse: forever }] }],
  "the gate": [[toolCall("act")], { tools: [act], permissions: { decide: forever } }],
  "an approver": [
    [toolCall("act")],
    { tools: [act], permissions: { decide: () => ({ behavior: "ask" }) }, approver: forever },
  ],
  "a gate that remembers": [
    [toolCall("act")],
    {
      tools: [act],
      permissions: { decide: () => ({ behavior: "ask" }), remember: forever },
      approver: () => ({
        decision: "allow",
        remember: [{ type: "addRules", behavior: "allow", rules: ["act"], destination: "session" }],
      }),
    },
  ],
  "an artifact store": [
    [toolCall("long")],
    { tools: [tool("long", async () => "x", { maxResultChars: 0 })], artifacts: { put: forever, get: forever } },
  ],
  ...Object.fromEntries(
    (
      [
        "SessionStart",
        "UserPromptSubmit",
        "PreModelCall",
        "PostModelCall",
        "PreToolUse",
        "PostToolUse",
        "PostToolBatch",
      ] as const
    ).map((point) => [
      `a ${point} hook`,
      [[toolCall("act")], { tools: [act], hooks: { [point]: [{ run: forever }] } }],
    ]),
  ),
  "a PermissionRequest hook": [
    [toolCall("act")],
    {
      tools: [act],
      permissions: { decide: () => ({ behavior: "ask" }) },
      hooks: { PermissionRequest: [{ run: forever }] },
    },
  ],
  "a PermissionDenied hook": [
    [toolCall("act")],
    {
      tools: [act],
      permissions: { decide: () => ({ behavior: "deny" }) },
      hooks: { PermissionDenied: [{ run: forever }] },
    },
  ],
  "a PostToolUseFailure hook": [
    [toolCall("nope"), toolCall("bad")],
    { tools: [tool("bad", () => Promise.reject(new Error("no")))], hooks: { PostToolUseFailure: [{ run: forever }] } },
  ],
  "a Stop hook": [[text("done")], { hooks: { Stop: [{ run: forever }] } }],
};

test.each(Object.keys(PLACES))("a run that waits for %s ends as aborted, answered and recorded", async (place) => {
  const [turns, options] = PLACES[place]!;
  const { engine, store } = testEngine(turns, { limits: { abandonMs: 5 }, ...options });

  const run = engine.stream("go", { sessionId: "s" });
  await quiet();
  await quiet();
  const before = run.state.status;
  run.abort("enough");
  const result = (await Promise.race([run.result, quiet().then(() => null)])) as RunResult;
  await run.idle;

  expect(before).toBe("running");
  expect(result).toMatchObject({
    status: "aborted",
    error: { code: "RUN_ABORTED", message: "The run was aborted: enough." },
  });
  expect(issuesOf(result)).toEqual([]);
  expect((await entriesOf(store, "s")).at(-1)).toMatchObject({ type: "run-end", status: "aborted" });
});

test("an abort while the store writes ends the run as aborted once the store is done", async () => {
  const store = new HeldStore();
  let acted = 0;
  const { engine } = testEngine([toolCall("act")], {
    tools: [
      tool("act", async () => {
        acted++;
        return "ok";
      }),
    ],
    sessions: store,
  });
  engine.on("tool-call-start", () => store.hold());

  const run = engine.stream("go", { sessionId: "s" });
  while (store.waiting === 0) await quiet();
  run.abort();
  await quiet();
  store.letGo();

  expect(await run.result).toMatchObject({ status: "aborted" });
  expect(acted).toBe(0);
  expect((await entriesOf(store, "s")).at(-1)).toMatchObject({ type: "run-end" });
});

test("a signal aborts the run, also one that was aborted before", async () => {
  const controller = new AbortController();
  const { engine, provider } = testEngine([toolCall("hang")], { tools: [hang], limits: { abandonMs: 5 } });

  const run = engine.run("go", { signal: controller.signal });
  await quiet();
  controller.abort(new Error("lunch"));

  expect(await run).toMatchObject({ status: "aborted", error: { message: "The run was aborted: lunch." } });
  expect(await engine.run("go", { signal: controller.signal })).toMatchObject({ status: "aborted", turns: 0 });
  expect(provider.requestCount).toBe(1);
});

test("aborting twice, or after the end, changes nothing", async () => {
  const { engine } = testEngine([text("done")]);

  const run = engine.stream("go");
  const result = await run.result;
  run.abort();
  run.abort();

  expect(result.status).toBe("completed");
  expect(run.state.status).toBe("completed");
});

test("a tool is reported through its signal, and what it then returns is ignored", async () => {
  const told = deferred<unknown>();
  const polite = tool(
    "polite",
    (_input, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => {
          told.resolve(signal.reason);
          resolve("all done after all");
        });
      }),
  );
  const { engine } = testEngine([toolCall("polite")], { tools: [polite] });

  const run = engine.stream("go");
  await quiet();
  run.abort();
  const result = await run.result;
  await run.idle;

  expect(await told.promise).toMatchObject({ code: "RUN_ABORTED" });
  expect(JSON.stringify(result.messages())).not.toContain("all done");
});

test("a rejection in any code of the user's is never left unhandled", async () => {
  const unhandled: unknown[] = [];
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  const fail = async (): Promise<never> => {
    throw new Error("user code");
  };
  const later = async (_input: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new Error("user code, later");
  };
  const places: Partial<EngineOptions>[] = [
    { tools: [tool("act", fail)] },
    { tools: [tool("act", later)] },
    { tools: [{ ...act, validate: fail }] },
    { tools: [act], permissions: { decide: fail } },
    { tools: [act], permissions: { decide: () => ({ behavior: "ask" }) }, approver: fail },
    { tools: [act], hooks: { PreToolUse: [{ run: fail }], Stop: [{ run: fail }], Notification: [{ run: fail }] } },
    { tools: [act], hooks: { PreToolUse: [{ run: later as never }] } },
    { tools: [act], contextSources: [{ id: "x", load: fail }] },
    { tools: [act], compaction: { prepare: fail, recover: fail } },
    { tools: [act], artifacts: { put: fail, get: fail } },
    { tools: [{ ...act, ready: fail }] },
  ];

  for (const options of places) {
    const { engine } = testEngine([toolCall("act"), text("done")], { limits: { abandonMs: 5 }, ...options });
    engine.on("run-start", fail);
    const run = engine.stream("go");
    await quiet();
    run.abort();
    await run.result.catch(() => {});
    await run.idle;
  }
  await quiet();
  process.off("unhandledRejection", onUnhandled);

  expect(unhandled).toEqual([]);
  expect(reported).toHaveBeenCalledTimes(places.length);
  reported.mockRestore();
});

test("after idle a run has left no timer behind", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const { engine } = testEngine([toolCall("act"), text("done")], {
    tools: [act],
    limits: { deadlineMs: 60_000, toolTimeoutMs: 60_000 },
  });

  const run = engine.stream("go");
  await run.result;
  await run.idle;

  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before);
});

test("an abandoned tool's notice comes before idle", async () => {
  const { engine } = testEngine([toolCall("hang")], { tools: [hang], limits: { abandonMs: 5 } });
  const notices = listen(engine, "notice");

  const run = engine.stream("go");
  await quiet();
  run.abort();
  await run.result;
  const before = notices.length;
  await run.idle;

  expect([before, notices.length]).toEqual([0, 1]);
});

// As a sub-agent's is when its parent has given it up, on a machine so busy that the parent's timer comes first.
test("a run that is disposed of waits no longer for what it has left behind", async () => {
  const deadlines = new Deadlines();
  const abandoned = new AbandonedWork(
    deadlines,
    () => 60_000,
    () => {},
  );
  const gone = vi.fn();
  abandoned.watch(forever(), "a tool", gone);
  abandoned.follow(forever(), () => "a stream");
  const idle = abandoned.idle();

  new RunLifetime(() => ({}), deadlines, abandoned, null, 0).dispose();
  deadlines.clear();
  await idle;

  expect(gone).toHaveBeenCalledOnce();
});
