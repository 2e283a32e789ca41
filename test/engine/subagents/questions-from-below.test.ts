// A sub-agent's question is the root's: with an approver it is asked there, without one the root is suspended with it.
import { expect, test } from "vitest";
import type {
  BaseTool,
  EngineOptions,
  ProviderRequest,
  RunResult,
  SessionStore,
  SubagentDefinition,
} from "../../../src/index.js";
import { AgentEngine, signAnswer } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore, findPending } from "../../../src/sessions/index.js";
import { issuesOf, resultsOf, tool } from "../kit.js";

const level = (n: number): SubagentDefinition => ({ name: `level-${n}`, description: "d", systemPrompt: `level ${n}` });
const DEPTH = 3;

/** The model of every agent: each delegates to the next level; the deepest acts. */
function delegating(acts: readonly string[] = ["a"]) {
  return scripted(
    [
      (request: ProviderRequest) => {
        const last = request.messages.at(-1)!;
        if (last.role === "tool") return text(`ended with ${last.content.map(({ output }) => output).join("+")}`);
        const depth = Number(/level (\d)/.exec(request.system[0]?.text ?? "")?.[1] ?? 0);
        return depth < DEPTH ? toolCall("task", { depth }) : acts.map((what) => toolCall("act", { what }));
      },
    ] as never,
    { loop: true },
  );
}

interface World {
  readonly acted: string[];
  readonly spawned: string[];
  readonly options: (more?: Partial<EngineOptions>) => EngineOptions;
}

function world(store: SessionStore, acts?: readonly string[]): World {
  const acted: string[] = [];
  const spawned: string[] = [];
  const task: BaseTool = tool(
    "task",
    async ({ depth }: { depth: number }, { spawn }) => {
      spawned.push(`level-${depth + 1}`);
      return (await spawn!(level(depth + 1), "go on")).text;
    },
    { permission: "none", timeoutMs: null, onUnknown: "retry", spawns: { maxDepth: DEPTH } },
  );
  const act = tool("act", async ({ what }: { what: string }) => {
    acted.push(what);
    return `did ${what}`;
  });
  const options = (more: Partial<EngineOptions> = {}): EngineOptions => ({
    provider: delegating(acts),
    tools: [task, act],
    permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "act" ? "ask" : "allow" }) },
    sessions: store,
    ...more,
  });
  return { acted, spawned, options };
}

test("at depth three, without an approver, the root is suspended with the question and its whole path", async () => {
  const store = createMemorySessionStore();
  const { options, acted } = world(store);

  const result = await new AgentEngine(options()).run("go", { sessionId: "s" });

  expect(result.status).toBe("needs-approval");
  expect(result.pending).toMatchObject([
    { kind: "approval", tool: "act", sessionId: "s", agentPath: ["level-1", "level-2", "level-3"] },
  ]);
  expect(await findPending(store, "s")).toEqual(result.pending);
  expect(acted).toEqual([]);
});

test("another engine resumes inside the sub-agent, at every depth, and each ends once", async () => {
  const store = createMemorySessionStore();
  const { options, acted, spawned } = world(store);
  const first = await new AgentEngine(options()).run("go", { sessionId: "s" });
  const engine = new AgentEngine(options());

  const unanswered = await engine.resume("s").result;
  const result = await engine.resume("s", { answers: [{ id: first.pending[0]!.id, decision: "allow" }] }).result;

  expect(unanswered).toMatchObject({ status: "needs-approval", pending: [{ id: first.pending[0]!.id }] });
  expect(result).toMatchObject({
    status: "completed",
    text: "ended with ended with ended with ended with did a",
    pending: [],
  });
  expect([acted, issuesOf(result)]).toEqual([["a"], []]);
  expect(spawned).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3].map((n) => `level-${n}`));
  expect(engine.subagents("s").map(({ name, status, agentPath }) => [name, status, agentPath.length])).toEqual([
    ["level-1", "completed", 1],
    ["level-2", "completed", 2],
    ["level-3", "completed", 3],
  ]);
  expect(await findPending(store, "s")).toEqual([]);
});

test("several questions of one sub-agent may be answered one by one, in several processes", async () => {
  const store = createMemorySessionStore();
  const { options, acted } = world(store, ["a", "b", "c"]);
  let result: RunResult = await new AgentEngine(options()).run("go", { sessionId: "s" });
  expect(result.pending.length).toBe(3);

  for (const decision of ["allow", "deny", "allow"] as const) {
    const { id } = result.pending[0]!;
    result = await new AgentEngine(options()).resume("s", { answers: [{ id, decision }] }).result;
  }

  expect(result.status).toBe("completed");
  expect(result.text).toContain('did a+"act" was denied by the host.+did c');
  expect(acted.sort()).toEqual(["a", "c"]);
});

