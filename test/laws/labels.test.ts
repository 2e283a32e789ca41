// Labels never get lost: in random families of agents, over suspensions, resumes, rewinds, forks, exports, compactions, facts and
// programs, each call is judged by the join of all that its maker had read. The join is made independently, from marks that each result
// carries in its text.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Label, Source } from "../../src/contracts/label.js";
import type { SubagentKind } from "../../src/contracts/subagent.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import {
  AgentEngine,
  type BaseTool,
  type ContextPolicy,
  type JsonObject,
  type PermissionGate,
  type SessionEntry,
} from "../../src/index.js";
import { createMemoryFactStore, createMemoryTools } from "../../src/memory/index.js";
import { type RecordedRequest, scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { exportSession, forkSession, importSession } from "../../src/sessions/index.js";
import { tool } from "../engine/kit.js";
import { runs } from "../runs.js";

const numRuns = runs(40, 300, 10_000);

type Step =
  | { readonly does: "read"; readonly name: string; readonly trusted: boolean; readonly asks: boolean }
  | { readonly does: "silent" | "remember" | "recall" }
  | { readonly does: "child"; readonly kind: SubagentKind; readonly plan: Plan; readonly goesOn: boolean }
  | { readonly does: "program"; readonly waves: readonly (readonly Step[])[] };
type Plan = readonly (readonly Step[])[];

const read = fc.record({
  does: fc.constant("read" as const),
  name: fc.constantFrom("a", "b", "c", "d"),
  trusted: fc.boolean(),
  asks: fc.nat(9).map((n) => n === 0),
});
const plain: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: read },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("silent", "remember", "recall") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("program" as const),
      waves: fc.array(fc.array(read, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
    }),
  },
);
const planOf = (step: fc.Arbitrary<Step>, maxTurns: number) =>
  fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: maxTurns });
const child = fc.record({
  does: fc.constant("child" as const),
  kind: fc.constantFrom<SubagentKind>("fresh", "fork", "background"),
  /** It goes on from the newest in the background that has ended, if there is one. */
  goesOn: fc.boolean(),
  plan: planOf(plain, 2),
});
const family = planOf(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: child }), 4);
const life = fc.record({
  plan: family,
  back: fc.option(fc.nat(100)),
  /** What becomes of the session before: it goes on, in a copy, or in another store; or a new one begins, which knows the same facts. */
  as: fc.constantFrom("itself", "itself", "fork", "import", "new"),
});
const lives = fc.array(life, { minLength: 1, maxLength: 4 });

/** What is said to have been read: each source once, and whether one is untrusted. */
const marksIn = (said: string) => [...new Set(said.match(/<\w+:[UT]>/g) ?? [])].sort();
const markOf = (name: string, trusted: boolean) => `<${name}:${trusted ? "T" : "U"}>`;
const isTainted = (marks: readonly string[]) => marks.some((mark) => mark.endsWith(":U>"));

/** What the label says in the words of the marks; a source that is not a mark is the engine's own. */
function sourcesOf(label: Label): string[] {
  const isMark = ({ kind, name }: Source) => kind === "tool" && /^<\w+:[UT]>$/.test(name);
  return [...new Set(label.sources.filter(isMark).map(({ name }) => name))].sort();
}

/** Replaces all before the newest plan by a summary that names what it has read. */
const compaction: ContextPolicy = {
  async prepare({ messages, entryIds }) {
    const end =
      messages.findLastIndex((message) => message.role === "user" && JSON.stringify(message).includes("PLAN:")) - 1;
    if (end < 1) return [];
    const said = JSON.stringify(messages.slice(0, end + 1));
    const summary = `Summary of ${marksIn(said).join(" ")}`;
    const report = { stage: "test", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: 0 };
    const replacement = [{ role: "user", origin: "summary", content: [{ type: "text", text: summary }] }] as const;
    return [{ stage: "test", from: entryIds[0]!, to: entryIds[end]!, replacement, report }];
  },
  recover: async () => [],
};

