// What a plan asks the host, and how it goes on with the answers: of the plan itself, of its tools, of its agents.
import { expect, test } from "vitest";
import { type PendingRequest, signAnswer } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createScheduler, type Plan } from "../../../src/scheduler/index.js";
import { createMemorySessionStore, findPending } from "../../../src/sessions/index.js";
import { act, actTool, followed, scheduling, statesOf, task } from "../kit.js";

const ASK = { decide: () => ({ behavior: "ask" as const, reason: "It needs a yes." }) };
const allow = ({ id }: PendingRequest) => ({ id, decision: "allow" as const });

test("a tool task that needs approval waits, others go on, and the answer lets it run", async () => {
  const ran: string[] = [];
  const tool = actTool((id) => ran.push(id) && id);
  const free = actTool((id) => ran.push(id) && id, { name: "free", permission: "none" });
  const decide = ({ tool: { name } }: { tool: { name: string } }) => ({
    behavior: name === "act" ? ("ask" as const) : ("allow" as const),
    reason: "It needs a yes.",
  });
  const tasks = [act("a"), task("b", { tool: { name: "free", input: { id: "b" } } }), act("c", ["a"])];
  const { scheduler } = scheduling(tasks, { engine: { tools: [tool, free], permissions: { decide } as never } });

  const { events, report } = await followed(scheduler.run("goal", { sessionId: "p" }));
  const unanswered = await scheduler.resume("p").result;
  const second = await scheduler.resume("p", { answers: report.pending.map(allow) }).result;
  const last = await scheduler.resume("p", { answers: second.pending.map(allow) }).result;

  expect(report).toMatchObject({ status: "needs-approval", pending: [{ tool: "act", sessionId: "p.a.1" }] });
  expect(statesOf(events).at(-1)).toBe("dispatching");
  expect(events.find(({ type }) => type === "approval-requested")).toMatchObject({ taskId: "a" });
  expect(unanswered.pending).toEqual(report.pending);
  expect(second).toMatchObject({ status: "needs-approval", pending: [{ sessionId: "p.c.1" }] });
  expect(last).toMatchObject({ status: "done", pending: [] });
  expect(last.tasks.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  expect(ran).toEqual(["b", "a", "c"]);
});

test("a denial fails the task without another attempt", async () => {
  const { scheduler } = scheduling([act("a")], {
    engine: { tools: [actTool(() => "")], permissions: ASK },
    limits: { maxReplans: 0 },
  });
  const report = await scheduler.run("goal", { sessionId: "p" }).result;

  const answers = [{ id: report.pending[0]!.id, decision: "deny" as const, reason: "Not today." }];
  const denied = await scheduler.resume("p", { answers }).result;

  expect(denied.status).toBe("failed");
  expect(denied.tasks).toMatchObject([{ attempts: 1, reason: expect.stringContaining("Not today.") }]);
});

test("an agent's question is the plan's, and its run goes on with the answer, counted once", async () => {
  const provider = scripted([toolCall("act", { id: "x" }), text("It is done.")]);
  const { scheduler } = scheduling([task("a")], {
    engine: { provider, tools: [actTool((id) => id)], permissions: ASK },
  });

  const report = await scheduler.run("goal", { sessionId: "p" }).result;
  const done = await scheduler.resume("p", { answers: report.pending.map(allow) }).result;

  expect(report).toMatchObject({ status: "needs-approval", pending: [{ sessionId: "p.a.1" }] });
  expect(report.usage).toEqual({ inputTokens: 10, outputTokens: 5 });
  expect(done).toMatchObject({ status: "done", usage: { inputTokens: 20, outputTokens: 10 }, summary: "It is done." });
  expect(done.tasks).toMatchObject([{ attempts: 1, tools: ["act"] }]);
});

test("a check that needs approval waits, too, and the task is not done again for it", async () => {
  const ran: string[] = [];
  const bash = actTool(() => ({ output: "", details: { exitCode: 0 } }), { name: "bash" });
  const checking = { ...bash, parse: (input: unknown) => input };
  const decide = ({ tool: { name } }: { tool: { name: string } }) => ({
    behavior: name === "bash" ? ("ask" as const) : ("allow" as const),
  });
  const { scheduler } = scheduling([act("a", [], { criterion: { kind: "command", command: "make test" } })], {
    engine: { tools: [actTool((id) => ran.push(id) && id), checking], permissions: { decide } as never },
  });

  const report = await scheduler.run("goal", { sessionId: "p" }).result;
  const done = await scheduler.resume("p", { answers: report.pending.map(allow) }).result;

  expect(report.pending).toMatchObject([{ tool: "bash", sessionId: "p.a.1.verify", input: { command: "make test" } }]);
  expect(done.status).toBe("done");
  expect(ran).toEqual(["a"]);
});

test("the host looks at a plan, and may approve, refuse or change it", async () => {
  const seen: Plan[] = [];
  const changed = { goal: "goal", tasks: [act("other")] };
  const outcomes: unknown[] = [];
  for (const decision of [true, "allow", false, "deny", changed, undefined] as const) {
    const ran: string[] = [];
    const { scheduler } = scheduling([act("a")], {
      engine: { tools: [actTool((id) => ran.push(id) && id)] },
      approvePlan: (plan) => {
        seen.push(plan);
        return decision as never;
      },
    });
    const { status, error } = await scheduler.run("goal").result;
    outcomes.push([status, error?.code, ...ran]);
  }

  expect(outcomes).toEqual([
    ["done", undefined, "a"],
    ["done", undefined, "a"],
    ["failed", "PERMISSION_DENIED"],
    ["failed", "PERMISSION_DENIED"],
    ["done", undefined, "other"],
    ["failed", "PERMISSION_DENIED"],
  ]);
  expect(seen.every(({ tasks }) => tasks.length === 1)).toBe(true);
});

test("a plan that is asked about waits in the session, for days and for another process", async () => {
  const answers = [
    { decision: "allow" as const },
    { value: true },
    { value: "yes" },
    { value: { goal: "goal", tasks: [act("b")] } as never },
    { decision: "allow" as const, updatedInput: { tasks: [act("b")] } as never },
    { decision: "deny" as const, reason: "Too risky." },
    { value: "Please use fewer tasks." },
  ];
  const outcomes: unknown[] = [];
  for (const answer of answers) {
    const ran: string[] = [];
    const tools = [actTool((id) => ran.push(id) && id)];
    const sessions = createMemorySessionStore();
    const options = { engine: { tools, sessions }, approvePlan: () => "ask" as const };
    const first = await scheduling([act("a")], options).scheduler.run("goal", { sessionId: "p" }).result;
    const [request] = await findPending(sessions, "p");
    const waiting = await scheduling([act("a")], options).scheduler.resume("p").result;
    const { scheduler } = scheduling([act("a")], options);
    const { status, summary } = await scheduler.resume("p", { answers: [{ id: request!.id, ...answer }] }).result;

    expect(first).toMatchObject({ status: "needs-approval", pending: [request] });
    expect(waiting.pending).toEqual([request]);
    expect(request).toMatchObject({ kind: "question", tool: "scheduler_plan", sessionId: "p" });
    expect(await findPending(sessions, "p")).toEqual([]);
    outcomes.push([status, ...ran, ...(status === "failed" ? [summary] : [])]);
  }

  expect(outcomes).toEqual([
    ["done", "a"],
    ["done", "a"],
    ["done", "a"],
    ["done", "b"],
    ["done", "b"],
    ["failed", "The plan was not approved: Too risky."],
    ["failed", "The plan was not approved: Please use fewer tasks."],
  ]);
});

test("where answers are signed, an unsigned one does not approve a plan", async () => {
  const key = "secret key";
  const { scheduler } = scheduling([act("a")], {
    engine: { tools: [actTool((id) => id)], approvals: { key } },
    approvePlan: () => "ask",
  });
  const [request] = (await scheduler.run("goal", { sessionId: "p" }).result).pending;

  const unsigned = await scheduler.resume("p", { answers: [{ id: request!.id, value: true }] }).result;
  const answers = [signAnswer(request!, { id: request!.id, value: true }, key)];
  const signed = await scheduler.resume("p", { answers }).result;

  expect(unsigned.status).toBe("needs-approval");
  expect(signed.status).toBe("done");
});

test("an approver of the engine answers for a plan at once", async () => {
  const asked: string[] = [];
  const { engine } = scheduling([], {
    engine: {
      tools: [actTool((id) => id)],
      approver: ({ tool, kind }) => {
        asked.push(`${kind} ${tool}`);
        return { value: true };
      },
    },
  });
  const scheduler = createScheduler({
    engine,
    predicates: { any: () => true },
    decomposer: (goal) => ({ goal, tasks: [act("a")] }),
    approvePlan: () => "ask",
  });

  expect((await scheduler.run("goal").result).status).toBe("done");
  expect(asked).toEqual(["question scheduler_plan"]);
});

test("an answer that reached the task's session and not the plan's counts, as after a crash between the two", async () => {
  const ran: string[] = [];
  const tool = actTool((id) => ran.push(id) && id);
  const { scheduler, engine } = scheduling([act("a"), act("b", ["a"])], {
    engine: { tools: [tool], permissions: ASK },
  });
  const [request] = (await scheduler.run("goal", { sessionId: "p" }).result).pending;
  const wanted = { id: request!.toolCallId, name: "act", arguments: { id: "a" } };
  await engine.execute(wanted, { sessionId: request!.sessionId, suspend: true, answers: [allow(request!)] });

  const report = await scheduler.resume("p").result;

  expect(ran).toEqual(["a"]);
  expect(report).toMatchObject({ status: "needs-approval", pending: [{ sessionId: "p.b.1" }] });
  expect(report.tasks).toMatchObject([{ status: "done", attempts: 1 }, { status: "needs-approval" }]);
});

test("a plan whose question a run in its session has denied is asked about again", async () => {
  const { scheduler, engine } = scheduling([act("a")], {
    engine: { provider: scripted([text("hello")]), tools: [actTool((id) => id)] },
    approvePlan: () => "ask",
  });

  const first = await scheduler.run("goal", { sessionId: "p" }).result;
  await engine.run("Hello?", { sessionId: "p" });
  const late = await scheduler.resume("p", { answers: first.pending.map(allow) }).result;
  const last = await scheduler.resume("p", { answers: late.pending.map(allow) }).result;

  expect(late).toMatchObject({ status: "needs-approval", pending: [{ tool: "scheduler_plan" }] });
  expect(last).toMatchObject({ status: "done", summary: "a" });
});
