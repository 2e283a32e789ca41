// What a run was given comes back when it is resumed, or is asked for by name; a context is never stored.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { createRunHub } from "../../../src/http/index.js";
import {
  AgentEngine,
  defineTool,
  type EngineOptions,
  type PermissionGate,
  type RunOptions,
  type SessionStore,
} from "../../../src/index.js";
import { createAuditTrail, queryAudit, renderSession } from "../../../src/observability/index.js";
import { scripted, type Turn, text, toolCall } from "../../../src/providers/scripted/index.js";
import {
  createFileSessionStore,
  createMemorySessionStore,
  exportSession,
  findPending,
} from "../../../src/sessions/index.js";
import { ALLOW, entriesOf, played, tool } from "../kit.js";

const output = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const contexts: unknown[] = [];
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  permission: "execute",
  execute: async (_input, { app }) => {
    contexts.push(app);
    return "paid";
  },
});

function engineOn(sessions: SessionStore, turns: readonly Turn[], options: Partial<EngineOptions> = {}): AgentEngine {
  return new AgentEngine({ provider: scripted(turns), tools: [pay], sessions, ...options });
}

/** A session whose call waits for an answer. */
async function asking(options: RunOptions, sessions: SessionStore = createMemorySessionStore()) {
  const { pending } = await engineOn(sessions, [toolCall("pay")]).run("Pay.", { sessionId: "s", ...options });
  return { sessions, answers: [{ id: pending[0]!.id, decision: "allow" }] as const };
}

test("limits, mode and a JSON Schema come back when a run is resumed, and again when that one is", async () => {
  const { sessions, answers } = await asking({ limits: { maxTurns: 1 }, mode: "acceptEdits", output });
  const modes: unknown[] = [];
  const hooks = { Stop: [{ run: (input: object) => void modes.push(Reflect.get(input, "permissionMode")) }] };

  const first = await engineOn(sessions, [toolCall("pay")]).resume("s", { answers }).result;
  const again = [{ id: first.pending[0]?.id ?? "", decision: "allow" }] as const;
  const last = await engineOn(sessions, [text('{"n":7}')], { hooks }).resume("s", { answers: again }).result;

  expect([first.status, last.status, last.output]).toEqual(["needs-approval", "completed", { n: 7 }]);
  expect(modes).toEqual(["acceptEdits"]);
  const given = { limits: { maxTurns: 1 }, mode: "acceptEdits", output };
  const starts = (await entriesOf(sessions, "s")).filter(({ type }) => type === "run-start");
  expect(starts).toMatchObject([{ given }, { given }, { given }]);
  // A finished session reads its answer by the schema, too.
  expect((await engineOn(sessions, []).resume("s").result).output).toEqual({ n: 7 });
});

test("free text does not complete a resumed run that owes a structured answer", async () => {
  const { sessions, answers } = await asking({ output });

  const result = await engineOn(sessions, [text("it is done"), text('{"n":7}')]).resume("s", { answers }).result;

  expect(result).toMatchObject({ status: "completed", output: { n: 7 } });
});

test("what a resume is given itself wins, limit by limit", async () => {
  const { sessions, answers } = await asking({
    limits: { maxTurns: 1, maxOutputRetries: 0 },
    output,
    mode: "acceptEdits",
  });
  const ends = [toolCall("nothing"), text("no JSON")];

  const result = await engineOn(sessions, ends).resume("s", { answers, limits: { maxTurns: 9 }, mode: "default" })
    .result;

  expect(result.status).toBe("output-invalid");
  const starts = (await entriesOf(sessions, "s")).filter(({ type }) => type === "run-start");
  expect(starts[1]).toMatchObject({ given: { limits: { maxTurns: 9, maxOutputRetries: 0 }, mode: "default" } });
});

test("a deadline that a run was given ends the resumed run, and one of the engine's no longer does", async () => {
  const never = defineTool({ ...pay, name: "never", description: "d", execute: () => new Promise<never>(() => {}) });
  const options = { tools: [pay, never], permissions: ALLOW };
  const short = await asking({ limits: { deadlineMs: 40, abandonMs: 10 } });
  const ended = engineOn(short.sessions, [toolCall("never")], options).resume("s", { answers: short.answers });
  const long = await asking({ limits: { deadlineMs: 60_000 } });
  const slow = text("Done.", { delayMs: 60 });

  expect((await ended.result).status).toBe("deadline");
  const engine = engineOn(long.sessions, [slow], { limits: { deadlineMs: 30 } });
  expect((await engine.resume("s", { answers: long.answers }).result).status).toBe("completed");
});

const payer = { name: "payer", description: "Pays.", systemPrompt: "Pay.", tools: ["pay"] };

