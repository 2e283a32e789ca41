// Polling is not a runaway; going in circles is.
import { AgentEngine, type BaseTool, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemoryTaskStore, createTaskTools } from "loopwright/tasks";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { expect, test } from "vitest";

function status(permission: BaseTool["permission"], members: Partial<BaseTool> = {}, wait = () => {}) {
  return defineTool({
    name: "job_status",
    description: "Says how a job is.",
    permission,
    ...members,
    execute: async () => {
      wait();
      return "running";
    },
  });
}

/** Nine equal calls, with so many milliseconds between turns. */
async function polling(permission: BaseTool["permission"], everyMs: number, members: Partial<BaseTool> = {}) {
  let now = 1_000_000;
  const tool = status(permission, members, () => {
    now += everyMs;
  });
  const engine = new AgentEngine({
    provider: scripted([...Array.from({ length: 9 }, () => toolCall("job_status", {})), text("done")]),
    tools: [tool],
    runaway: { remindAfter: 2, stopAfter: 4 },
    permissions: { decide: () => ({ behavior: "allow" }) },
    runtime: { now: () => now },
  });
  const { status: ended, error } = await engine.run("Wait for the job.");
  return error?.code ?? ended;
}

test("the same call that only looks is a runaway at once, and polling when 15 s are between two", async () => {
  expect(await polling("read_only", 0)).toBe("LOOP_DETECTED");
  expect(await polling("read_only", 14_999)).toBe("LOOP_DETECTED");
  expect(await polling("read_only", 15_000)).toBe("completed");
  expect(await polling("none", 15_000)).toBe("completed");
});

test("the same call that acts is a runaway however long it takes", async () => {
  expect(await polling("execute", 60_000)).toBe("LOOP_DETECTED");
  expect(await polling("read_write", 60_000)).toBe("LOOP_DETECTED");
});

test("a tool that says that it polls is never taken for a runaway", async () => {
  expect(await polling("execute", 0, { polls: true })).toBe("completed");
  expect(await polling("execute", 0, { polls: false })).toBe("LOOP_DETECTED");
  expect(() => status("none", { polls: "yes" as never })).toThrow(expect.objectContaining({ code: "TOOL_INVALID" }));
});

test("the tools that say what became of background work poll", async () => {
  const workspace = await createWorkspace({ root: process.cwd() });
  const tools = [...builtinTools(workspace), ...createTaskTools(createMemoryTaskStore())];
  const polls = tools.filter((tool) => tool.polls).map(({ name }) => name);
  expect(polls.sort()).toEqual(["bash_output", "task_get", "task_list"]);
  await workspace.close();
});
