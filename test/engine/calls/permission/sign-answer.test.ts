// Answers that expire, answers that need a signature, and rules that change between question and answer.
import { expect, test } from "vitest";
import {
  AgentEngine,
  type Answer,
  type ApprovalOptions,
  type PendingRequest,
  type PermissionGate,
  type SessionStore,
  signAnswer,
} from "../../../../src/index.js";
import { scripted, text, toolCall } from "../../../../src/providers/scripted/index.js";
import { createMemorySessionStore, findPending } from "../../../../src/sessions/index.js";
import { entriesOf, listen, tool } from "../../kit.js";

const ask = (rule: string): PermissionGate => ({
  decide: () => ({ behavior: "ask", reason: "Sure?", rule: { rule, behavior: "ask", source: "project" } }),
});

/** A suspended run, and a way to resume it at a later time, under other rules, in an engine of its own. */
async function suspended(approvals: ApprovalOptions, rule = "act") {
  const sessions = createMemorySessionStore();
  const inputs: unknown[] = [];
  const act = tool("act", async (input) => {
    inputs.push(input);
    return "acted";
  });
  let now = 1_000;
  const engineWith = (turns: Parameters<typeof scripted>[0], gate: PermissionGate) =>
    new AgentEngine({
      provider: scripted(turns),
      tools: [act],
      permissions: gate,
      sessions,
      approvals,
      runtime: { now: () => now },
    });
  const { pending } = await engineWith([toolCall("act", { n: 1 })], ask(rule)).run("go", { sessionId: "s" });
  const resume = async (
    answers: readonly Answer[],
    { at = now, rule: newRule = rule }: { at?: number; rule?: string } = {},
  ) => {
    now = at;
    const engine = engineWith([text("done")], ask(newRule));
    const notices = listen(engine, "notice");
    const result = await engine.resume("s", { answers }).result;
    return { result, codes: notices.map(({ code }) => code) };
  };
  return { request: pending[0] as PendingRequest, inputs, resume, sessions };
}

test("a question says when it expires; an answer in time counts, a later one denies", async () => {
  const early = await suspended({ expiresAfterMs: 500 });
  const late = await suspended({ expiresAfterMs: 500 });

  await early.resume([{ id: early.request.id, decision: "allow" }], { at: 1_500 });
  const { result } = await late.resume([{ id: late.request.id, decision: "allow" }], { at: 1_501 });

  expect(early.request.expiresAt).toBe(1_500);
  expect(early.inputs).toEqual([{ n: 1 }]);
  expect(late.inputs).toEqual([]);
  expect(JSON.stringify(result.messages())).toContain("expired");
});

test("an expired yes is not remembered", async () => {
  const remembered: unknown[] = [];
  const sessions = createMemorySessionStore();
  let now = 1_000;
  const engineWith = (turns: Parameters<typeof scripted>[0]) =>
    new AgentEngine({
      provider: scripted(turns),
      tools: [tool("act", async () => "acted")],
      permissions: { ...ask("act"), remember: async (updates) => void remembered.push(updates) },
      sessions,
      approvals: { expiresAfterMs: 500 },
      runtime: { now: () => now },
    });
  const { pending } = await engineWith([toolCall("act")]).run("go", { sessionId: "s" });
  now = 2_000;
  const remember = [{ type: "addRules", rules: ["act"], behavior: "allow", destination: "session" }] as const;

  await engineWith([text("done")]).resume("s", { answers: [{ id: pending[0]!.id, decision: "allow", remember }] })
    .result;

  expect(remembered).toEqual([]);
});

test("an approver of this process that answers too late denies", async () => {
  let now = 1_000;
  const act = tool("act", async () => "acted");
  const engine = new AgentEngine({
    provider: scripted([toolCall("act"), text("done")]),
    tools: [act],
    permissions: ask("act"),
    approvals: { expiresAfterMs: 500 },
    runtime: { now: () => now },
    approver: () => {
      now = 1_501;
      return { decision: "allow", by: "ada" };
    },
  });

  const result = await engine.run("go");

  expect(JSON.stringify(result.messages())).toContain("denied by ada: The approval has expired");
});

test("an answer is void when the rule that asked has changed: the host is asked again", async () => {
  const { request, resume, inputs } = await suspended({}, "act(n:1)");

  const { result } = await resume([{ id: request.id, decision: "allow" }], { rule: "act(n:2)" });

  expect(result.status).toBe("needs-approval");
  expect(result.pending[0]?.digest).not.toBe(request.digest);
  expect(inputs).toEqual([]);
});

test("with a key, an answer counts when the key signed it", async () => {
  const { request, resume, inputs } = await suspended({ key: "k" });

  const { result } = await resume([signAnswer(request, { id: request.id, decision: "allow", by: "ada" }, "k")]);

  expect(result.status).toBe("completed");
  expect(inputs).toEqual([{ n: 1 }]);
});