class Life {
  readonly facts = createMemoryFactStore();
  /** Sub-agents that have gone on from one that had ended. */
  continued = 0;
  readonly plans: Plan[] = [];
  readonly steps: Step[] = [];
  /** By the number of a step: what its maker had read. */
  readonly expected = new Map<number, readonly string[]>();
  readonly judged: { readonly expected: readonly string[]; readonly label: Label }[] = [];

  prompt(plan: Plan): string {
    return `PLAN:${this.plans.push(plan) - 1}.`;
  }

  call(step: Step, marks: readonly string[]) {
    const n = this.steps.push(step) - 1;
    this.expected.set(n, marks);
    const name = step.does === "silent" ? "read" : step.does;
    return { name, input: { n, marks: marks.join(" ") } };
  }

  answer(request: RecordedRequest) {
    const said = request.messages.map((message) => JSON.stringify(message));
    const at = said.findLastIndex((each) => /PLAN:\d+\./.test(each) && each.includes('"role":"user"'));
    const plan = this.plans[Number(/PLAN:(\d+)\./.exec(said[at]!)![1])]!;
    const turn = request.messages.slice(at).filter(({ role }) => role === "assistant").length;
    const marks = marksIn(said.join());
    if (turn >= plan.length) return text(`Read: ${marks.join(" ")}`);
    return plan[turn]!.map((step) => {
      const { name, input } = this.call(step, marks);
      return toolCall(name, input);
    });
  }

  readonly gate: PermissionGate = {
    usesLabels: true,
    decide: ({ input, context }) => {
      const { n } = input as { readonly n: number };
      this.judged.push({ expected: this.expected.get(n)!, label: context! });
      const step = this.steps[n]!;
      return { behavior: step.does === "read" && step.asks ? "ask" : "allow" };
    },
  };

  get tools(): BaseTool[] {
    const stepOf = (input: JsonObject) => this.steps[input.n as number]!;
    const read = tool(
      "read",
      async (input) => {
        const step = stepOf(input);
        return step.does === "read" ? `Here is ${markOf(step.name, step.trusted)}` : "Nothing.";
      },
      {
        returns: (input: JsonObject) => {
          const step = stepOf(input);
          if (step.does !== "read") return { integrity: "trusted", sources: [] };
          const sources = [{ kind: "tool" as const, name: markOf(step.name, step.trusted) }];
          return { integrity: step.trusted ? "trusted" : "untrusted", sources };
        },
      },
    );
    const [remember, recall] = createMemoryTools(this.facts) as [BaseTool, BaseTool];
    const { effects, returns } = remember;
    const keeping = tool(
      "remember",
      (input, context) => remember.execute({ fact: `Note ${input.n}: ${input.marks}` }, context) as never,
      { effects, returns },
    );
    const recalling = tool("recall", (_input, context) => recall.execute({ query: "note" }, context) as never, {
      returns: recall.returns,
    });
    const quiet = {
      permission: "none",
      timeoutMs: null,
      onUnknown: "retry",
      returns: { integrity: "trusted", sources: [] },
    } as const;
    const children = tool(
      "child",
      async (input, context) => {
        const { kind, plan, goesOn } = stepOf(input) as Extract<Step, { does: "child" }>;
        const definition = childOf(kind);
        const prompt = `${this.prompt(plan)} ${kind === "fork" ? "" : input.marks}`;
        const ended = context.background!.list().filter(({ status }) => status === "completed");
        const options = goesOn && kind !== "fork" ? { continues: ended.at(-1)?.id } : {};
        if (options.continues !== undefined) this.continued++;
        if (kind === "background")
          return `started ${(await context.background!.start(definition, prompt, options)).name}`;
        return (await context.spawn!(definition, prompt, options)).text;
      },
      { ...quiet, spawns: { maxDepth: 1, find: () => childOf("background") } },
    );
    const program = tool(
      "program",
      async (input, context) => {
        const { waves } = stepOf(input) as Extract<Step, { does: "program" }>;
        let marks = marksIn(String(input.marks));
        for (const [index, wave] of waves.entries()) {
          // Entered again, it makes the same calls.
          const calls = this.#wavesOf(input.n as number, index, wave, marks);
          const results = await context.calls!.run(calls);
          marks = marksIn([...marks, ...results.map(({ output }) => String(output))].join());
        }
        return marks.join(" ");
      },
      quiet,
    );
    return [read, keeping, recalling, children, program];
  }

