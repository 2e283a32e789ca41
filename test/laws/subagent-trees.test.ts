// Random trees of sub-agents of all kinds, killed at random moments: what is resumed ends, and what was finished stays so.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BaseTool, EngineOptions, ProviderRequest, SessionEntry, SessionStore } from "../../src/index.js";
import { AgentEngine, validateTranscript } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { tool } from "../engine/kit.js";
import { runs } from "../runs.js";

type Kind = "fresh" | "fork" | "background";

interface Plan {
  readonly kind: Kind;
  readonly children: readonly Plan[];
}

const KINDS = fc.constantFrom<Kind>("fresh", "fresh", "fork", "background");
const leafPlan: fc.Arbitrary<Plan> = fc.record({ kind: KINDS, children: fc.constant([]) });
const branch = (child: fc.Arbitrary<Plan>, min: number): fc.Arbitrary<Plan> =>
  fc.record({ kind: KINDS, children: fc.array(child, { minLength: min, maxLength: 3 }) });
const tree = branch(branch(branch(leafPlan, 0), 0), 1);

/** Every agent of a tree by its name: "r", "r0", "r01". */
function named(plan: Plan, name = "r"): Map<string, Plan> {
  const below = plan.children.flatMap((child, index) => [...named(child, `${name}${index}`)]);
  return new Map([[name, plan], ...below]);
}

/** Each agent gives work to its children, or does its own; its prompt is its name. */
function modelOf(agents: ReadonlyMap<string, Plan>) {
  return scripted(
    [
      ({ messages }: ProviderRequest) => {
        const prompts = messages.map((message) => {
          const [part] = message.role === "user" && !message.origin ? message.content : [];
          return part?.type === "text" ? part.text : null;
        });
        const at = prompts.findLastIndex((prompt) => prompt !== null && agents.has(prompt));
        const name = prompts[at]!;
        const isFirst = !messages.slice(at).some(({ role }) => role === "assistant");
        if (!isFirst) return text(`${name} is done`);
        const { children } = agents.get(name)!;
        if (children.length === 0) return toolCall("work", { name });
        return children.map(({ kind }, index) => {
          const child = `${name}${index}`;
          return toolCall("task", { prompt: child, subagent_type: child, run_in_background: kind === "background" });
        });
      },
    ] as never,
    { loop: true },
  );
}

/** A store whose process is gone after so many writes: what was written before is all there is. */
function dyingAfter(writes: number, inner: SessionStore): SessionStore {
  let count = 0;
  return {
    append: (id, entries) => (++count > writes ? new Promise(() => {}) : inner.append(id, entries)),
    read: (id) => inner.read(id),
    lock: async () => async () => {},
    list: (filter) => inner.list(filter),
    delete: (id) => inner.delete(id),
  };
}

async function entriesOf(store: SessionStore, id: string): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(id)) entries.push(entry);
  return entries;
}

async function quiet(): Promise<void> {
  for (let round = 0; round < 40; round++) await new Promise((resolve) => setImmediate(resolve));
}

async function brokenBy(plan: Plan, deaths: readonly number[]): Promise<string[]> {
  const agents = named(plan);
  const worked: string[] = [];
  const work: BaseTool = tool("work", async ({ name }: { name: string }) => `work ${worked.push(name)}`, {
    onUnknown: "retry",
  });
  const definitions = [...agents].map(([name, { kind }]) =>
    defineSubagent({ name, description: name, systemPrompt: "You work.", ...(kind === "fork" && { kind }) }),
  );
  const store = createMemorySessionStore();
  const engineOn = (sessions: SessionStore) => {
    const options: EngineOptions = {
      provider: modelOf(agents),
      tools: [work, ...createSubagentTools({ subagents: definitions, maxDepth: 3 })],
      permissions: { decide: () => ({ behavior: "allow" }) },
      sessions,
    };
    return new AgentEngine(options);
  };
  const problems: string[] = [];
  const finished = new Set<string>();
  const begin = async (engine: AgentEngine) => {
    const isNew = (await entriesOf(store, "s")).length === 0;
    return isNew ? engine.run("r", { sessionId: "s" }) : engine.resume("s").result;
  };
  for (const writes of deaths) {
    void begin(engineOn(dyingAfter(writes, store)));
    await quiet();
    for (const name of finished) if (worked.includes(name)) problems.push(`"${name}" was run again after its end`);
    worked.length = 0;
    for await (const { id } of store.list({ prefix: "sub-" })) {
      const entries = await entriesOf(store, id);
      const end = entries.findLast(({ type }) => type === "run-end");
      const said = JSON.stringify(entries.findLast(({ type }) => type === "message") ?? "");
      if (end?.type === "run-end" && end.status === "completed") finished.add(/"(\w+) is done"/.exec(said)?.[1] ?? "");
    }
  }
  const engine = engineOn(store);
  const { status, text: said } = await begin(engine);
  if (status !== "completed" || said !== "r is done") problems.push(`it ended as ${status}: ${said}`);
  for (const name of finished) if (worked.includes(name)) problems.push(`"${name}" was run again after its end`);
  const sessions = ["s"];
  for await (const { id } of store.list({ prefix: "sub-" })) sessions.push(id);
  if (sessions.length !== agents.size) problems.push(`${sessions.length} sessions for ${agents.size} agents`);
  for (const id of sessions) {
    const entries = await entriesOf(store, id);
    const messages = entries.flatMap((entry) => (entry.type === "message" ? entry.message : []));
    const ends = messages.filter((message) => message.role === "user" && message.origin === "subagent");
    const starts = entries.filter((entry) => entry.type === "custom" && entry.name === "loopwright.background");
    if (ends.length !== starts.length) problems.push(`${starts.length} began in the background, ${ends.length} ended`);
    const end = entries.findIndex((entry) => entry.type === "run-end" && entry.status === "completed");
    if (end !== entries.length - 1) problems.push(`${entries.length - end} entries after the end of "${id}"`);
    const isRoot = id === "s";
    if (isRoot) {
      const issues = validateTranscript((await engine.resume(id).result).messages());
      problems.push(...issues.map(({ message }) => message));
    }
  }
  return problems;
}

test("trees of sub-agents of all kinds end once however often they are killed, and nothing finished is run again", async () => {
  const deaths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(tree, deaths, async (plan, killedAfter) => {
      expect(await brokenBy(plan, killedAfter)).toEqual([]);
    }),
    { numRuns: runs(15, 100, 2_000) },
  );
});
