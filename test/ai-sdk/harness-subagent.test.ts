// Another harness as a sub-agent. It is this library's own adapter here: any `HarnessV1` is driven in the same way.
import { expect, test } from "vitest";
import { harnessSubagent, loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine, type Approver, defineTool, type EngineOptions, type PendingRequest } from "../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../src/permissions/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";

interface Settings {
  readonly turns: readonly Turn[];
  readonly approver?: Approver;
  readonly permissions?: PermissionCheckerOptions;
  readonly engine?: Partial<EngineOptions>;
}

function lead({ turns, approver = () => ({ decision: "allow" }), permissions, engine }: Settings) {
  const done: string[] = [];
  const asked: PendingRequest[] = [];
  let entered = () => {};
  const hanging = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const act = defineTool<{ n: number }>({
    name: "act",
    description: "Acts.",
    input: { type: "object", properties: { n: { type: "number" } } },
    permission: "execute",
    execute: ({ n }) => {
      done.push(`act ${n}`);
      return "acted";
    },
  });
  const hang = defineTool({
    name: "hang",
    description: "Hangs.",
    permission: "none",
    timeoutMs: null,
    execute: (_, { signal }) => {
      entered();
      return new Promise<string>((_, reject) =>
        signal.addEventListener("abort", () => {
          done.push("hang was aborted");
          reject(signal.reason);
        }),
      );
    },
  });
  const other = new AgentEngine({ provider: scripted(turns), tools: [act, hang] });
  const provider = scripted([toolCall("other", { prompt: "Do it." }), text("Done.")]);
  const tool = harnessSubagent({
    harness: loopwrightHarness({ engine: other }),
    name: "other",
    description: "Works elsewhere.",
  });
  const made = new AgentEngine({
    provider,
    tools: [tool],
    permissions: createPermissionChecker(permissions),
    approver: (request, options) => {
      asked.push(request);
      return approver(request, options);
    },
    ...engine,
  });
  return { engine: made, provider, done, asked, hanging };
}

test("another harness works on a task, asks the approver for its own tools, and its usage counts", async () => {
  const { engine, provider, done, asked } = lead({ turns: [toolCall("act", { n: 1 }), text("It is done.")] });

  const result = await engine.run("Go.");

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ output: "It is done.", isError: false });
  expect(done).toEqual(["act 1"]);
  expect(asked.map(({ tool, input }) => [tool, input])).toEqual([
    ["other", { prompt: "Do it." }],
    ["other_permission", { title: 'act {"n":1}', tool: "act", input: '{"n":1}' }],
  ]);
  expect(result.usage.inputTokens).toBe(20 + 20);
});

test("a refusal of the approver reaches it", async () => {
  const { engine, provider, done } = lead({
    turns: [
      toolCall("act", { n: 1 }),
      ({ messages }) => text(JSON.stringify(messages.at(-1)?.content).includes("Not now.") ? "Refused." : "?"),
    ],
    approver: ({ tool }) => (tool === "other" ? { decision: "allow" } : { decision: "deny", reason: "Not now." }),
  });

  await engine.run("Go.");

  expect(done).toEqual([]);
  expect(provider.requests[1]?.lastToolResult?.output).toBe("Refused.");
});

test("an abort of the run ends it", async () => {
  const { engine, done, hanging } = lead({ turns: [toolCall("hang")] });
  const run = engine.stream("Go.");
  await hanging;
  run.abort();
  await run.idle;

  expect((await run.result).status).toBe("aborted");
  expect(done).toEqual(["hang was aborted"]);
});

test("one that fails is an error that says why", async () => {
  const { engine, provider } = lead({ turns: [] });

  await engine.run("Go.");

  expect(provider.requests[1]?.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining('The agent "other" failed'),
  });
});

test.each([
  ["in mode plan", { mode: "plan" as const }],
  ["where a path is denied", { rules: { deny: ["Edit(./secrets/**)"] } }],
])("it is not started %s", async (_, permissions) => {
  const { engine, provider, asked } = lead({ turns: [text("x")], permissions });

  await engine.run("Go.");

  expect(asked).toEqual([]);
  expect(provider.requests[1]?.lastToolResult?.isError).toBe(true);
});

