import { ToolError } from "../contracts/errors.js";
import type { Task, TaskPatch, TaskStore } from "../contracts/task.js";
import type { BaseTool, ToolContext } from "../contracts/tool.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { byDefault, checkOptions, numberFrom, type OptionTable, STRING, withMethods } from "../json/check-options.js";
import { choice, described, flag, list, object, optional, string } from "../schema/fields.js";
import { HeldLeases } from "./held-leases.js";
import { MAX_BLOCKERS, MAX_DESCRIPTION_CHARS, MAX_SUBJECT_CHARS, TASK_STATUSES } from "./task-fields.js";
import { taskLines, taskText } from "./task-text.js";

/** Options of `createTaskTools()`. */
export interface TaskToolsOptions {
  /** In whose name tasks are claimed. Default: the agent's `transcriptId`, so that each agent is an owner of its own. */
  readonly owner?: string | undefined;
  /**
   * The time a claimed task stays the agent's without a sign of life: each of its model calls renews the lease.
   * Unit: milliseconds. Default: 600_000.
   */
  readonly leaseMs?: number | undefined;
}

const OPTIONS = {
  owner: STRING,
  leaseMs: byDefault(600_000, numberFrom(1_000, "milliseconds")),
} satisfies OptionTable<TaskToolsOptions>;

/** Changes of one message take effect in the order they were written. */
const CLAIM = { mode: "write", key: "tasks" } as const;
const READ = { mode: "read", key: "tasks" } as const;
/** Whoever gets the task works by what it says. */
const KEPT = { remembers: true } as const;

/** A model that sends 3 for "3" means the task of that id. */
const id = string("The task's id, as task_list shows it.", { takesAny: true });
const subject = string(undefined, { trim: true, minLength: 1, maxLength: MAX_SUBJECT_CHARS });
const description = string(undefined, { maxLength: MAX_DESCRIPTION_CHARS });
const status = choice(TASK_STATUSES);
const result = string("Its result, or why it failed.", { maxLength: 100_000 });
const blockedBy = (description: string) =>
  optional(list(string(undefined, { takesAny: true }), description, { maxItems: MAX_BLOCKERS }));

