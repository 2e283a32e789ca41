// Another harness as a sub-agent. It is this library's own adapter here: any `HarnessV1` is driven in the same way.
import { expect, test } from "vitest";
import { harnessSubagent, loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine, type Approver, defineTool, type EngineOptions, type PendingRequest } from "../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../src/permissions/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";

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
