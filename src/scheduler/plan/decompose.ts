// From a goal to a valid plan: by the host's function, or by a model that is held to the shape of a plan and gets back what
// is wrong with it. Bounded either way.

import { RunError } from "../../contracts/errors.js";
import type { ToolSchema } from "../../schema/input-schema.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { runAgent } from "../attempt/agent-session.js";
import { attemptsOf, plannedIn, planningSession } from "../attempt/attempt-session.js";
import { withinTime } from "../host-part.js";
import type { PlanningRequest } from "../options.js";
import { NOTHING_SPENT, type Spent } from "../spent.js";
import { possibleCriteria, type Work } from "../work.js";
import { type Plan, type PlanRules, planSchema } from "./plan.js";
import { PLANNER_PROMPT, planningPrompt } from "./planner-prompt.js";
import { readPlan } from "./read-plan.js";

/** Requests for a plan before it is given up. */
const MAX_PLANNING_ATTEMPTS = 3;
const MAX_PLANNER_TURNS = 30;

export interface NewPlan {
  readonly plan: Plan;
  readonly spent: Spent;
}

/**
 * Makes the next plan.
 *
 * @throws RunError `PLAN_INVALID` when there is no valid plan after three attempts; its details have the issues
 */
export function makePlan(work: Work, number: number): Promise<NewPlan> {
  const rules = planRules(work);
  return work.options.decomposer ? planByHost(work, rules) : planByModel(work, rules, number);
}

export function planRules(work: Work): PlanRules {
  const { goal, parts, subagents, options, limits, journal } = work;
  return {
    goal,
    maxTasks: limits.maxTasks,
    tools: parts.tools,
    subagents: [...subagents.keys()],
    predicates: Object.keys(options.predicates ?? {}),
    criteria: possibleCriteria(work),
    done: journal.progress.idsOf("done"),
    failed: journal.progress.idsOf("failed"),
  };
}

function requestFor(work: Work, issues: readonly string[]): PlanningRequest {
  const { parts, subagents, options, limits, journal, skill, signal } = work;
  const { progress } = journal;
  return {
    tools: parts.tools.definitions(),
    subagents: [...subagents.values()].map(({ name, description }) => ({ name, description })),
    predicates: Object.keys(options.predicates ?? {}),
    criteria: possibleCriteria(work),
    maxTasks: limits.maxTasks,
    ...(skill && { skill }),
    issues,
    ...(progress.tasks.size > 0 && {
      earlier: {
        done: progress.withStatus("done").map(({ task, output }) => ({ task, output: output ?? "" })),
        failed: progress.withStatus("failed").map(({ task, reason }) => ({ task, reason: reason ?? "" })),
        skipped: progress.withStatus("skipped").map(({ task }) => task),
      },
    }),
    signal,
  };
}

async function planByHost(work: Work, rules: PlanRules): Promise<NewPlan> {
  const { decomposer } = work.options;
  let issues: readonly string[] = [];
  for (let attempt = 1; attempt <= MAX_PLANNING_ATTEMPTS; attempt++) {
    const read = await decide(work, (signal) => decomposer!(work.goal, requestFor({ ...work, signal }, issues)));
    const { plan, issues: found } = await readPlan(read, rules);
    if (plan) return { plan, spent: NOTHING_SPENT };
    issues = found;
    work.events.emit("plan-refused", { issues });
  }
  throw invalidPlan(issues);
}

/** @throws RunError `PLAN_INVALID` for a decomposer that throws */
async function decide<T>(work: Work, decomposer: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  try {
    return await withinTime(work, "decomposer", ({ signal }) => decomposer(signal));
  } catch (cause) {
    work.signal.throwIfAborted();
    throw new RunError("PLAN_INVALID", { message: `There is no plan: ${describeThrown(cause)}`, cause });
  }
}

async function planByModel(work: Work, rules: PlanRules, number: number): Promise<NewPlan> {
  let plan: Plan | null = null;
  const tasks = [...work.journal.progress.tasks.values()];
  let issues: readonly string[] = [];
  const check = async (value: unknown) => {
    const read = await readPlan(value, rules);
    ({ plan, issues } = read);
    if (!plan) work.events.emit("plan-refused", { issues });
    return plan ? { value } : { issues: issues.map((message) => ({ message })) };
  };
  const end = await runAgent(work, {
    sessionId: planningSession(work, number),
    prompt: planningPrompt(work.goal, requestFor(work, [])),
    subagent: {
      name: "planner",
      description: "Makes a plan.",
      systemPrompt: PLANNER_PROMPT,
      readOnly: true,
      disallowedTools: work.parts.tools.list().flatMap(({ name, spawns }) => (spawns ? name : [])),
      maxTurns: MAX_PLANNER_TURNS,
      output: checkedSchema(planSchema(rules.criteria), check),
    },
    limits: { maxOutputRetries: MAX_PLANNING_ATTEMPTS - 1 },
    answers: work.answers,
    mayExist: work.isResumed,
    from: [...plannedIn(work), ...tasks.flatMap((task) => attemptsOf(work, task))],
  });
  work.signal.throwIfAborted();
  const { usage, costUsd } = end;
  const { status, error } = end.result;
  if (status === "completed" && plan) return { plan, spent: { ...NOTHING_SPENT, usage, costUsd } };
  work.journal.progress.count(usage, costUsd); // No plan's record has it; a resume reads it from the planner's session.
  if (status === "output-invalid") throw invalidPlan(issues.length > 0 || !error ? issues : [error.message]);
  const why = error?.message ?? `the planner ended as "${status}".`;
  throw new RunError("PLAN_INVALID", { message: `There is no plan: ${why}`, details: { status }, cause: error });
}

/** A schema that shows the shape, and checks more than a shape can say. */
function checkedSchema(
  shape: object,
  validate: (value: unknown) => Promise<{ value: unknown } | { issues: { message: string }[] }>,
): ToolSchema {
  const jsonSchema = { input: () => shape, output: () => shape };
  return { "~standard": { version: 1, vendor: "loopwright", validate, jsonSchema } } as unknown as ToolSchema;
}

export function invalidPlan(issues: readonly string[]): RunError {
  return new RunError("PLAN_INVALID", {
    message: `There is no valid plan. Problems of the last one: ${issues.join(" ")}`,
    details: { issues: [...issues] },
  });
}
