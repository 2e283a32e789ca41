// The laws while skills are used and facts come and go: random runs on one session, each in a process of its own, some of
// them aborted, with other processes that remember and forget meanwhile.
import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentEngine, defineTool, type Message, type ProviderRequest, validateTranscript } from "../../src/index.js";
import { createMemoryFactStore, createMemoryTools, factSource } from "../../src/memory/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { createSkillTool, defineSkill, loadSkills } from "../../src/skills/index.js";
import { runs } from "../runs.js";

const SKILLS = [
  {
    name: "tagging",
    description: "Tags.",
    instructions: "Tag $ARGUMENTS.",
    allowedTools: ["Bash(git tag *)"],
    chainsTo: ["telling"],
  },
  { name: "telling", description: "Tells.", instructions: "Tell it.", chainsTo: ["tagging"] },
  {
    name: "quiet",
    description: "Keeps quiet.",
    instructions: "Say nothing.",
    guardrails: [{ text: "No tags.", rule: "Bash(git tag *)" }],
  },
];

type Act =
  | { readonly do: "skill"; readonly name: string }
  | { readonly do: "tag" }
  | { readonly do: "remember" | "learned elsewhere"; readonly fact: number }
  | { readonly do: "recall" }
  | { readonly do: "forgotten elsewhere" }
  | { readonly do: "answer" };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("skill" as const), name: fc.constantFrom("tagging", "telling", "quiet", "nope") }),
  fc.record({ do: fc.constant("tag" as const) }),
  fc.record({ do: fc.constantFrom("remember" as const, "learned elsewhere" as const), fact: fc.nat(8) }),
  fc.record({ do: fc.constantFrom("recall" as const, "forgotten elsewhere" as const, "answer" as const) }),
);
const oneRun = fc.record({ turns: fc.array(act, { maxLength: 6 }), abortAt: fc.option(fc.nat(40), { freq: 3 }) });
const FACTS = ["Hall", "Rack", "Host", "Port", "Disk", "Team", "Door", "Lamp", "Pump"].map(
  (what, index) => `${what} ${index} is kept by crew number ${index * 37}.`,
);

interface Sent {
  readonly epoch: number;
  readonly head: string;
  readonly messages: readonly string[];
}

async function playRuns(plan: readonly { turns: readonly Act[]; abortAt: number | null }[]) {
  const sessions = createMemorySessionStore();
  let clock = 0;
  const facts = createMemoryFactStore({ now: () => ++clock });
  const sent: Sent[] = [];
  const causes: string[] = [];
  const problems: string[] = [];
  for (const { turns, abortAt } of plan) {
    const catalog = await loadSkills({ skills: SKILLS.map(defineSkill) });
    const mayTag = { now: false };
    const bash = defineTool<{ command: string }>({
      name: "bash",
      description: "Runs a command.",
      input: { type: "object", properties: { command: { type: "string" } } },
      permission: "execute",
      async execute() {
        if (!mayTag.now) problems.push("a tag was made that no skill in use allows");
        return "tagged";
      },
    });
    const elsewhere = async (one: Act) => {
      if (one.do === "learned elsewhere") await facts.remember({ text: FACTS[one.fact]! });
      const [first] = await facts.list();
      if (one.do === "forgotten elsewhere" && first) await facts.forget(first.id);
    };
    const turnOf = (one: Act) => async (request: ProviderRequest) => {
      note(request);
      mayTag.now = tagIsAllowed(request.messages);
      await elsewhere(one);
      if (one.do === "skill") return toolCall("skill", { name: one.name });
      if (one.do === "tag") return toolCall("bash", { command: "git tag v1" });
      if (one.do === "remember") return toolCall("remember", { fact: FACTS[one.fact]! });
      if (one.do === "recall") return toolCall("recall_facts", { query: "which crew keeps the hall" });
      return one.do === "answer" ? text("So far.") : toolCall("recall_facts", { query: "hosts" });
    };
    const note = ({ system, tools, messages }: ProviderRequest) => {
      const wire = messages.map((message) => JSON.stringify(message));
      sent.push({ epoch: causes.length, head: JSON.stringify([system, tools]), messages: wire });
    };
    const last = (request: ProviderRequest) => {
      note(request);
      return text("Done.");
    };
    const engine = new AgentEngine({
      provider: scripted([...turns.map(turnOf), ...Array.from({ length: 8 }, () => last)] as never),
      tools: [createSkillTool(catalog), bash, ...createMemoryTools(facts)],
      contextSources: [catalog.source, factSource(facts)],
      permissions: catalog.gate(createPermissionChecker({ rules: { allow: ["remember"] } })),
      sessions,
      runaway: false,
    });
    engine.on("epoch", ({ cause }) => causes.push(cause));
    const run = engine.stream("Go.", { sessionId: "s" });
    let events = 0;
    for await (const _event of run) if (abortAt !== null && ++events === abortAt) run.abort("no longer wanted");
    const result = await run.result;
    await run.idle;
    if (result.status === "failed") problems.push(result.error!.message);
    if (result.status !== "needs-approval") {
      problems.push(...validateTranscript(result.messages()).map(({ message }) => message));
    }
    await engine.close();
  }
  return { sent, causes, problems };
}

/** A tag may be made once `tagging` has been brought since the last prompt, and `quiet` has not. */
function tagIsAllowed(messages: readonly Message[]): boolean {
  const prompt = messages.findLastIndex(({ role, ...rest }) => role === "user" && isPrompt(rest as Message));
  const since = messages.slice(prompt + 1);
  const has = (name: string) =>
    since.some(
      (message) =>
        message.role === "user" && message.origin === "skill" && JSON.stringify(message).includes(`[skill ${name}]`),
    );
  return has("tagging") && !has("quiet");
}

function isPrompt(message: Message): boolean {
  return ((message as { origin?: string }).origin ?? "user") === "user";
}

test("while skills are used and facts come and go, transcripts are valid, the prefix is stable, and skills allow no more than they say", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(oneRun, { minLength: 1, maxLength: 4 }), async (plan) => {
      const { sent, causes, problems } = await playRuns(plan);

      expect(problems).toEqual([]);
      for (const cause of causes.slice(1)) expect(cause).toBe("system");
      for (const [index, { epoch, head, messages }] of sent.entries()) {
        const before = sent[index - 1];
        if (!before || before.epoch !== epoch) continue;
        expect(head).toBe(before.head);
        expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
      }
    }),
    { numRuns: runs(20, 300, 10_000) },
  );
});