const FORGERIES: readonly [string, (request: PendingRequest) => Answer][] = [
  ["without a signature", ({ id }) => ({ id, decision: "allow" })],
  ["signed with another key", (request) => signAnswer(request, { id: request.id, decision: "allow" }, "other")],
  [
    "changed after it was signed",
    (request) => ({ ...signAnswer(request, { id: request.id, decision: "deny" }, "k"), decision: "allow" }),
  ],
  [
    "given a new input after it was signed",
    (request) => ({
      ...signAnswer(request, { id: request.id, decision: "allow" }, "k"),
      updatedInput: { n: 666 },
    }),
  ],
  [
    "signed for another question",
    (request) => signAnswer({ ...request, input: { n: 2 } }, { id: request.id, decision: "allow" }, "k"),
  ],
  ["with a signature that is not text", ({ id }) => ({ id, decision: "allow", signature: 7 as never })],
  ["that is not JSON", ({ id }) => ({ id, decision: "allow", updatedInput: 10n as never, signature: "0".repeat(64) })],
];

test.each(FORGERIES)(
  "with a key, an answer %s is ignored with a notice, and the question stands",
  async (_what, forge) => {
    const { request, resume, inputs } = await suspended({ key: "k" });

    const { result, codes } = await resume([forge(request)]);

    expect(codes).toEqual(["ANSWER_IGNORED"]);
    expect(result).toMatchObject({ status: "needs-approval", pending: [request] });
    expect(inputs).toEqual([]);
  },
);

/** Writes an answer into the session, as somebody would who can write its file. */
async function smuggle(sessions: SessionStore, answer: Answer): Promise<void> {
  const { id: parent, v, runId, turn } = (await entriesOf(sessions, "s")).at(-1)!;
  const release = await sessions.lock("s");
  await sessions.append("s", [{ v, id: `forged-${parent}`, parent, at: 1, runId, turn, type: "answer", answer }]);
  await release();
}

test.each(["allow", "deny"] as const)(
  "with a key, a forged %s in the session is ignored with a notice, and the question waits again for who may answer",
  async (decision) => {
    const { request, resume, inputs, sessions } = await suspended({ key: "k" });
    await smuggle(sessions, { id: request.id, decision });

    const { result, codes } = await resume([]);
    const waiting = await findPending(sessions, "s");
    const { result: next } = await resume([signAnswer(request, { id: request.id, decision: "allow" }, "k")]);

    expect(codes).toEqual(["ANSWER_IGNORED"]);
    expect(result).toMatchObject({ status: "needs-approval", pending: [request] });
    expect(waiting).toEqual([request]);
    expect(next.status).toBe("completed");
    expect(inputs).toEqual([{ n: 1 }]);
  },
);

test("with a key, a forged answer does not stand in the way of a true one that comes with the same resume", async () => {
  const { request, resume, inputs, sessions } = await suspended({ key: "k" });
  await smuggle(sessions, { id: request.id, decision: "allow", updatedInput: { n: 666 } });

  const { result } = await resume([signAnswer(request, { id: request.id, decision: "deny", reason: "No." }, "k")]);

  expect(JSON.stringify(result.messages())).toContain("No.");
  expect(inputs).toEqual([]);
});

test("with a key, a signed deny that was kept before a crash stands", async () => {
  const { request, resume, inputs, sessions } = await suspended({ key: "k" });
  await smuggle(sessions, signAnswer(request, { id: request.id, decision: "deny", reason: "Not today." }, "k"));

  const { result, codes } = await resume([]);

  expect(codes).toEqual([]);
  expect(JSON.stringify(result.messages())).toContain("Not today.");
  expect(inputs).toEqual([]);
});

test("what an approver of this process answers is signed in the session, so that it counts after a crash", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: scripted([toolCall("act"), text("done")]),
    tools: [tool("act", async () => "acted")],
    permissions: ask("act"),
    sessions,
    approvals: { key: "k" },
    approver: () => ({ decision: "allow" }),
  });

  await engine.run("go", { sessionId: "s" });

  const answer = (await entriesOf(sessions, "s")).find(({ type }) => type === "answer");
  expect(answer).toMatchObject({ answer: { decision: "allow", signature: expect.stringMatching(/^[0-9a-f]{64}$/) } });
});

test.each([
  [{ expiresAfterMs: 0 }, "approvals.expiresAfterMs"],
  [{ expiresAfterMs: "soon" }, "approvals.expiresAfterMs"],
  [{ key: "" }, "approvals.key"],
  [{ ttl: 5 }, "approvals.ttl"],
])("the option approvals %j is refused by name", (approvals, name) => {
  const make = () => new AgentEngine({ provider: scripted([]), approvals: approvals as never });

  expect(make).toThrow(name);
});
