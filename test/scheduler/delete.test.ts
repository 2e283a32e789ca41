import { expect, test } from "vitest";
import { scripted, text } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, deleteSession } from "../../src/sessions/index.js";
import { gate } from "../http/agents.js";
import { collect } from "../sessions/kit.js";
import { act, actTool, scheduling, task } from "./kit.js";

test("a plan's session takes the sessions of its tasks along, of every attempt, check and planner, and no other", async () => {
  const sessions = createMemorySessionStore();
  let tries = 0;
  const tool = actTool((id) => {
    if (id === "b" && ++tries === 1) throw new Error("Not yet.");
    return id;
  });
  const { engine, scheduler } = scheduling([act("a"), act("b"), task("c")], {
    engine: { tools: [tool], sessions, provider: scripted([text("Did c.")], { loop: true }) },
  });
  expect((await scheduler.run("goal", { sessionId: "plan" }).result).status).toBe("done");
  for (const sessionId of ["plan.a", "plan.a.9", "plan.mine.1", "plan2"]) await engine.run("Hi.", { sessionId });
  const ids = async () => (await collect(sessions.list())).map(({ id }) => id).sort();
  expect(await ids()).toEqual(
    ["plan", "plan.a", "plan.a.1", "plan.a.9", "plan.b.1", "plan.b.2", "plan.c.1", "plan.mine.1", "plan2"].sort(),
  );

  await deleteSession(engine, "plan");

  expect(await ids()).toEqual(["plan.a", "plan.a.9", "plan.mine.1", "plan2"]);
});

test("a plan that is being carried out is not deleted, and nothing of it goes", async () => {
  const [begun, held] = [gate(), gate()];
  const sessions = createMemorySessionStore();
  const tool = actTool(async () => {
    begun.open();
    await held.opened;
    return "done";
  });
  const { engine, scheduler } = scheduling([act("a")], { engine: { tools: [tool], sessions } });
  const run = scheduler.run("goal", { sessionId: "plan" });
  await begun.opened;

  await expect(deleteSession(engine, "plan")).rejects.toMatchObject({ code: "SESSION_BUSY" });

  held.open();
  expect((await run.result).status).toBe("done");
});