  readonly #waves = new Map<string, { name: string; input: JsonObject }[]>();

  #wavesOf(n: number, index: number, wave: readonly Step[], marks: readonly string[]) {
    const key = `${n}.${index}`;
    const calls = this.#waves.get(key) ?? wave.map((step) => this.call(step, marks));
    this.#waves.set(key, calls);
    return calls;
  }
}

const childOf = (kind: SubagentKind) => ({ name: "child", description: "Reads.", systemPrompt: "Read.", kind });

test("labels never get lost: each call is judged by the join of all that its maker had read", async () => {
  let calls = 0;
  let tainted = 0;
  let continued = 0;
  await fc.assert(
    fc.asyncProperty(lives, async (parts) => {
      const life = new Life();
      let sessions = createMemorySessionStore();
      let session = "s";
      const provider = scripted([(request) => life.answer(request)], { loop: true });
      for (const [index, { plan, back, as }] of parts.entries()) {
        // Each prompt meets a new engine, as in another process.
        const past = await ends(sessions.read(session));
        if (as === "new") session = `s${index}`;
        if (as === "fork" && past.length > 0) session = await forkSession(sessions, session, past.at(-1)!, `s${index}`);
        if (as === "import" && past.length > 0) {
          const exported = await exportSession(sessions, session);
          sessions = createMemorySessionStore();
          await importSession(sessions, exported);
        }
        const options = {
          ...{ provider, sessions, compaction, permissions: life.gate, tools: life.tools },
          runaway: false,
        } as const;
        const engine = new AgentEngine(options);
        const after =
          back === null ? undefined : (await ends(sessions.read(session))).at(back % Math.max(1, past.length));
        let result = await engine.run(life.prompt(plan), { sessionId: session, ...(after && { after }) });
        while (result.status === "needs-approval") {
          const answers = result.pending.map(({ id }) => ({ id, decision: "allow" as const }));
          result = await new AgentEngine(options).resume(session, { answers }).result;
        }
        expect(result.status).toBe("completed");
        await engine.close();
      }

      for (const { expected, label } of life.judged) {
        const { integrity } = label;
        const sources = sourcesOf(label);
        // What an agent in the background reports between the making of a call and its decision counts, too; cut off, it counts as
        // untrusted whatever it has read.
        if (hasBackground(parts)) expect(sources).toEqual(expect.arrayContaining([...expected]));
        else
          expect({ sources, integrity }).toEqual({
            sources: expected,
            integrity: isTainted(expected) ? "untrusted" : "trusted",
          });
        if (isTainted(expected)) expect(integrity).toBe("untrusted");
      }
      calls += life.judged.length;
      continued += life.continued;
      tainted += life.judged.filter(({ expected }) => isTainted(expected)).length;
    }),
    { numRuns },
  );

  expect(tainted).toBeGreaterThan(numRuns);
  expect(calls).toBeGreaterThan(tainted);
  expect(continued).toBeGreaterThan(0);
});

const hasBackground = (parts: readonly { readonly plan: Plan }[]) =>
  parts.some(({ plan }) => plan.flat().some((step) => step.does === "child" && step.kind === "background"));

/** The ends of earlier runs. */
async function ends(entries: AsyncIterable<SessionEntry>): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of entries) if (entry.type === "run-end") found.push(entry.id);
  return found;
}