test("with an approver the question is asked there, with the whole path", async () => {
  const { options, acted } = world(createMemorySessionStore());
  const asked: unknown[] = [];
  const approver: EngineOptions["approver"] = ({ tool, agentPath, sessionId }) => {
    asked.push([tool, agentPath, sessionId]);
    return { decision: "allow" };
  };

  const result = await new AgentEngine(options({ approver })).run("go", { sessionId: "s" });

  expect([result.status, acted]).toEqual(["completed", ["a"]]);
  expect(asked).toEqual([["act", ["level-1", "level-2", "level-3"], "s"]]);
});

test("an approver that comes later answers the question a sub-agent was suspended with", async () => {
  const store = createMemorySessionStore();
  const { options, acted } = world(store);
  await new AgentEngine(options()).run("go", { sessionId: "s" });

  const result = await new AgentEngine(options({ approver: () => ({ decision: "allow" }) })).resume("s").result;

  expect([result.status, acted]).toEqual(["completed", ["a"]]);
});

test("a new prompt denies what is open, also inside the sub-agents", async () => {
  const store = createMemorySessionStore();
  const { options, acted } = world(store);
  await new AgentEngine(options()).run("go", { sessionId: "s" });
  const provider = scripted([text("fine")]);
  const engine = new AgentEngine(options({ provider }));

  const result = await engine.run("never mind", { sessionId: "s" });

  expect([result.status, acted, issuesOf(result)]).toEqual(["completed", [], []]);
  const children = [];
  for await (const { id } of store.list({ prefix: "sub-" })) children.push(id);
  expect(children.length).toBe(DEPTH);
  for (const id of children) expect(await findPending(store, id)).toEqual([]);
  expect(await findPending(store, "s")).toEqual([]);
});

test("an answer that is not signed with the host's key counts in no sub-agent", async () => {
  const store = createMemorySessionStore();
  const key = "a key that is long enough for anybody";
  const { options, acted } = world(store);
  const engine = () => new AgentEngine(options({ approvals: { key } }));
  const { pending } = await engine().run("go", { sessionId: "s" });
  const answer = { id: pending[0]!.id, decision: "allow" } as const;

  const unsigned = await engine().resume("s", { answers: [answer] }).result;
  const wrong = await engine().resume("s", { answers: [signAnswer(pending[0]!, answer, `${key}!`)] }).result;
  expect([unsigned.status, wrong.status, acted]).toEqual(["needs-approval", "needs-approval", []]);
  const signed = await engine().resume("s", { answers: [signAnswer(pending[0]!, answer, key)] }).result;

  expect([signed.status, acted]).toEqual(["completed", ["a"]]);
});

test("of several sub-agents of one call the others go on; finished ones are not run again", async () => {
  const store = createMemorySessionStore();
  const ran: string[] = [];
  const child = (name: string): SubagentDefinition => ({ name, description: "d", systemPrompt: name });
  const model = () =>
    scripted(
      [
        (request: ProviderRequest) => {
          const role = request.system[0]?.text ?? "root";
          const last = request.messages.at(-1)!;
          if (last.role === "tool") return text(`${role}: ${last.content.map(({ output }) => output).join()}`);
          ran.push(role);
          if (role === "root") return toolCall("all", {});
          return role === "asks" ? toolCall("act", {}) : text(`${role} is done`);
        },
      ] as never,
      { loop: true },
    );
  const all = tool(
    "all",
    async (_input, { spawn }) => {
      const results = await Promise.all(["one", "asks", "two"].map((name) => spawn!(child(name), "go")));
      return results.map((result) => result.text).join(" | ");
    },
    { permission: "none", timeoutMs: null },
  );
  const options = (): EngineOptions => ({
    provider: model(),
    tools: [all, tool("act", async () => "acted")],
    permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "act" ? "ask" : "allow" }) },
    sessions: store,
  });

  const first = await new AgentEngine(options()).run("go", { sessionId: "s" });
  const { id } = first.pending[0]!;
  const result = await new AgentEngine(options()).resume("s", { answers: [{ id, decision: "allow" }] }).result;

  expect(first.pending.length).toBe(1);
  expect(resultsOf(result)[Object.keys(resultsOf(result))[0]!]!.output).toBe("one is done | asks: acted | two is done");
  expect(ran).toEqual(["root", "one", "asks", "two"]);
});

test("a tool that catches everything cannot lose a sub-agent's question", async () => {
  const { options } = world(createMemorySessionStore());
  const task = tool(
    "task",
    async (_input, { spawn }) => {
      try {
        return (await spawn!(level(DEPTH), "go")).text;
      } catch {
        return "swallowed";
      }
    },
    { permission: "none", timeoutMs: null },
  );
  const act = tool("act", async () => "acted");

  const result = await new AgentEngine(options({ tools: [task, act] })).run("go");

  expect(result).toMatchObject({ status: "needs-approval", pending: [{ tool: "act" }] });
});