/**
 * The tools `task_create`, `task_get`, `task_list`, `task_update` and `task_claim` over one store.
 *
 * They run the hooks `TaskCreated`, `TaskCompleted` and `TeammateIdle` (a claim that found nothing). A task that another
 * agent holds is refused with `TASK_CONFLICT`; ending one that nobody holds claims it first. What an agent holds when its
 * session ends is given back.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createTaskTools(store: TaskStore, options: TaskToolsOptions = {}): BaseTool[] {
  checkOptions("createTaskTools()", { store }, { store: withMethods("create", "get", "list", "update", "claim") });
  const { leaseMs, ...settings } = checkOptions("createTaskTools()", options, OPTIONS);
  const leases = new HeldLeases(store, leaseMs);
  const ownerOf = ({ transcriptId }: ToolContext) => settings.owner ?? transcriptId;

  async function claim(wanted: string | undefined, context: ToolContext): Promise<Task | undefined> {
    const owner = ownerOf(context);
    const task = await store.claim({ owner, leaseMs, ...(wanted !== undefined && { id: wanted }) });
    const { sessionId, transcriptId } = context;
    if (task) leases.add(task.id, { owner, sessionId, transcriptId });
    return task;
  }

  /** The task as this agent may change it. */
  async function taskToChange(wanted: string, status: Task["status"] | undefined, context: ToolContext): Promise<Task> {
    const task = await get(store, wanted);
    const isStart = status === "in_progress" && task.status !== "in_progress";
    const isEnd = task.status === "pending" && (status === "completed" || status === "failed");
    return isStart || isEnd ? (await claim(wanted, context))! : task;
  }

  const create = defineTool({
    name: "task_create",
    description:
      "Adds a task to the shared list. Write it so that another agent can do it without this conversation. Use blocked_by for tasks that must be completed first.",
    input: object(
      {
        subject: described(subject, "What is to be done, in one line."),
        description: optional(described(description, "Everything needed to do it, and how to tell that it is done.")),
        blocked_by: blockedBy("Ids of tasks that must be completed first."),
      },
      { strict: true },
    ),
    describe: ({ subject = "" }) => ({ title: `Add a task: ${subject}`, kind: "think" }),
    permission: "none",
    effects: KEPT,
    claims: () => [CLAIM],
    async execute({ blocked_by, ...input }, context) {
      const task = await store.create({ ...input, ...(blocked_by && { blockedBy: blocked_by }) });
      const { teamName } = memberOf(context);
      context.notify?.("TaskCreated", { ...about(task), teamName });
      return { output: `Created task ${task.id}: ${task.subject}`, details: detailsOf(task) };
    },
  });

  const read = defineTool({
    name: "task_get",
    description: "Shows one task of the shared list in full, with its result.",
    input: object({ id }, { strict: true }),
    describe: ({ id = "" }) => ({ title: `Show task ${id}`, kind: "think" }),
    permission: "none",
    polls: true,
    replayable: true,
    claims: () => [READ],
    async execute(input) {
      const task = await get(store, input.id);
      return { output: taskText(task), details: detailsOf(task) };
    },
  });

  const list = defineTool({
    name: "task_list",
    description:
      "Lists the tasks of the shared list, oldest first: who is working on what, and what is waiting for what.",
    input: object(
      { status: optional(status), mine: optional(flag("true: only the tasks you hold or have ended.")) },
      { strict: true },
    ),
    describe: () => ({ title: "List the tasks", kind: "think" }),
    permission: "none",
    polls: true,
    replayable: true,
    claims: () => [READ],
    async execute({ status, mine }, context) {
      const all = await store.list();
      const owner = ownerOf(context);
      const shown = all
        .filter((task) => status === undefined || task.status === status)
        .filter((task) => mine !== true || task.owner === owner);
      return { output: taskLines(shown, all), details: { shown: shown.length, tasks: all.length } };
    },
  });

  const update = defineTool({
    name: "task_update",
    description:
      "Changes a task of the shared list. Mark yours completed as soon as it is done, with a result that others can use, or failed with the reason. pending gives it back.",
    input: object(
      {
        id,
        status: optional(status),
        result: optional(result),
        subject: optional(subject),
        description: optional(description),
        blocked_by: blockedBy("Replaces the list of tasks that must be completed first."),
      },
      { strict: true },
    ),
    describe: ({ id = "", status }) => ({ title: `Update task ${id}${status ? `: ${status}` : ""}`, kind: "think" }),
    permission: "none",
    effects: KEPT,
    claims: () => [CLAIM],
    async execute({ id: wanted, blocked_by, ...input }, context) {
      const task = await taskToChange(wanted, input.status, context);
      const patch = { ...input, ...(blocked_by && { blockedBy: blocked_by }) } as TaskPatch;
      const updated = await store.update(wanted, patch, { ifVersion: task.version, owner: ownerOf(context) });
      if (updated.status !== "in_progress") leases.remove(wanted);
      if (updated.status === "completed" && task.status !== "completed") {
        context.notify?.("TaskCompleted", { ...about(updated), ...memberOf(context) });
      }
      return { output: `Task ${updated.id} is ${updated.status}: ${updated.subject}`, details: detailsOf(updated) };
    },
  });

  const take = defineTool({
    name: "task_claim",
    description:
      "Takes a task of the shared list for yourself: the oldest that is ready, or the one you name. Work on it, then call task_update.",
    input: object({ id: optional(id) }, { strict: true }),
    describe: ({ id = "" }) => ({ title: `Take ${id === "" ? "the next task" : `task ${id}`}`, kind: "think" }),
    permission: "none",
    claims: () => [CLAIM],
    async execute(input, context) {
      const task = await claim(input.id, context);
      if (task) return { output: `You hold this task now.\n\n${taskText(task)}`, details: detailsOf(task) };
      const open = await store.list({ status: ["pending", "in_progress"] });
      context.notify?.("TeammateIdle", memberOf(context));
      return { output: nothingReady(open), details: { open: open.length } };
    },
    reminder: ({ transcriptId }) => leases.reminder(transcriptId),
    endSession: (ended) => leases.giveBack(ended),
  });

  return [create, read, list, update, take];
}

async function get(store: TaskStore, wanted: string): Promise<Task> {
  const task = await store.get(wanted);
  if (task) return task;
  throw new ToolError("TASK_NOT_FOUND", {
    message: `There is no task ${JSON.stringify(wanted.slice(0, 80))}. Call task_list to see the ids.`,
    details: { taskId: wanted.slice(0, 80) },
  });
}

function nothingReady(open: readonly Task[]): string {
  if (open.length === 0) return "There is nothing to claim: no tasks are open.";
  const running = open.filter(({ status }) => status === "in_progress").length;
  return `No task is ready: ${running} in progress, ${open.length - running} waiting for others. Do not wait for them: say what you have done, and stop.`;
}

function about({ id: taskId, subject: taskSubject, description: taskDescription }: Task) {
  return { taskId, taskSubject, taskDescription };
}

/** The agents of one session are a team. */
function memberOf({ agentPath, sessionId }: ToolContext) {
  return { teammateName: agentPath.at(-1) ?? "main", teamName: sessionId };
}

function detailsOf({ id: taskId, status, version, owner }: Task) {
  return { taskId, status, version, ...(owner !== undefined && { owner }) };
}
