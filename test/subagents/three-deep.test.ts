// Hooks, the runaway watch, budgets, the audit and the events reach the third level of sub-agents.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EngineEvent, EngineOptions } from "../../src/index.js";
import { createAuditTrail, queryAudit } from "../../src/observability/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { subagentSessionId } from "../../src/subagents/index.js";
import { issuesOf, tool } from "../engine/kit.js";
import { temporaryDirectory } from "../sessions/kit.js";
import { agent, lastOutputs, type Role, subagentEngine } from "./kit.js";

const PATHS = [[], ["a"], ["a", "b"], ["a", "b", "c"]];
const look = tool("look", async () => "seen", { permission: "read_only" });

/** Each agent hands its work to the next; the last one plays `leaf`. */
function chain(leaf: Role, more: Partial<EngineOptions> = {}) {
  const hands =
    (next: string): Role =>
    (request, step) =>
      step === 0 ? toolCall("task", { prompt: "go on", subagent_type: next }) : text(lastOutputs(request).join());
  const agents = ["a", "b", "c"].map((name) => agent(name));
  const roles = { main: hands("a"), a: hands("b"), b: hands("c"), c: leaf };
  return subagentEngine(roles, agents, { tools: [look], maxDepth: 3, ...more } as never);
}

const looksOnce: Role = (request, step) => (step === 0 ? toolCall("look", {}) : text(lastOutputs(request).join()));

test("a sub-agent's first event says which session it is and for which call of the main agent it works", async () => {
  const { engine } = chain(looksOnce);
  const started: unknown[] = [];
  const runs: string[] = [];
  const parents: (string | undefined)[] = [];
  engine.on("run-start", ({ runId, agentPath, subagent }) => {
    runs.push(runId);
    parents.push(subagent?.parent?.runId);
    started.push([agentPath, subagent]);
  });
  const ids: string[] = [];
  engine.on("tool-call-start", ({ call, agentPath }) => void (agentPath.length === 0 && ids.push(call.id)));

  const { sessionId } = await engine.run("go");

  const known = engine.subagents(sessionId).map(({ id, agentPath }) => [agentPath, { id, toolCallId: ids[0] }]);
  expect(started).toMatchObject([[[], undefined], ...known]);
  expect(parents).toEqual([undefined, ...runs.slice(0, -1)]);
  expect(known[0]).toMatchObject([["a"], { id: subagentSessionId(sessionId, ids[0]!) }]);
});

test("hooks hear of every agent and every call with its path, and may block or send back at any depth", async () => {
  const heard: unknown[] = [];
  let isSentBack = false;
  const { engine } = chain(
    (request, step) => (step === 0 ? toolCall("look", {}) : text(`${step}: ${lastOutputs(request)}`)),
    {
      hooks: {
        SubagentStart: [{ run: ({ agentPath }) => void heard.push(["start", agentPath]) }],
        PreToolUse: [
          {
            run: ({ toolName, agentPath, agentType }) => {
              heard.push([toolName, agentPath, agentType]);
              return toolName === "look"
                ? { permissionDecision: "deny", permissionDecisionReason: "not here" }
                : undefined;
            },
          },
        ],
        SubagentStop: [
          {
            matcher: "c",
            run: ({ agentPath, stopHookActive }) => {
              heard.push(["stop", agentPath, stopHookActive]);
              if (isSentBack) return undefined;
              isSentBack = true;
              return { decision: "block", reason: "Look again." };
            },
          },
        ],
      },
    },
  );

  const result = await engine.run("go");

  expect(heard).toEqual([
    ["task", PATHS[0], undefined],
    ["start", PATHS[1]],
    ["task", PATHS[1], "a"],
    ["start", PATHS[2]],
    ["task", PATHS[2], "b"],
    ["start", PATHS[3]],
    ["look", PATHS[3], "c"],
    ["stop", PATHS[3], false],
    ["stop", PATHS[3], true],
  ]);
  expect([result.status, result.text]).toEqual(["completed", "2: "]);
});

test("one that repeats itself three deep is reminded and then stopped, and those above it go on", async () => {
  const { engine, provider } = chain(() => toolCall("look", {}));

  const result = await engine.run("go", { sessionId: "s" });

  expect([result.status, issuesOf(result)]).toEqual(["completed", []]);
  expect(result.text).toMatch(/Sub-agent "c" did not finish: .*[^.]\. Its last message follows/);
  const statuses = engine.subagents("s").map(({ name, status }) => `${name} ${status}`);
  expect(statuses).toEqual(["a completed", "b completed", "c failed"]);
  const reminded = provider.requests.filter((request) =>
    JSON.stringify(request.messages).includes("You are repeating yourself"),
  );
  expect(reminded.length).toBeGreaterThan(0);
});

test("a budget of the main agent ends the third level and all above it", async () => {
  const { engine } = chain((_request, step) => toolCall("look", { step }), {
    limits: { maxTokens: 150, maxTurns: 100 },
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect([result.status, issuesOf(result)]).toEqual(["budget-exceeded", []]);
  expect(engine.subagents("s").map(({ status }) => status)).toEqual(Array(3).fill("budget-exceeded"));
});

test("usage and cost of the third level are in every agent above it", async () => {
  const { engine } = chain(looksOnce, { prices: (_model, { inputTokens }) => inputTokens / 10 });

  const result = await engine.run("go", { sessionId: "s" });

  const all = [result, ...engine.subagents("s")];
  expect(all.map(({ usage, costUsd }) => [usage.inputTokens, costUsd])).toEqual([
    [80, 8],
    [60, 6],
    [40, 4],
    [20, 2],
  ]);
});

test("the audit has every decision and effect with the path of its agent", async () => {
  const dir = temporaryDirectory();
  const { engine } = chain(looksOnce);
  const audit = await createAuditTrail({ file: join(dir, "trail.jsonl") });
  audit.watch(engine);

  await engine.run("go");
  await audit.close();

  const decisions: unknown[] = [];
  for await (const record of queryAudit(join(dir, "trail.jsonl"), { type: "permission-decision" })) {
    decisions.push([record.tool, record.agentPath]);
  }
  rmSync(dir, { recursive: true, force: true });
  expect(decisions).toEqual([
    ["task", PATHS[0]],
    ["task", PATHS[1]],
    ["task", PATHS[2]],
    ["look", PATHS[3]],
  ]);
});

test("events draw a tree: each agent's run lies within the call that it works for", async () => {
  const { engine } = chain(looksOnce);
  const lines: string[] = [];
  const seqs: number[] = [];
  const shown: Partial<Record<EngineEvent["type"], (event: never) => string>> = {
    "run-start": () => "begins",
    "tool-call-start": ({ call }: { call: { name: string } }) => call.name,
    "tool-call-end": ({ result }: { result: { name: string } }) => `${result.name} has ended`,
    "run-end": ({ status }: { status: string }) => status,
  };

  for await (const event of engine.stream("go")) {
    seqs.push(event.seq);
    const show = shown[event.type];
    if (show) lines.push(`${event.agentPath.join("/")}: ${show(event as never)}`);
  }

  expect(lines).toEqual([
    ": begins",
    ": task",
    "a: begins",
    "a: task",
    "a/b: begins",
    "a/b: task",
    "a/b/c: begins",
    "a/b/c: look",
    "a/b/c: look has ended",
    "a/b/c: completed",
    "a/b: task has ended",
    "a/b: completed",
    "a: task has ended",
    "a: completed",
    ": task has ended",
    ": completed",
  ]);
  expect(seqs).toEqual([...seqs].sort((x, y) => x - y));
});
