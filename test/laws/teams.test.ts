// Random lists of tasks worked off by random teams: a team ends, each task is done once and not before what it waits for.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EngineOptions, ProviderRequest, Task } from "../../src/index.js";
import { AgentEngine } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemoryTaskStore, createTeam } from "../../src/tasks/index.js";
import { tool } from "../engine/kit.js";
import { runs } from "../runs.js";
import { agent } from "../subagents/kit.js";

/** What the model does with a task. */
type Deed = "does" | "works" | "writes" | "fails" | "asks";

interface Job {
  readonly deed: Deed;
  /** Which of the tasks before it it waits for. */
  readonly after: readonly number[];
}

const job: fc.Arbitrary<Job> = fc.record({
  deed: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Deed>("does", "works", "writes") },
    { weight: 1, arbitrary: fc.constantFrom<Deed>("fails", "asks") },
  ),
  after: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
});
const NAMES = ["ann", "bob", "cid"];

interface Scene {
  readonly jobs: readonly Job[];
  readonly members: number;
  /** Aborted at this event. */
  readonly abortAt: number | null;
}

const scene: fc.Arbitrary<Scene> = fc.record({
  jobs: fc.array(job, { minLength: 1, maxLength: 7 }),
  members: fc.integer({ min: 1, max: 3 }),
  abortAt: fc.option(fc.nat({ max: 60 }), { freq: 2 }),
});

function turnFor({ messages }: ProviderRequest) {
  const [first] = messages[0]!.content;
  const prompt = first?.type === "text" ? first.text : "";
  const deed = /^Your task \(\w+\): (\w+)/.exec(prompt)?.[1] as Deed | undefined;
  const isLast = messages.some(({ role }) => role === "assistant");
  if (deed === "fails") return new Error("no such model");
  if (!deed || isLast) return text(`It ${deed ?? "reads"}.`);
  if (deed === "works") return toolCall("work", {});
  if (deed === "asks") return toolCall("danger", {});
  if (deed === "writes") return toolCall("message_send", { to: "*", message: "hello" });
  return text(`It ${deed}.`);
}

async function brokenBy({ jobs, members, abortAt }: Scene): Promise<string[]> {
  const store = createMemoryTaskStore();
  const ids: string[] = [];
  for (const { deed, after } of jobs) {
    const blockedBy = after.flatMap((n) => ids[n] ?? []);
    ids.push((await store.create({ subject: deed, blockedBy })).id);
  }
  const problems: string[] = [];
  const began = new Map<string, number>();
  const stop = new AbortController();
  let events = 0;
  const work = tool("work", async () => "worked", { permission: "none" });
  const danger = tool("danger", async () => "done");
  const options: EngineOptions = {
    provider: scripted([turnFor] as never, { loop: true }),
    tools: [work, danger],
    permissions: {
      decide: ({ tool }) => ({ behavior: (tool as { name: string }).name === "danger" ? "ask" : "allow" }),
    },
    retry: false,
  };
  const engine = new AgentEngine(options);
  for (const type of ["run-start", "tool-call-start", "turn-end", "run-end"] as const) {
    engine.on(type, ({ sessionId }) => {
      if (type === "run-start" && sessionId.startsWith("task-")) {
        const id = sessionId.split("-")[1]!;
        began.set(id, (began.get(id) ?? 0) + 1);
      }
      if (events++ === abortAt) stop.abort();
    });
  }
  const team = NAMES.slice(0, members).map((name) => agent(name));
  const report = await createTeam({ engine, members: team, store }).run(stop.signal).result;
  const statusOf = new Map(report.tasks.map((task) => [task.id, task.status]));
  for (const task of report.tasks) problems.push(...wrongWith(task, report.status, began.get(task.id) ?? 0, statusOf));
  const isDone = report.tasks.every(({ status }) => status === "completed" || status === "failed");
  if (report.status === "done" && !isDone) problems.push("it is done, but a task is not");
  if (report.status === "aborted" && !stop.signal.aborted) problems.push("it says it was aborted");
  const ended = report.members.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const endedTasks = report.tasks.filter(({ status }) => status === "completed" || status === "failed").length;
  if (ended !== endedTasks) problems.push(`${endedTasks} tasks ended, the members say ${ended}`);
  return problems;
}

function wrongWith(task: Task, status: string, began: number, statusOf: ReadonlyMap<string, string>): string[] {
  const { id, subject, owner } = task;
  const problems: string[] = [];
  const isOpen = task.status === "pending" || task.status === "in_progress";
  const blockers = task.blockedBy.map((blocker) => statusOf.get(blocker));
  if (task.status === "in_progress") problems.push(`task ${id} is still held by ${owner}`);
  const isOnce = began === 1 || (isOpen && began === 0);
  if (!isOnce) problems.push(`task ${id} was begun ${began} times`);
  if (began > 0 && !blockers.every((each) => each === "completed")) problems.push(`task ${id} did not wait`);
  if (status === "aborted") return problems;
  const isReady = blockers.every((each) => each === "completed");
  const expected = !isReady || subject === "asks" ? "pending" : subject === "fails" ? "failed" : "completed";
  if (task.status !== expected) problems.push(`task ${id} (${subject}) is ${task.status}, not ${expected}`);
  return problems;
}

test("a random team ends, gives back what it holds, and does each task once, after what it waits for", async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (plan) => {
      expect(await brokenBy(plan)).toEqual([]);
    }),
    { numRuns: runs(30, 300, 5_000) },
  );
});
