// A program that is interrupted: it runs again from its start, and no call is made twice.
import { expect, test } from "vitest";
import { AgentEngine, type BaseTool, type SessionStore, ToolRegistry } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type Isolate, nodeWorker, withPrograms } from "../../src/programs/index.js";
import { scripted, text } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { played, resultsOf, testEngine, tool } from "../engine/kit.js";
import { look, pay, programEngine, programTurns } from "./agents.js";

const ASK = {
  decide: ({ tool: asked }: { tool: string | { name: string } }) => ({
    behavior: nameOf(asked) === "pay" ? "ask" : "allow",
  }),
} as const;
const nameOf = (asked: string | { readonly name: string }) => (typeof asked === "string" ? asked : asked.name);

const PROGRAM = `
  const first = await tools.look({ at: Date.now(), dice: Math.random() });
  const paid = await tools.pay({ to: "bob", after: first.dice });
  const last = await tools.look({ at: Date.now(), dice: Math.random() });
  return [first, paid, last];`;

/** An agent as another process would make it: nothing is shared but the store. */
function agent(sessions: SessionStore, tools: readonly BaseTool[], isolate?: Isolate) {
  const registry = withPrograms(new ToolRegistry(tools), isolate && { isolate });
  return new AgentEngine({ provider: scripted([text("done")]), tools: registry, permissions: ASK as never, sessions });
}

/** Runs a program until it asks. */
async function suspended(program: string, tools: readonly BaseTool[]) {
  const sessions = createMemorySessionStore();
  const { engine } = programEngine(tools, [program], { sessions, permissions: ASK as never });
  const result = await engine.run("go", { sessionId: "s" });
  return { sessions, pending: result.pending ?? [], status: result.status };
}

const allow = (pending: readonly { readonly id: string }[]) =>
  pending.map(({ id }) => ({ id, decision: "allow" as const }));

test("a question suspends the program; answered elsewhere, it goes on, and nothing is done twice", async () => {
  const effects: unknown[] = [];
  const looks: unknown[] = [];
  const counting = tool("look", async (input) => ({ output: `looked ${looks.push(input)}`, value: input }), {
    permission: "read_only",
  });
  const { sessions, pending, status } = await suspended(PROGRAM, [counting, pay(effects)]);

  expect(status).toBe("needs-approval");
  expect(pending).toMatchObject([
    { tool: "pay", input: { to: "bob" }, within: { tool: "run_program", toolCallId: "p0", call: 2 } },
  ]);
  expect(effects).toEqual([]);

  const { events, result } = await played(
    agent(sessions, [counting, pay(effects)]).resume("s", { answers: allow(pending) }),
  );

  const [first, paid, last] = JSON.parse(String(resultsOf(result).p0!.output));
  expect(result.status).toBe("completed");
  expect(effects).toEqual([{ to: "bob", after: first.dice }]);
  expect(paid).toEqual({ paid: { to: "bob", after: first.dice } });
  expect(looks).toEqual([first, last]);
  expect(last.at).toBeGreaterThanOrEqual(first.at);
  expect(last.dice).not.toBe(first.dice);
  const ended = events.find((event) => event.type === "tool-call-end" && event.result.name === "run_program");
  expect(ended).toMatchObject({ result: { details: { waves: 3, replayed: 1 } } });
});

test.each([
  ["denied", { decision: "deny", reason: "too much" }, "PERMISSION_DENIED"],
  ["changed", { decision: "allow", updatedInput: { to: "ann" } }, { paid: { to: "ann" } }],
] as const)("a call that is %s by the answer is so in the program", async (_, answer, said) => {
  const effects: unknown[] = [];
  const program = "try { return await tools.pay({ to: 'bob' }) } catch ({ code }) { return code }";
  const { sessions, pending } = await suspended(program, [pay(effects)]);

  const { result } = await played(
    agent(sessions, [pay(effects)]).resume("s", { answers: pending.map(({ id }) => ({ id, ...answer })) as never }),
  );

  const { output } = resultsOf(result).p0!;
  expect(typeof said === "string" ? output : JSON.parse(String(output))).toEqual(said);
  expect(effects).toEqual(typeof said === "string" ? [] : [{ to: "ann" }]);
});

