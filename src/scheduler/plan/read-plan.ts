// A planner's answer as a plan, or what is wrong with it: one sentence each, in words a model can act on.
import { isHarnessError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import { canonicalJson, copyJson, isWithinValues } from "../../json/copy.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { describeValue } from "../../text/describe-value.js";
import { nearestNames } from "../../text/nearest-names.js";
import { type Criterion, type Plan, type PlannedTask, type PlanRules, TASK_ID } from "./plan.js";
import { findCycle, waitsFor } from "./task-graph.js";
import { referencesIn } from "./task-references.js";

/** More issues than this are counted, not listed. */
const MAX_ISSUES = 20;
const MAX_TEXT_CHARS = 100_000;
/** Each is looked at several times. A task allowed adds to them. */
const MAX_PLAN_VALUES = 100_000;
const VALUES_PER_TASK = 100;
const MAX_TITLE_CHARS = 500;
const FIELDS = ["id", "title", "instructions", "tool", "subagent", "dependsOn", "criterion", "replayable"];
const CRITERION_FIELDS: { readonly [Kind in Criterion["kind"]]: { readonly [field: string]: boolean } } = {
  command: { command: true },
  file: { path: true, contains: false, equals: false },
  predicate: { name: true },
  judge: { question: true },
};

export type ReadPlan =
  | { readonly plan: Plan; readonly issues: readonly [] }
  | { readonly plan: null; readonly issues: readonly string[] };

/** Checks everything a plan promises. Never rejects. A task that is done stays as it is, whatever the plan says of it. */
export async function readPlan(value: unknown, rules: PlanRules): Promise<ReadPlan> {
  const issues: string[] = [];
  const tasks = tasksIn(value, MAX_PLAN_VALUES + VALUES_PER_TASK * rules.maxTasks, issues);
  if (tasks.length > rules.maxTasks) {
    return refuse([`The plan has ${tasks.length} tasks; at most ${rules.maxTasks} are allowed. Plan larger tasks.`]);
  }
  const read = tasks.flatMap((task, index) => readTask(task, index, rules, issues));
  const byId = uniqueTasks(read, rules, issues);
  checkDependencies(byId, rules, issues);
  const all = new Map([...rules.done, ...byId]);
  for (const task of byId.values()) if (!rules.done.has(task.id)) await checkUse(task, all, rules, issues);
  for (const task of byId.values()) {
    const failed = rules.failed.get(task.id);
    if (failed && canonicalJson(failed) === canonicalJson(task)) issues.push(plannedAgain(task));
  }
  if (issues.length === 0 && [...byId.keys()].every((id) => rules.done.has(id))) issues.push(nothingToDo(rules));
  return issues.length > 0 ? refuse(issues) : { plan: planOf(byId, rules), issues: [] };
}

function refuse(issues: readonly string[]): ReadPlan {
  const more = issues.length - MAX_ISSUES;
  return { plan: null, issues: more > 0 ? [...issues.slice(0, MAX_ISSUES), `and ${more} more issues`] : issues };
}

function planOf(byId: ReadonlyMap<string, PlannedTask>, { goal, done }: PlanRules): Plan {
  const tasks = [...byId.values()].map((task) => done.get(task.id) ?? task);
  return Object.freeze({ goal, tasks: Object.freeze(tasks) });
}

function nothingToDo({ done }: PlanRules): string {
  return done.size === 0
    ? "The plan has no tasks. Plan at least one."
    : "Every task of the plan is done already, but others failed. Plan the work that is left, under new ids.";
}

function plannedAgain({ id }: PlannedTask): string {
  return `Task "${id}" has used up its attempts, and is planned again unchanged. Plan it differently.`;
}

function tasksIn(value: unknown, maxValues: number, issues: string[]): readonly unknown[] {
  let plan: JsonValue;
  if (!isWithinValues(value, maxValues)) {
    issues.push(`The plan is not JSON that a model writes: it refers to itself, or has more than ${maxValues} values.`);
    return [];
  }
  try {
    plan = copyJson(value);
  } catch (error) {
    issues.push(`The plan is not JSON: ${describeThrown(error)}`);
    return [];
  }
  const tasks = isObject(plan) ? plan.tasks : plan;
  if (Array.isArray(tasks)) return tasks;
  issues.push(`The plan needs "tasks", an array of tasks; it has ${describeValue(tasks)}.`);
  return [];
}

function readTask(value: unknown, index: number, rules: PlanRules, issues: string[]): PlannedTask[] {
  if (!isObject(value)) {
    issues.push(`tasks[${index}] is ${describeValue(value)}, not a task.`);
    return [];
  }
  const { id } = value;
  if (typeof id !== "string" || !TASK_ID.test(id)) {
    issues.push(`tasks[${index}] needs an "id" of 1 to 64 letters, digits, "_" and "-"; it has ${describeValue(id)}.`);
    return [];
  }
  const task = `Task "${id}"`;
  const unknown = Object.keys(value).filter((name) => !FIELDS.includes(name));
  for (const name of unknown) issues.push(`${task} has an unknown field ${quote(name)}.${hint(name, FIELDS)}`);
  const { tool, subagent, criterion, replayable } = value;
  const title = value.title ?? id;
  const instructions = value.instructions ?? title;
  const dependsOn = value.dependsOn ?? [];
  const before = issues.length;
  if (!isText(title, MAX_TITLE_CHARS)) issues.push(`${task} needs a "title" of at most ${MAX_TITLE_CHARS} characters.`);
  if (!isText(instructions, MAX_TEXT_CHARS)) issues.push(`${task} needs "instructions", a string.`);
  if (!Array.isArray(dependsOn) || !dependsOn.every((one) => typeof one === "string"))
    issues.push(`${task} needs "dependsOn", an array of task ids.`);
  if (!isAbsent(replayable) && typeof replayable !== "boolean")
    issues.push(`${task} has a "replayable" that is neither true nor false.`);
  if (!isAbsent(tool) && !isAbsent(subagent)) issues.push(`${task} has both a tool and a sub-agent. Choose one.`);
  const call = isAbsent(tool) ? undefined : readTool(tool, task, issues);
  if (!isAbsent(subagent) && typeof subagent !== "string") issues.push(`${task} needs the name of a sub-agent.`);
  const check = rules.done.get(id)?.criterion ?? readCriterion(criterion, task, rules, issues);
  if (issues.length > before) return [];
  const planned: PlannedTask = {
    id,
    title: title as string,
    instructions: instructions as string,
    ...(call && { tool: call }),
    ...(!isAbsent(subagent) && { subagent: subagent as string }),
    dependsOn: [...new Set(dependsOn as string[])],
    criterion: check!,
    ...(!isAbsent(replayable) && { replayable: replayable as boolean }),
  };
  return [Object.freeze(planned)];
}

function readTool(tool: unknown, task: string, issues: string[]): PlannedTask["tool"] {
  const { name, input = {} } = isObject(tool) ? tool : {};
  if (typeof name === "string") return Object.freeze({ name, input: input as JsonValue });
  issues.push(`${task} needs a tool of the form { "name": …, "input": … }.`);
  return undefined;
}

function readCriterion(value: unknown, task: string, rules: PlanRules, issues: string[]): Criterion | undefined {
  const kinds = rules.criteria.map((kind) => `"${kind}"`).join(", ");
  if (isAbsent(value)) {
    issues.push(`${task} has no criterion. Say how its result is checked: one of the kinds ${kinds}.`);
    return undefined;
  }
  const { kind, ...given } = isObject(value) ? value : {};
  if (!(rules.criteria as readonly unknown[]).includes(kind)) {
    issues.push(`${task} has a criterion of the kind ${describeValue(kind)}. Here there are ${kinds}.`);
    return undefined;
  }
  const fields = CRITERION_FIELDS[kind as Criterion["kind"]];
  const problems: string[] = [];
  for (const [name, isRequired] of Object.entries(fields)) {
    const field = given[name];
    if (isAbsent(field) ? isRequired : typeof field !== "string") problems.push(`needs "${name}", a string`);
    else if (isRequired && (field as string).trim() === "") problems.push(`has an empty "${name}"`);
    else if (typeof field === "string" && referencesIn(field).ids.size > 0)
      problems.push(`refers to the output of a task in "${name}"; criteria cannot`);
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields, name) && !isAbsent(given[name])) problems.push(`has an unknown field ${quote(name)}`);
  if (kind === "predicate" && typeof given.name === "string" && !rules.predicates.includes(given.name))
    problems.push(`names the unknown predicate ${quote(given.name)}; there are ${list(rules.predicates)}`);
  issues.push(...problems.map((problem) => `${task} has a criterion of the kind "${String(kind)}" that ${problem}.`));
  if (problems.length > 0) return undefined;
  const present = Object.entries(given).filter(([, field]) => !isAbsent(field));
  return Object.freeze({ kind, ...Object.fromEntries(present) }) as unknown as Criterion;
}

