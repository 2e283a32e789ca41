import { AgentEngine, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore, findPending } from "loopwright/sessions";
import { expect, test } from "vitest";

const act = defineTool({
  name: "act",
  description: "Acts.",
  permission: "execute",
  claims: () => [],
  execute: async () => "acted",
});

test("the questions of a suspended session are found without going on with it, until they are answered", async () => {
  const sessions = createMemorySessionStore();
  const engine = (turns: Parameters<typeof scripted>[0]) =>
    new AgentEngine({ provider: scripted(turns), tools: [act], sessions });
  const { pending } = await engine([[toolCall("act"), toolCall("act")]]).run("go", { sessionId: "s" });

  const waiting = await findPending(sessions, "s");
  await engine([]).resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;
  const left = await findPending(sessions, "s");
  await engine([text("done")]).resume("s", { answers: [{ id: pending[1]!.id, decision: "deny" }] }).result;

  expect(waiting).toEqual(pending);
  expect(left).toEqual([pending[1]]);
  expect(await findPending(sessions, "s")).toEqual([]);
});

test("an unknown session has no questions: it is an error", async () => {
  await expect(findPending(createMemorySessionStore(), "nobody")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});
