import { expect, test } from "vitest";
import type { BaseTool, EngineOptions, ProviderRequest } from "../../src/index.js";
import { AgentEngine } from "../../src/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, findPending } from "../../src/sessions/index.js";
import { createSubagentTools } from "../../src/subagents/index.js";
import { deferred, issuesOf, quiet, resultsOf, tool } from "../engine/kit.js";
import { agent, playing, type Role, subagentEngine, textsOf } from "./kit.js";

const START = toolCall("task", { prompt: "dig", subagent_type: "digger", run_in_background: true }, { id: "t" });
const delivered = (request: ProviderRequest) =>
  request.messages.flatMap((message) =>
    message.role === "user" && message.origin === "subagent"
      ? message.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
const idIn = (output: unknown) => /sub-[0-9a-f]{12}/.exec(String(output))![0];

test("an id comes at once, the run waits for the end, and the end comes as a message before another turn", async () => {
  const gate = deferred();
  const dig = tool("dig", () => gate.promise.then(() => "dug"), { permission: "read_only" });
  const { engine, provider } = subagentEngine(
    {
      main: (request, step) => {
        if (step === 0) return START;
        if (delivered(request).length > 0) return text("all done");
        setTimeout(() => gate.resolve(), 20);
        return text("I have started it.");
      },
      digger: (_request, step) => (step === 0 ? toolCall("dig", {}) : text("gold")),
    },
    [agent("digger")],
    { tools: [dig] },
  );

  const result = await engine.run("go", { sessionId: "s" });

  const id = idIn(resultsOf(result).t!.output);
  expect(result).toMatchObject({ status: "completed", text: "all done", turns: 3 });
  expect(delivered(provider.requests.at(-1)!)).toEqual([`[Sub-agent "digger" (${id}) has completed]\n\ngold`]);
  expect(engine.subagents("s")).toMatchObject([{ name: "digger", kind: "background", status: "completed" }]);
  expect(issuesOf(result)).toEqual([]);
});

test("steering reaches a run that waits, and messages reach the sub-agent", async () => {
  const gate = deferred();
  const heard: string[] = [];
  const dig = tool("dig", () => gate.promise.then(() => "dug"), { permission: "read_only" });
  const { engine } = subagentEngine(
    {
      main: (request, step) => {
        if (step === 0) return START;
        const last = textsOf(request).at(-1)!;
        if (last.includes("has completed")) return text("end");
        if (request.messages.at(-1)!.role === "tool") return text("waiting");
        const id = idIn(JSON.stringify(request.messages));
        if (last === "tell it") return toolCall("subagent_message", { id, message: "dig deeper" });
        return text("?");
      },
      digger: (request, step) => {
        if (step === 0) return toolCall("dig", {});
        heard.push(textsOf(request).at(-1)!);
        return text("gold");
      },
    },
    [agent("digger")],
    { tools: [dig] },
  );

  const run = engine.stream("go");
  await quiet();
  expect(run.steer("tell it")).toBe(true);
  for (let n = 0; n < 5; n++) await quiet();
  gate.resolve();
  const result = await run.result;

  expect([result.status, result.text, heard]).toEqual(["completed", "end", ["dig deeper"]]);
});

test("one in the background can be listed, read, waited for and stopped", async () => {
  const { engine } = subagentEngine(
    {
      main: (request, step) => {
        const id = step === 0 ? "" : idIn(JSON.stringify(request.messages));
        switch (step) {
          case 0:
            return START;
          case 1:
            return toolCall("subagent_output", {}, { id: "list" });
          case 2:
            return toolCall("subagent_output", { id, wait_ms: 1 }, { id: "read" });
          case 3:
            return toolCall("subagent_stop", { id }, { id: "stop" });
          case 4:
            return toolCall("subagent_stop", { id: "sub-000000000000" }, { id: "wrong" });
          default:
            return text(delivered(request).join());
        }
      },
      digger: (_request, step) => (step === 0 ? [text("I begin."), toolCall("dig", {})] : text("never")),
    } as Record<string, Role>,
    [agent("digger")],
    { tools: [tool("dig", () => new Promise(() => {}), { permission: "read_only" })], limits: { abandonMs: 100 } },
  );

  const result = await engine.run("go");

  const outputs = resultsOf(result);
  expect(String(outputs.list!.output)).toMatch(/^sub-[0-9a-f]{12} "digger": running$/);
  expect(outputs.read!.output).toBe('Sub-agent "digger" is running.\n\nI begin.');
  expect(outputs.stop!.output).toBe("It was stopped.");
  expect(outputs.wrong).toMatchObject({ isError: true, output: expect.stringContaining("There are: sub-") });
  expect(result.text).toMatch(/ended as aborted\]\n\nI begin\.$/);
});