function uniqueTasks(
  tasks: readonly PlannedTask[],
  { done }: PlanRules,
  issues: string[],
): ReadonlyMap<string, PlannedTask> {
  const byId = new Map<string, PlannedTask>();
  for (const task of tasks) {
    if (byId.has(task.id)) issues.push(`There are two tasks with the id "${task.id}". Ids are unique.`);
    byId.set(task.id, done.get(task.id) ?? task);
  }
  return byId;
}

function checkDependencies(byId: ReadonlyMap<string, PlannedTask>, { done }: PlanRules, issues: string[]): void {
  for (const { id, dependsOn } of byId.values()) {
    for (const before of dependsOn) {
      if (byId.has(before) || done.has(before)) continue;
      const near = issues.length < MAX_ISSUES ? hint(before, [...byId.keys()]) : "";
      issues.push(`Task "${id}" depends on ${quote(before)}, which is not a task.${near}`);
    }
  }
  const cycle = findCycle([...byId.values()]);
  if (cycle) issues.push(`Tasks wait for each other in a cycle: ${clip(cycle.join(" → "), 500)}.`);
}

/** Whether the task's tool or sub-agent exists, and whether its input refers only to what it waits for. */
async function checkUse(
  { id, tool, subagent }: PlannedTask,
  all: ReadonlyMap<string, PlannedTask>,
  { tools, subagents }: PlanRules,
  issues: string[],
): Promise<void> {
  if (subagent !== undefined && !subagents.includes(subagent))
    issues.push(`Task "${id}" is for the unknown sub-agent ${quote(subagent)}; there are ${list(subagents)}.`);
  if (!tool) return;
  const known = tools.get(tool.name);
  if (!known) {
    const names = tools.list().map(({ name }) => name);
    issues.push(
      `Task "${id}" uses the unknown tool ${quote(tool.name)}.${hint(tool.name, names) || ` There are ${list(names)}.`}`,
    );
    return;
  }
  const { ids, broken } = referencesIn(tool.input);
  for (const reference of broken)
    issues.push(`Task "${id}" has the reference ${quote(reference)}. Write {{tasks.ID.output}}.`);
  for (const before of ids) {
    if (!all.has(before)) issues.push(`Task "${id}" uses the output of ${quote(before)}, which is not a task.`);
    else if (!waitsFor(id, before, all))
      issues.push(`Task "${id}" uses the output of "${before}" without waiting for it. Add it to dependsOn.`);
  }
  const problem = ids.size === 0 && broken.length === 0 ? await inputProblem(known, tool.input) : null;
  if (problem) issues.push(`Task "${id}" has an input that "${tool.name}" refuses: ${clip(problem, 500)}`);
}

async function inputProblem(tool: NonNullable<ReturnType<PlanRules["tools"]["get"]>>, input: JsonValue) {
  try {
    await tool.parse?.(copyJson(input));
    return null;
  } catch (error) {
    return isHarnessError(error, "TOOL_INPUT_INVALID") ? error.message : null;
  }
}

/** Providers that fill in every field of a schema write `null` for those that are not needed. */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isText(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxChars;
}

function quote(text: string): string {
  return JSON.stringify(clip(text, 80));
}

function hint(name: string, known: readonly string[]): string {
  const [nearest] = nearestNames(name, known, 1);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : clip(names.join(", "), 500);
}
