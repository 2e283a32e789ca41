import { afterAll, expect, test } from "vitest";
import { AgentEngine, defineTool } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { findPending, rewindSession } from "../../../src/sessions/index.js";
import { createPostgresApprovals, createPostgresSessionStore } from "../../../src/sessions/postgres/index.js";
import { testDatabase } from "../../postgres/kit.js";
import { collect } from "../kit.js";

const database = await testDatabase();
const { pool } = database;
afterAll(() => database.close());

const send = defineTool({
  name: "send",
  description: "Sends a letter.",
  input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  permission: "execute",
  execute: ({ to }) => `sent to ${String(to)}`,
});

function agent(tenant: string, ...turns: Parameters<typeof scripted>[0]) {
  const sessions = createPostgresSessionStore({ pool, tenant });
  return { sessions, engine: new AgentEngine({ provider: scripted(turns), tools: [send], sessions }) };
}

test("what waits is listed over all sessions of the tenant, until it is answered", async () => {
  const one = agent("t1", [toolCall("send", { to: "a" }), toolCall("send", { to: "b" })], text("Done."));
  const two = agent("t1", toolCall("send", { to: "c" }));
  const other = agent("t2", toolCall("send", { to: "d" }));
  const approvals = createPostgresApprovals({ pool, tenant: "t1" });
  expect(await approvals.list()).toEqual([]);

  const { pending } = await one.engine.run("write", { sessionId: "one" });
  await two.engine.run("write", { sessionId: "two" });
  await other.engine.run("write", { sessionId: "three" });

  const listed = await approvals.list();
  expect(listed.map(({ sessionId, input }) => [sessionId, input])).toEqual([
    ["one", { to: "a" }],
    ["one", { to: "b" }],
    ["two", { to: "c" }],
  ]);
  expect(listed.slice(0, 2)).toEqual(pending);
  expect(await approvals.list({ sessionId: "two" })).toEqual([listed[2]]);
  expect(await approvals.list({ limit: 1, after: listed[0]!.id })).toEqual([listed[1]]);
  expect([await approvals.count(), await approvals.find(listed[1]!.id)]).toEqual([3, listed[1]]);
  expect(await createPostgresApprovals({ pool, tenant: "t2" }).find(listed[0]!.id)).toBeUndefined();

  await one.engine.resume("one", { answers: pending.map(({ id }) => ({ id, decision: "allow" }) as const) }).result;
  expect((await approvals.list()).map(({ sessionId }) => sessionId)).toEqual(["two"]);
  await two.sessions.delete("two");
  expect(await approvals.count()).toBe(0);
});

test("a session that is rewound to a question asks it again", async () => {
  const { engine, sessions } = agent("t3", toolCall("send", { to: "a" }), text("Done."));
  const approvals = createPostgresApprovals({ pool, tenant: "t3" });
  const { pending } = await engine.run("write", { sessionId: "s" });
  const asked = (await collect(sessions.read("s"))).findLast(({ type }) => type === "pending")!;
  await engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "deny" }] }).result;
  expect(await approvals.list()).toEqual([]);

  await rewindSession(sessions, "s", asked.id);

  expect(await approvals.list()).toEqual(await findPending(sessions, "s"));
  expect(await approvals.count()).toBe(1);
});

test("a new prompt answers what waited", async () => {
  const { engine } = agent("t4", toolCall("send", { to: "a" }), text("Never mind."));
  const approvals = createPostgresApprovals({ pool, tenant: "t4" });
  await engine.run("write", { sessionId: "s" });
  expect(await approvals.count()).toBe(1);

  await engine.run("do not", { sessionId: "s" });

  expect(await approvals.count()).toBe(0);
});

test("a page after a question that was answered meanwhile leaves none out", async () => {
  const { engine } = agent("t5", toolCall("send", { to: "a" }), text("Done."));
  await engine.run("write", { sessionId: "one" });
  await agent("t5", toolCall("send", { to: "b" })).engine.run("write", { sessionId: "two" });
  const approvals = createPostgresApprovals({ pool, tenant: "t5" });
  const [first] = await approvals.list({ limit: 1 });
  await engine.resume("one", { answers: [{ id: first!.id, decision: "allow" }] }).result;

  const next = await approvals.list({ limit: 1, after: first!.id });

  expect(next.map(({ sessionId }) => sessionId)).toEqual(["two"]);
});

test("a session that is damaged is reported once, and keeps nobody from seeing the others", async () => {
  const one = agent("t9", toolCall("send", { to: "a" }));
  const two = agent("t9", toolCall("send", { to: "b" }));
  await one.engine.run("write", { sessionId: "damaged" });
  await two.engine.run("write", { sessionId: "whole" });
  await pool.query(
    `UPDATE loopwright.session_entries SET entry = '{"v":1,"id"' WHERE n = 3 AND session =
       (SELECT key FROM loopwright.sessions WHERE tenant = 't9' AND id = 'damaged')`,
  );
  const problems: unknown[] = [];
  const approvals = createPostgresApprovals({ pool, tenant: "t9", onProblem: (problem) => problems.push(problem) });

  expect((await approvals.list()).map(({ sessionId }) => sessionId)).toEqual(["whole"]);
  expect(await approvals.count()).toBe(1);
  expect(problems).toMatchObject([{ sessionId: "damaged", error: { code: "SESSION_CORRUPT" } }]);
});