const unstored: [string, RunOptions, string[]][] = [
  ["context", { context: { user: "ann" } }, ["context"]],
  ["tools", { tools: [pay] }, ["tools"]],
  ["extraTools", { extraTools: [tool("more", async () => "")] }, ["extraTools"]],
  ["subagent", { subagent: payer }, ["subagent"]],
  ["an output as zod", { output: z.object({ n: z.number() }) }, ["output"]],
  [
    "all of it",
    { context: 1, tools: [pay], extraTools: [], output: z.object({}) },
    ["context", "tools", "extraTools", "output"],
  ],
];
test.each(unstored)(
  "a resume without %s that its run was given is refused by name",
  async (_name, options, missing) => {
    const { sessions, answers } = await asking(options);
    const before = await entriesOf(sessions, "s");

    const resumed = engineOn(sessions, []).resume("s", { answers });

    await expect(resumed.result).rejects.toMatchObject({ code: "OPTION_MISSING", details: { missing } });
    expect(await entriesOf(sessions, "s")).toEqual(before);
    const whole = engineOn(sessions, [text('{"n":1}')]).resume("s", { ...options, answers } as never);
    expect((await whole.result).status).toBe("completed");
  },
);

test("a run without options, and one that an older version has begun, ask for nothing", async () => {
  const { sessions, answers } = await asking({});

  expect((await engineOn(sessions, [text("Done.")]).resume("s", { answers }).result).status).toBe("completed");
  expect((await entriesOf(sessions, "s"))[0]).not.toHaveProperty("given");
});

test("a new prompt owes nothing that an earlier run was given", async () => {
  const sessions = createMemorySessionStore();
  await engineOn(sessions, [text('{"n":1}')]).run("one", {
    sessionId: "s",
    output,
    context: 1,
    limits: { maxTurns: 1 },
  });

  const next = await engineOn(sessions, [text("Free.")]).run("two", { sessionId: "s" });

  expect(next).toMatchObject({ status: "completed", text: "Free." });
});

test("where answers are signed, a session cannot say that more may run without a question", async () => {
  const sessions = createMemorySessionStore();
  const permissions: PermissionGate = { decide: () => ({ behavior: "ask", reason: "Really?" }) };
  const first = engineOn(sessions, [toolCall("pay")], { permissions });
  await first.run("Pay.", { sessionId: "s", mode: "bypassPermissions" });
  const approvals = { key: "k" };

  const resumed = engineOn(sessions, [], { approvals }).resume("s").result;

  await expect(resumed).rejects.toMatchObject({ code: "OPTION_MISSING", details: { missing: ["mode"] } });
  expect((await engineOn(sessions, [], { approvals }).resume("s", { mode: "default" }).result).status).toBe(
    "needs-approval",
  );
});

test("a hub asks contextFor, and an answer's own context wins", async () => {
  contexts.length = 0;
  for (const more of [{}, { context: "mine" }]) {
    const { sessions, answers } = await asking({ context: "first" });
    const engine = engineOn(sessions, [text("Done.")]);
    await expect(createRunHub({ engine }).answer(answers, { sessionId: "s" })).rejects.toMatchObject({
      code: "OPTION_MISSING",
    });
    const hub = createRunHub({ engine, contextFor: async (sessionId) => `of ${sessionId}` });
    await (await hub.answer(answers, { sessionId: "s", ...more })).result;
  }

  expect(contexts).toEqual(["of s", "mine"]);
});

test("no store, export, event, question, audit trail or page holds a token that is in a run's context", async () => {
  const token = "the-token-of-ann-4711";
  const dir = await mkdtemp(join(tmpdir(), "given-"));
  const found: unknown[] = [];
  const stores = [createMemorySessionStore(), createFileSessionStore({ dir: join(dir, "s"), durability: "process" })];
  for (const [n, sessions] of stores.entries()) {
    const trail = await createAuditTrail({ file: join(dir, `audit-${n}.jsonl`), content: "redacted" });
    const context = { token, toJSON: () => ({ token }) };
    const options = { context, extraTools: [tool("more", async () => "", { description: token } as never)] };
    const first = engineOn(sessions, [toolCall("pay")]);
    const second = engineOn(sessions, [text("Done.")]);
    for (const engine of [first, second]) trail.watch(engine);
    const { events, result } = await played(first.stream("Pay.", { sessionId: "s", ...options }));
    found.push(events, result, await findPending(sessions, "s"));
    const answers = [{ id: result.pending[0]!.id, decision: "allow" }] as const;
    const resumed = await played(second.resume("s", { ...options, answers }));
    expect(resumed.result.status).toBe("completed");
    await trail.close();
    found.push(resumed.events, resumed.result, await entriesOf(sessions, "s"), await exportSession(sessions, "s"));
    found.push(await renderSession(sessions.read("s"), { redact: false, audit: queryAudit(trail.file) }));
    found.push(await readFile(trail.file, "utf8"));
  }
  for (const name of await readdir(join(dir, "s"))) found.push(await readFile(join(dir, "s", name), "utf8"));
  await rm(dir, { recursive: true });

  const all = JSON.stringify(found);
  expect(all).toContain("unstored");
  expect(all).not.toContain(token);
});