test("abort ends those in the background, too, and nothing is left when the run is idle", async () => {
  const signals: AbortSignal[] = [];
  const dig = tool("dig", (_input, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  const { engine } = subagentEngine(
    {
      main: (_request, step) => (step === 0 ? START : text("started")),
      digger: () => toolCall("dig", {}),
    },
    [agent("digger")],
    { tools: [dig], limits: { abandonMs: 100 } },
  );

  const run = engine.stream("go", { sessionId: "s" });
  for (let n = 0; n < 5; n++) await quiet();
  run.abort("enough");
  const result = await run.result;
  await run.idle;

  expect([result.status, signals.map(({ aborted }) => aborted)]).toEqual(["aborted", [true]]);
  expect(engine.subagents("s").map(({ status }) => status)).toEqual(["aborted"]);
});

test("tokens of those in the background count, and the budget ends them with the run", async () => {
  const { engine } = subagentEngine(
    {
      main: (_request, step) => (step === 0 ? START : text("started")),
      digger: (_request, step) => toolCall("look", { step }),
    },
    [agent("digger", { maxTurns: 1_000 })],
    { tools: [tool("look", async () => "", { permission: "read_only" })], limits: { maxTokens: 200 } },
  );

  const result = await engine.run("go", { sessionId: "s" });

  expect(["budget-exceeded", "completed"]).toContain(result.status);
  expect(engine.subagents("s")[0]!.status).toBe("budget-exceeded");
  expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThan(260);
});

function restartable(store: EngineOptions["sessions"], more: Partial<EngineOptions> = {}, dig?: BaseTool) {
  const dug: string[] = [];
  const roles: Record<string, Role> = {
    main: (request, step) => {
      if (step === 0) return START;
      return delivered(request).length > 0 ? text(delivered(request).join()) : text("started");
    },
    digger: (_request, step) => (step === 0 ? toolCall("dig", {}) : text("gold")),
  };
  const options: EngineOptions = {
    provider: playing(roles),
    permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "dig" ? "ask" : "allow" }) },
    tools: [
      dig ?? tool("dig", async () => String(dug.push("dug"))),
      ...createSubagentTools({ subagents: [agent("digger")] }),
    ],
    systemPrompt: "You are main.",
    ...(store && { sessions: store }),
    ...more,
  };
  return { engine: new AgentEngine(options), dug };
}

test("a question from the background suspends the run when nothing else is left, and its answer goes there", async () => {
  const store = createMemorySessionStore();

  const first = await restartable(store).engine.run("go", { sessionId: "s" });
  const { engine, dug } = restartable(store);
  const waiting = await findPending(store, "s");
  const result = await engine.resume("s", { answers: [{ id: first.pending[0]!.id, decision: "allow" }] }).result;

  expect(first).toMatchObject({
    status: "needs-approval",
    text: "started",
    pending: [{ tool: "dig", sessionId: "s" }],
  });
  expect(waiting).toEqual(first.pending);
  expect(result.status).toBe("completed");
  expect(result.text).toMatch(/has completed\]\n\ngold$/);
  expect(dug).toEqual(["dug"]);
  expect(await findPending(store, "s")).toEqual([]);
});

test("a new prompt leaves a question from the background pending", async () => {
  const store = createMemorySessionStore();
  const first = await restartable(store).engine.run("go", { sessionId: "s" });

  const second = await restartable(store).engine.run("something else", { sessionId: "s" });

  expect(second).toMatchObject({ status: "needs-approval", text: "started", pending: first.pending });
  expect(issuesOf(second)).toEqual([]);
});

test("what a run leaves in the background goes on in another process when the session is resumed", async () => {
  const store = createMemorySessionStore();
  const hang = tool("dig", () => new Promise(() => {}), { permission: "read_only" });
  const approver = () => ({ decision: "allow" }) as const;
  const before = restartable(store, { approver, limits: { abandonMs: 50 } }, hang);
  const run = before.engine.stream("go", { sessionId: "s" });
  for (let n = 0; n < 6; n++) await quiet();
  run.abort("as if it crashed");
  await run.idle;

  const after = restartable(store, { approver });
  const result = await after.engine.resume("s").result;

  expect(result.status).toBe("completed");
  expect(result.text).toMatch(/has completed\]\n\n/);
  expect(after.engine.subagents("s")).toMatchObject([{ name: "digger", kind: "background", status: "completed" }]);
  expect(issuesOf(result)).toEqual([]);
});

test("one whose definition is gone is reported as lost", async () => {
  const store = createMemorySessionStore();
  await restartable(store).engine.run("go", { sessionId: "s" });
  const engine = new AgentEngine({
    provider: playing({ main: (request) => text(delivered(request).join()) }),
    sessions: store,
    tools: createSubagentTools(),
    systemPrompt: "You are main.",
  });

  const result = await engine.run("and now?", { sessionId: "s" });

  expect(result).toMatchObject({ status: "completed", text: expect.stringMatching(/"digger" .* is lost\]/) });
});

test("the host stops a sub-agent by its id; its parent gets its latest text, and one that has ended is not stopped", async () => {
  const dig = tool(
    "dig",
    (_input, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
    {
      permission: "read_only",
    },
  );
  const { engine, provider } = subagentEngine(
    {
      main: (request, step) => (step === 0 ? START : text(delivered(request).length > 0 ? "told" : "waiting")),
      digger: () => [text("half way"), toolCall("dig", {})],
    },
    [agent("digger")],
    { tools: [dig] },
  );

  const run = engine.stream("go", { sessionId: "s" });
  await expect.poll(() => engine.subagents("s").map(({ status }) => status)).toEqual(["running"]);
  for (let n = 0; n < 5; n++) await quiet();
  const [{ id } = { id: "" }] = engine.subagents("s");
  const stopped = [engine.stopSubagent("s", "sub-nobody"), engine.stopSubagent("t", id), engine.stopSubagent("s", id)];
  const result = await run.result;

  expect(stopped).toEqual([false, false, true]);
  expect([result.status, result.text]).toEqual(["completed", "told"]);
  expect(delivered(provider.requests.at(-1)!)[0]).toMatch(/ended as aborted\]\n\nhalf way$/);
  expect(engine.stopSubagent("s", id)).toBe(false);
});
