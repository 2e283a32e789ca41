// What the tests of the scheduler share.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AgentEngine, type BaseTool, defineTool, type EngineOptions, type JsonValue } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted } from "../../src/providers/scripted/index.js";
import {
  createScheduler,
  type PlannedTask,
  type SchedulerEvent,
  type SchedulerOptions,
  type SchedulerReport,
  type SchedulerRun,
} from "../../src/scheduler/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";

/** A directory that is gone when the test is over. */
export function directory(): string {
  const dir = mkdtempSync(join(realpathSync(tmpdir()), "scheduler-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A task whose result is always accepted, unless it says otherwise. */
export function task(id: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    id,
    title: id,
    instructions: `Do ${id}.`,
    dependsOn: [],
    criterion: { kind: "predicate", name: "any" },
    ...more,
  };
}

/** A task for the tool `act`. */
export function act(id: string, dependsOn: readonly string[] = [], more: Partial<PlannedTask> = {}): PlannedTask {
  return task(id, { tool: { name: "act", input: { id } }, dependsOn, ...more });
}

/** The tool `act`: does what the test says. */
export function actTool(
  execute: (id: string, signal: AbortSignal) => JsonValue | Promise<JsonValue>,
  more = {},
): BaseTool {
  return defineTool<{ id: string; text?: string }>({
    name: "act",
    description: "Acts.",
    input: {
      type: "object",
      properties: { id: { type: "string" }, text: { type: "string" } },
      required: ["id"],
    } as never,
    permission: "read_write",
    claims: () => [],
    execute: ({ id }, { signal }) => execute(id, signal),
    ...more,
  });
}

export const ALLOW_ALL = { decide: () => ({ behavior: "allow" as const }) };

/** A scheduler whose plan is `tasks`, over an engine without a model unless it is given one. */
export function scheduling(
  tasks: readonly PlannedTask[],
  {
    engine: engineOptions = {},
    ...options
  }: Omit<Partial<SchedulerOptions>, "engine"> & { engine?: Partial<EngineOptions> } = {},
) {
  const sessions = engineOptions.sessions ?? createMemorySessionStore();
  const provider = engineOptions.provider ?? scripted([]);
  const engine = new AgentEngine({ provider, permissions: ALLOW_ALL, ...engineOptions, sessions });
  onTestFinished(() => engine.close());
  const scheduler = createScheduler({
    engine,
    decomposer: (goal) => ({ goal, tasks }),
    predicates: { any: () => true },
    ...options,
    limits: { retryDelayMs: 0, ...options.limits },
  });
  return { engine, scheduler, sessions, provider };
}

/** The tools of the library on a directory of its own, under its own permission checker. */
export async function onDisk(options: Partial<EngineOptions> & { root?: string } = {}) {
  const { root = directory(), ...engineOptions } = options;
  const workspace = await createWorkspace({ root });
  const permissions = createPermissionChecker({ mode: "acceptEdits", workspace });
  const engine = new AgentEngine({
    provider: scripted([]),
    tools: builtinTools(workspace),
    permissions,
    sessions: createMemorySessionStore(),
    ...engineOptions,
  });
  onTestFinished(async () => {
    await engine.close();
    await workspace.close();
  });
  return { root, workspace, engine };
}

/** All events of a run, and its report. */
export async function followed(run: SchedulerRun): Promise<{ events: SchedulerEvent[]; report: SchedulerReport }> {
  const events: SchedulerEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, report: await run.result };
}

export function statesOf(events: readonly SchedulerEvent[]): string[] {
  return events.flatMap((event) => (event.type === "state" ? event.state : []));
}

/** What a task went through. */
export function lifeOf(taskId: string, events: readonly SchedulerEvent[]): string[] {
  return events.flatMap((event) => (event.type === "task-state" && event.taskId === taskId ? event.status : []));
}