/** An adapter that is offered `lookup`, and an engine whose tools are `tools`. */
function leadWithTools(
  turns: readonly Turn[],
  settings: Omit<Partial<EngineOptions>, "tools"> & { readonly rules?: object } = {},
) {
  const looked: string[] = [];
  const { rules, ...engine } = settings;
  const lookup = defineTool<{ q: string }>({
    name: "lookup",
    description: "Looks something up.",
    input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
    permission: "execute",
    execute: ({ q }) => {
      looked.push(q);
      return `${q} is 42`;
    },
  });
  const model = scripted(turns);
  const other = new AgentEngine({ provider: model });
  const tool = harnessSubagent({
    harness: loopwrightHarness({ engine: other }),
    name: "other",
    description: "Works elsewhere.",
    tools: [lookup],
    ownTools: "accepted",
  });
  const provider = scripted([toolCall("other", { prompt: "Do it." }), text("Done.")]);
  const made = new AgentEngine({
    provider,
    tools: [lookup, tool],
    permissions: createPermissionChecker({ rules: { allow: ["other"], ...rules } }),
    ...engine,
  });
  return { engine: made, provider, model, looked };
}

const LOOKS_UP: readonly Turn[] = [
  toolCall("lookup", { q: "x" }),
  ({ messages }) => text(JSON.stringify(messages.at(-1)?.content)),
];

test("its calls of tools that it is offered are calls of the engine's tools, with gate and approver", async () => {
  const asked: PendingRequest[] = [];
  const { engine, provider, looked, model } = leadWithTools(LOOKS_UP, {
    approver: (request) => {
      asked.push(request);
      return { decision: "allow" };
    },
  });

  const result = await engine.run("Go.");

  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("lookup");
  expect(looked).toEqual(["x"]);
  expect(asked).toMatchObject([{ tool: "lookup", input: { q: "x" }, within: { tool: "other" } }]);
  expect(String(provider.requests[1]?.lastToolResult?.output)).toContain("x is 42");
  expect(result.status).toBe("completed");
});

test("a deny rule of the engine refuses its call, and it reads why", async () => {
  const { engine, provider, looked } = leadWithTools(LOOKS_UP, { rules: { deny: ["lookup"] } });

  await engine.run("Go.");

  expect(looked).toEqual([]);
  expect(provider.requests[1]?.lastToolResult).toMatchObject({
    isError: false,
    output: expect.stringContaining("denies the tool"),
  });
});

test("a call of a tool that it was not offered does not reach the engine", async () => {
  const { engine, provider } = leadWithTools([
    toolCall("ask_user", { question: "Which?" }),
    ({ messages }) => text(JSON.stringify(messages.at(-1)?.content)),
  ]);

  await engine.run("Go.");

  expect(String(provider.requests[1]?.lastToolResult?.output)).toContain("ask_user");
});

test("a call of its that waits for an answer elsewhere is made then, and the result says that the agent cannot go on", async () => {
  const sessions = createMemorySessionStore();
  const first = leadWithTools(LOOKS_UP, { sessions });
  const { status, pending } = await first.engine.run("Go.", { sessionId: "s" });
  expect([status, pending]).toMatchObject(["needs-approval", [{ tool: "lookup" }]]);

  const second = leadWithTools(LOOKS_UP, { sessions });
  const provider = scripted([text("Done.")]);
  const answers = [{ id: pending[0]!.id, decision: "allow" as const }];
  await second.engine.resume("s", { answers, provider }).result;

  expect([first.looked, second.looked]).toEqual([[], ["x"]]);
  const { isError, output } = provider.requests[0]!.lastToolResult!;
  expect([isError, output]).toEqual([true, expect.stringContaining("cannot be taken up again")]);
});

test("its own question that is answered elsewhere ends as SUBAGENT_GONE, which says what is missing and what to do", async () => {
  const sessions = createMemorySessionStore();
  const settings: Settings = {
    turns: [toolCall("act", { n: 1 }), text("x")],
    permissions: { rules: { allow: ["other"] } },
  };
  const first = lead({ ...settings, engine: { sessions, approver: undefined } });
  const { pending } = await first.engine.run("Go.", { sessionId: "s" });
  const second = lead({ ...settings, engine: { sessions, approver: undefined } });
  const provider = scripted([text("Done.")]);
  const answers = [{ id: pending[0]!.id, decision: "allow" as const }];
  const result = await second.engine.resume("s", { answers, provider }).result;

  expect(result.status).toBe("completed");
  const { isError, output } = provider.requests[0]!.lastToolResult!;
  expect(isError).toBe(true);
  expect(output).toContain("a session that another process can go on with");
  expect(output).toContain("an approver of this process answers");
});
