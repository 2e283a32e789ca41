// Over random runs: what the session keeps of decisions and effects, the trail tells as well.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  AgentEngine,
  type Answer,
  type BaseTool,
  type HookResult,
  type PendingRequest,
  type SessionEntry,
  signAnswer,
} from "../../src/index.js";
import { type AuditRecord, createAuditTrail, queryAudit, verifyAudit } from "../../src/observability/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, findPending } from "../../src/sessions/index.js";
import { type Played, play, scenario } from "../laws/random-run.js";
import { runs } from "../runs.js";

const numRuns = runs(8, 40, 2_000);

/** The trail of a run that was played, and what `verifyAudit` says of it. */
async function trailOf({ events }: Played) {
  const directory = mkdtempSync(join(tmpdir(), "audit-law-"));
  const file = join(directory, "trail.jsonl");
  try {
    const audit = await createAuditTrail({ file, onError: (error) => expect.unreachable(error.message) });
    for (const event of events) audit.record(event);
    await audit.close();
    const records: AuditRecord[] = [];
    for await (const record of queryAudit(file)) records.push(record);
    return { records, verdict: await verifyAudit(file) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test("every run, result, question and epoch of a session is in the trail", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const played = await play(plan);
      const { records, verdict } = await trailOf(played);
      const told = (type: string, fields: object = {}) =>
        records.filter((record) => record.type === type && Object.entries(fields).every(([k, v]) => record[k] === v));

      expect(verdict).toMatchObject({ ok: true, torn: false, records: records.length });
      for (const entry of played.entries) {
        if (entry.type === "run-start") expect(told("run-start", { runId: entry.runId })).not.toEqual([]);
        if (entry.type === "run-end") {
          expect(told("run-end", { runId: entry.runId, status: entry.status })).toHaveLength(1);
        }
        if (entry.type === "epoch") expect(told("epoch", { runId: entry.runId, cause: entry.cause })).not.toEqual([]);
        if (entry.type === "tool-result") {
          const { toolCallId, status } = entry.result;
          expect(told("tool-call-end", { toolCallId, status })).not.toEqual([]);
        }
        if (entry.type === "tool-start") {
          const { toolCallId } = entry;
          expect(told("tool-call-start", { toolCallId })).not.toEqual([]);
          expect(told("permission-decision", { toolCallId, behavior: "allow" })).not.toEqual([]);
        }
        if (entry.type === "pending") {
          expect(told("approval-requested", { requestId: entry.request.id })).not.toEqual([]);
        }
      }
    }),
    { numRuns },
  );
});

// ── approvals ───────────────────────────────────────────────────────────────────────────────────────────────────────

const CALLS = [
  "allowed",
  "denied",
  "asked",
  "questioned",
  "asked-and-questioned",
  "hooked",
  "confirmed",
  "elicited",
] as const;
const REPLIES = ["allow", "deny", "update", "value", "later", "nonsense", "unsigned", "twice", "stranger"] as const;
type Reply = (typeof REPLIES)[number];

const HOOK_ANSWERS: readonly HookResult[] = [
  { permissionDecision: "deny", permissionDecisionReason: "Not to be reported." },
  { permissionDecision: "allow", updatedInput: { name: "A." } },
];

/** A session that several engines work at, one after the other, each with a trail of its own. */
interface Approvals {
  readonly calls: readonly (typeof CALLS)[number][];
  /** What each engine's host answers, question by question, and whether it does so as an approver. */
  readonly rounds: readonly {
    readonly replies: readonly Reply[];
    readonly isApprover: boolean;
    readonly isStricter: boolean;
    /** What the hooks at Elicitation and ElicitationResult say. */
    readonly hooks: readonly HookResult[];
  }[];
  readonly isSigned: boolean;
}