test("a program that catches everything cannot swallow the question", async () => {
  const effects: unknown[] = [];
  const { sessions, pending } = await suspended("for (;;) try { return await tools.pay({ n: 1 }) } catch {}", [
    pay(effects),
  ]);

  const { result } = await played(agent(sessions, [pay(effects)]).resume("s", { answers: allow(pending) }));

  expect(result.status).toBe("completed");
  expect(effects).toEqual([{ n: 1 }]);
});

test("an isolate that runs the program otherwise is found out before anything is done", async () => {
  const effects: unknown[] = [];
  const { sessions, pending } = await suspended(PROGRAM, [look, pay(effects)]);
  const worker = nodeWorker();
  const other: Isolate = {
    load: async () => "another engine",
    start: (start) => worker.start({ ...start, seed: start.seed + 1 }),
  };

  const { result } = await played(
    agent(sessions, [look, pay(effects)], other).resume("s", { answers: allow(pending) }),
  );

  expect(resultsOf(result).p0).toMatchObject({ isError: true, output: expect.stringMatching(/look/) });
  expect(effects).toEqual([]);
});

test("a program that ends before its open call has diverged, and says what was done", async () => {
  const effects: unknown[] = [];
  const { sessions, pending } = await suspended(PROGRAM, [look, pay(effects)]);
  const ending: Isolate = {
    load: async () => "another engine",
    start: async () => ({
      next: async () => ({ type: "end", end: "returned", text: "1", unmade: 0, logs: "", isLogCut: false, cpuMs: 0 }),
      answer: () => {},
      close: async () => {},
    }),
  };

  const { result } = await played(
    agent(sessions, [look, pay(effects)], ending).resume("s", { answers: allow(pending) }),
  );

  expect(resultsOf(result).p0).toMatchObject({
    isError: true,
    output: expect.stringMatching(
      /did not do what it had done before: it ended before its call 1\. Nothing was run twice\. Done before: look \(success\), pay \(not finished\)\. It was begun with quickjs-wasi .*, and this is another engine\./,
    ),
  });
  expect(effects).toEqual([]);
});

test("two programs of one message are suspended and go on alone", async () => {
  const effects: unknown[] = [];
  const sessions = createMemorySessionStore();
  const programs = [1, 2].map((n) => `return (await tools.pay({ n: ${n} })).paid.n`);
  const tools = withPrograms(new ToolRegistry([pay(effects)]));
  const { engine } = testEngine(programTurns(...programs) as never, { tools, sessions, permissions: ASK as never });
  const first = await engine.run("go", { sessionId: "s" });
  let result = first;

  for (let round = 0; round < 3 && result.status === "needs-approval"; round++) {
    ({ result } = await played(agent(sessions, [pay(effects)]).resume("s", { answers: allow(result.pending ?? []) })));
  }

  expect(result.status).toBe("completed");
  expect(effects).toEqual([{ n: 1 }, { n: 2 }]);
});

test.each([
  ["a deny rule", { rules: { deny: ["pay"] } }],
  ["plan mode", { mode: "plan" as const }],
])("%s holds in programs", async (_, policy) => {
  const effects: unknown[] = [];
  const permissions = createPermissionChecker(policy as never);
  const program =
    "const seen = await tools.look({ n: 1 }); try { await tools.pay({}) } catch ({ code }) { return [seen.n, code] }";
  const { engine } = programEngine([look, pay(effects)], [program], { permissions });

  const results = resultsOf(await engine.run("go"));

  expect(JSON.parse(String(results.p0!.output))).toEqual([1, expect.stringMatching(/^PERMISSION_/)]);
  expect(effects).toEqual([]);
});