const approvals: fc.Arbitrary<Approvals> = fc.record({
  calls: fc.array(fc.constantFrom(...CALLS), { minLength: 1, maxLength: 5 }),
  rounds: fc.array(
    fc.record({
      replies: fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 6 }),
      isApprover: fc.boolean(),
      isStricter: fc.boolean().map((not) => !not),
      hooks: fc.array(fc.constantFrom<HookResult>({}, {}, ...HOOK_ANSWERS), { minLength: 2, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  isSigned: fc.boolean(),
});

const KEY = "k";

/** What a host answers; nothing when it lets the question wait. */
function answersOf(reply: Reply, request: PendingRequest, isSigned: boolean): Answer[] {
  const { id } = request;
  const remember = [{ type: "addRules", behavior: "allow", rules: ["act"], destination: "session" }] as const;
  const said: Record<Reply, object[]> = {
    allow: [{ id, decision: "allow", by: "ada", remember }],
    deny: [{ id, decision: "deny", by: "bob", reason: "No." }],
    update: [{ id, decision: "allow", updatedInput: { kind: "updated" } }],
    value: [{ id, value: { colour: "red", of: [1, null] }, by: "cleo" }],
    later: [],
    nonsense: [{ id, by: 7, decision: "perhaps" }],
    unsigned: [{ id, decision: "allow", signature: "none" }],
    twice: [
      { id, decision: "allow" },
      { id, decision: "deny" },
    ],
    stranger: [{ id: "nobody", decision: "allow" }],
  };
  const answers = said[reply] as Answer[];
  return isSigned && reply !== "unsigned" ? answers.map((answer) => signAnswer(request, answer, KEY)) : answers;
}

const act: BaseTool = {
  name: "act",
  permission: "execute",
  definition: () => ({ name: "act", description: "Acts.", inputSchema: { type: "object" } }),
  async execute(input, context) {
    const { kind } = input as { kind: string };
    if (context.resumed) return JSON.stringify(context.resumed.answer);
    if (kind.endsWith("questioned")) context.suspend({ kind: "question", reason: "Which?" }, 1);
    if (kind === "elicited") context.suspend({ kind: "elicitation", reason: "Your name?" }, 1);
    if (kind === "confirmed") context.suspend({ kind: "approval", reason: "Really?" }, 1);
    return "acted";
  },
};

async function work({ calls, rounds, isSigned }: Approvals, directory: string) {
  const sessions = createMemorySessionStore();
  const firstTurn = calls.map((kind, n) => toolCall("act", { kind }, { id: `c${n}` }));
  const records: AuditRecord[] = [];
  for (const [round, { replies, isApprover, isStricter, hooks }] of rounds.entries()) {
    const file = join(directory, `${round}.jsonl`);
    const audit = await createAuditTrail({ file, onError: (error) => expect.unreachable(error.message) });
    let asked = 0;
    const next = (request: PendingRequest) => answersOf(replies[asked++ % replies.length]!, request, isSigned);
    const engine = new AgentEngine({
      provider: scripted(round === 0 ? [firstTurn, text("done")] : [text("done")]),
      tools: [act],
      sessions,
      hooks: {
        Elicitation: [{ run: () => hooks[0] }],
        ElicitationResult: [{ run: () => hooks[1] }],
        PermissionRequest: [
          {
            run: ({ toolInput }) =>
              (toolInput as { kind: string }).kind === "hooked" ? { permissionDecision: "allow" } : undefined,
          },
        ],
      },
      permissions: {
        decide({ input }) {
          const { kind } = input as { kind: string };
          if (kind === "denied") return { behavior: "deny", reason: "Never." };
          const asks = isStricter || kind.startsWith("asked") || kind === "hooked";
          return asks ? { behavior: "ask", reason: isStricter ? "Stricter." : "Sure?" } : { behavior: "allow" };
        },
      },
      ...(isSigned && { approvals: { key: KEY } }),
      ...(isApprover && { approver: (request) => next(request)[0]! }),
    });
    audit.watch(engine);
    if (round === 0) await engine.run("go", { sessionId: "s" });
    else {
      const answers = isApprover ? [] : (await findPending(sessions, "s")).flatMap(next);
      await engine.resume("s", { answers }).result;
    }
    await engine.close();
    await audit.close();
    expect(await verifyAudit(file)).toMatchObject({ ok: true });
    for await (const record of queryAudit(file)) records.push(record);
  }
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read("s")) entries.push(entry);
  return { records, entries };
}

/** An answer as a trail tells it. */
function told(answer: Answer) {
  const { id: requestId, by } = answer;
  if (!("decision" in answer)) return { requestId, by, valueDigest: digestOf(answer.value) };
  const { decision, reason, updatedInput } = answer;
  return { requestId, by, decision, reason, updatedInputDigest: updatedInput && digestOf(updatedInput) };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

const sorted = (things: readonly object[]) => [...new Set(things.map((thing) => JSON.stringify(thing)))].sort();

test("every question, answer and decision of a session is in the trails of those who worked at it, and no other", async () => {
  await fc.assert(
    fc.asyncProperty(approvals, async (plan) => {
      const directory = mkdtempSync(join(tmpdir(), "audit-law-"));
      try {
        const { records, entries } = await work(plan, directory);
        const of = (type: string) => records.filter((record) => record.type === type);

        const answered = of("approval-answered").map(
          ({ requestId, by, valueDigest, decision, reason, updatedInputDigest }) =>
            valueDigest === undefined
              ? { requestId, by, decision, reason, updatedInputDigest }
              : { requestId, by, valueDigest },
        );
        const answers = entries.flatMap((entry) => (entry.type === "answer" ? [entry.answer] : []));
        expect(sorted(answered)).toEqual(sorted(answers.map(told)));

        const asked = entries.flatMap((entry) => (entry.type === "pending" ? [{ id: entry.request.id }] : []));
        expect(sorted(of("approval-requested").map(({ requestId: id }) => ({ id })))).toEqual(sorted(asked));

        // Who answered a call's fate is somebody whose answer is in the session, or a hook.
        for (const { toolCallId, by, behavior } of of("permission-decision").filter(({ by }) => by !== undefined)) {
          if (by === "a hook") continue;
          const theirs = of("approval-answered").filter((record) => record.toolCallId === toolCallId);
          expect(theirs).toContainEqual(expect.objectContaining({ decision: behavior, ...(by !== "host" && { by }) }));
        }
        for (const entry of entries) {
          const decided = (toolCallId: string, behavior: string) =>
            of("permission-decision").filter(
              (record) => record.toolCallId === toolCallId && record.behavior === behavior,
            );
          if (entry.type === "tool-start") expect(decided(entry.toolCallId, "allow")).not.toEqual([]);
          if (entry.type !== "tool-result") continue;
          const { toolCallId, status } = entry.result;
          expect(of("tool-call-end")).toContainEqual(expect.objectContaining({ toolCallId, status }));
          if (status === "denied") expect(decided(toolCallId, "deny")).not.toEqual([]);
        }
      } finally {
        rmSync(directory, { recursive: true });
      }
    }),
    { numRuns },
  );
});
