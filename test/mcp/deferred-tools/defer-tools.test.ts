// Two tools in place of many: what the model is shown, what it finds, and that everything else sees the tool that is run.
import { expect, test } from "vitest";
import {
  AgentEngine,
  type BaseTool,
  defineTool,
  type Message,
  type SessionStore,
  ToolRegistry,
} from "../../../src/index.js";
import { type DeferToolsOptions, deferTools } from "../../../src/mcp/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";
import { deferred, quiet, testEngine, tool } from "../../engine/kit.js";
import { publishedTools } from "./published-tools.js";

const invite: BaseTool = defineTool({
  name: "mcp__calendar__create_event",
  description: "Create an event in the calendar.",
  permission: "execute",
  input: {
    type: "object",
    properties: { title: { type: "string" }, minutes: { type: "number" } },
    required: ["title"],
    additionalProperties: false,
  },
  claims: () => [{ mode: "write", key: "mcp:calendar" }],
  execute: async ({ title }) => `Created ${String(title)}.`,
});

function defer(tools: readonly BaseTool[], options?: DeferToolsOptions) {
  return deferTools(new ToolRegistry(tools), options);
}

const callOf = (name: unknown, args?: unknown) =>
  toolCall("call_tool", { name, ...(args !== undefined && { arguments: args }) } as never);

/** Texts of the reminders that a request has. */
function remindersIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === "user" && message.origin === "reminder"
      ? message.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
}

test("the model finds a tool by what it does, and calls it", async () => {
  const { engine, provider } = testEngine(
    [toolCall("tool_search", { query: "add calendar event" }), callOf(invite.name, { title: "Lunch" }), "Done."],
    { tools: defer([invite]) },
  );

  const { status } = await engine.run("Invite Ada.");

  expect(status).toBe("completed");
  expect(provider.requests[0]!.tools.map(({ name }) => name)).toEqual(["tool_search", "call_tool"]);
  expect(provider.requests[1]!.lastToolResult!.output).toContain(JSON.stringify(invite.definition().inputSchema));
  expect(provider.requests[2]!.lastToolResult).toMatchObject({ name: "call_tool", output: "Created Lunch." });
});

test("732 tools cost a bounded prompt, and kept ones are shown as before", async () => {
  const { engine, provider } = testEngine(["Hello."], {
    tools: defer([...publishedTools(), tool("read_page", async () => "")], { keep: ["read_page", "mcp__slack__*"] }),
  });

  await engine.run("Hi.");

  const [{ tools, messages }] = provider.requests as unknown as [(typeof provider.requests)[0]];
  const slack = publishedTools().filter(({ name }) => name.startsWith("mcp__slack__"));
  expect(tools.map(({ name }) => name)).toEqual([
    ...slack.map(({ name }) => name),
    "read_page",
    "tool_search",
    "call_tool",
  ]);
  const [announced, ...others] = remindersIn(messages);
  expect(others).toEqual([]);
  expect(announced!.length).toBeLessThanOrEqual(2_000);
  expect(announced).toContain("mcp__notion__");
  expect(JSON.stringify(tools.slice(-2)).length + announced!.length).toBeLessThan(3_500);
});

test("hooks, gate, approver, claims and events see the inner tool and its input; transcript and result keep call_tool", async () => {
  const seen: unknown[] = [];
  const { engine } = testEngine([callOf(invite.name, { title: "Lunch" }), "Done."], {
    tools: defer([{ ...invite, claims: (input) => [{ mode: "write", key: `${seen.push(["claims", input])}` }] }]),
    permissions: {
      decide: ({ tool: asked, input }) => {
        seen.push(["gate", typeof asked === "string" ? asked : asked.name, input]);
        return { behavior: "ask" };
      },
    },
    approver: ({ tool: asked, input }) => {
      seen.push(["approver", asked, input]);
      return { decision: "allow" };
    },
    hooks: {
      PreToolUse: [
        {
          matcher: "mcp__calendar__.*",
          run: ({ toolName, toolInput }) => void seen.push(["pre", toolName, toolInput]),
        },
      ],
      PostToolUse: [{ run: ({ toolName, toolInput }) => void seen.push(["post", toolName, toolInput]) }],
    },
  });
  engine.on("permission-decision", ({ tool: asked, input }) => seen.push(["event", asked, input]));

  const result = await engine.run("go");

  const [name, input] = [invite.name, { title: "Lunch" }];
  expect(seen).toEqual([
    ["pre", name, input],
    ["gate", name, input],
    ["event", name, input],
    ["claims", input],
    ["approver", name, input],
    ["event", name, input],
    ["post", name, input],
  ]);
  const calls = result.messages().flatMap(({ content }) => content as readonly { type: string; name?: string }[]);
  expect(calls.flatMap(({ type, name: called }) => (called ? [[type, called]] : []))).toEqual([
    ["tool-call", "call_tool"],
    ["tool-result", "call_tool"],
  ]);
});

test("two calls of one server wait for each other by the inner tool's claims; those of another do not", async () => {
  const order: string[] = [];
  const otherBegan = deferred();
  const slow = (name: string, key: string) =>
    tool(
      name,
      async () => {
        order.push(`${name} begins`);
        if (name === "c") otherBegan.resolve();
        await otherBegan.promise;
        await quiet();
        order.push(`${name} ends`);
        return "";
      },
      { claims: () => [{ mode: "write", key }] },
    );
  const { engine } = testEngine([[callOf("a"), callOf("b"), callOf("c")] as never, "Done."], {
    tools: defer([slow("a", "mcp:x"), slow("b", "mcp:x"), slow("c", "mcp:y")]),
  });

  await engine.run("go");

  expect(order.indexOf("b begins")).toBeGreaterThan(order.indexOf("a ends"));
  expect(order.indexOf("c begins")).toBeLessThan(order.indexOf("a ends"));
});

test.each([
  ["arguments as JSON text", { name: invite.name, arguments: '{"title":"Lunch"}' }, "Created Lunch."],
  ["spaces around the name", { name: ` ${invite.name} `, arguments: { title: "Lunch" } }, "Created Lunch."],
  ["a misspelt name", { name: "mcp__calendar__creat_event", arguments: {} }, `Did you mean "${invite.name}"`],
  ["a name without its server", { name: "create_event", arguments: {} }, `Did you mean "${invite.name}"`],
  ["arguments the tool does not take", { name: invite.name, arguments: { titel: 1 } }, "title"],
  ["no arguments where some are needed", { name: invite.name }, "title"],
  ["arguments beside the name", { name: invite.name, title: "Lunch" }, 'goes inside "arguments"'],
  ["another word for arguments", { name: invite.name, input: { title: "Lunch" } }, 'Did you mean "arguments"'],
  ["no name", { arguments: {} }, "got no name"],
  ["a name that is not a string", { name: 7 }, "got number 7 as a name"],
  ["arguments that are a list", { name: invite.name, arguments: [1] }, "are array of 1 item instead of an object"],
  ["arguments that are not JSON", { name: invite.name, arguments: "title: Lunch" }, "instead of an object"],
  ["itself", { name: "call_tool", arguments: { name: invite.name } }, "does not call itself"],
  ["an object's own members", { name: "__proto__", arguments: {} }, 'There is no tool "__proto__"'],
  ["the search", { name: "tool_search", arguments: { query: "event" } }, invite.name],
])("call_tool with %s", async (_what, args, expected) => {
  const { engine, provider } = testEngine([toolCall("call_tool", args as never), "Done."], { tools: defer([invite]) });

  await engine.run("go");

  expect(String(provider.requests[1]!.lastToolResult!.output)).toContain(expected);
});

test("a search is bounded: whole schemas while there is room, names and descriptions after that", async () => {
  const wide = (index: number) =>
    tool(`mcp__wide__report_${index}`, async () => "", {
      definition: () => ({
        name: `mcp__wide__report_${index}`,
        description: "Makes a report. ".repeat(200),
        inputSchema: {
          type: "object",
          properties: { field: { description: "x".repeat(index === 0 ? 50_000 : 4_000) } },
        },
      }),
    });
  const registry = defer(
    Array.from({ length: 30 }, (_, index) => wide(index)),
    { limit: 20 },
  );
  const search = (query: string) =>
    registry.execute({ id: "1", name: "tool_search", arguments: { query } }, fakeToolContext());

  const { output, details } = await search("report");
  const { output: alone } = await search("mcp__wide__report_0");

  expect(String(output).length).toBeLessThanOrEqual(16_000);
  expect(String(output)).toContain("Without their input schemas");
  expect(Reflect.get(Object(details), "tools")).toHaveLength(20);
  expect(String(alone)).toContain("cut after 14000 of");
  expect(String(alone).length).toBeLessThanOrEqual(16_000);
});

test("a search without a match says so, and how many tools there are", async () => {
  const context = fakeToolContext();
  const query = { query: "zzzz" };

  const some = await defer([invite]).execute({ id: "1", name: "tool_search", arguments: query }, context);
  const none = await defer([]).execute({ id: "1", name: "tool_search", arguments: query }, context);

  expect(some.output).toMatch(/^None of the 1 tools match/);
  expect(none.output).toBe("There are no tools to be found at the moment.");
});

test("the host's own ranking decides, by names or tools; what it does not know is ignored; where it fails, words decide", async () => {
  const tools = publishedTools()
    .filter(({ name }) => name.startsWith("mcp__github__"))
    .slice(0, 20);
  const names = tools.map(({ name }) => name);
  const ranks: NonNullable<DeferToolsOptions["rank"]>[] = [
    () => [names[7]!, "nope", names[3]!, names[7]!],
    async (_query, definitions) => [definitions[7]!, definitions[3]!],
    () => {
      throw new Error("The embedding service is down.");
    },
    (() => "nonsense") as never,
  ];

  const found = [];
  for (const rank of ranks) {
    const call = { id: "1", name: "tool_search", arguments: { query: "create issue on GitHub" } };
    const { details } = await defer(tools, { rank, limit: 2 }).execute(call, fakeToolContext());
    found.push(details as { tools: string[]; rankError?: string });
  }

  expect(found[0]).toEqual({ tools: [names[7], names[3]], total: 20 });
  expect(found[1]).toEqual({ tools: [names[7], names[3]], total: 20 });
  expect(found[2]).toMatchObject({ rankError: "The embedding service is down." });
  expect(found[2]!.tools).toContain("mcp__github__create_issue");
  expect(found[3]!.rankError).toContain("did not return a list");
});

test("tools come and go while the agent runs: the request's beginning stays, and a message names the new ones", async () => {
  const base = new ToolRegistry([invite]);
  const late = publishedTools().find(({ name }) => name === "mcp__github__fork_repository")!;
  const joins = tool("joins", async () => {
    base.register(late);
    return "ok";
  });
  const { engine, provider } = testEngine(
    [
      toolCall("joins"),
      callOf(late.name, { repo: "5" }),
      () => {
        base.unregister(invite.name);
        return callOf(invite.name, { title: "Lunch" });
      },
      "Done.",
    ],
    { tools: deferTools(base.register(joins), { keep: ["joins"] }) },
  );
  const epochs: string[] = [];
  engine.on("epoch", ({ cause }) => epochs.push(cause));

  await engine.run("go");

  expect(epochs).toEqual(["start"]);
  for (const { tools } of provider.requests) expect(tools).toEqual(provider.requests[0]!.tools);
  expect(provider.requests[2]!.lastToolResult!.output).toContain("fork_repository");
  expect(provider.requests[3]!.lastToolResult).toMatchObject({ isError: true });
  const [first, second, third] = remindersIn(provider.requests[3]!.messages);
  expect([first, second, third].map((each) => each!.includes("fork_repository"))).toEqual([false, true, true]);
  expect([first, second, third].map((each) => each!.includes("create_event"))).toEqual([true, true, false]);
});

test("what can be found is said once: not again in another process that goes on with the session", async () => {
  const sessions = createMemorySessionStore();
  for (let process = 0; process < 3; process++) {
    const { engine } = testEngine(["Hello."], { tools: defer([invite]), sessions });
    await engine.run("Hi.", { sessionId: "s" });
  }

  const { engine, provider } = testEngine(["Hello."], { tools: defer([invite]), sessions });
  await engine.run("Hi.", { sessionId: "s" });

  expect(remindersIn(provider.requests[0]!.messages)).toHaveLength(1);
});

test("nothing is said where there is nothing to be found", async () => {
  const { engine, provider } = testEngine(["Hello."], { tools: defer([]) });

  await engine.run("Hi.");

  expect(remindersIn(provider.requests[0]!.messages)).toEqual([]);
});

test("an approval of a deferred tool is asked and answered for that tool, also in another process", async () => {
  const sessions = createMemorySessionStore();
  const options = { tools: defer([invite]), permissions: { decide: () => ({ behavior: "ask" as const }) }, sessions };
  const first = testEngine([callOf(invite.name, { title: "Lunch" })], options);
  const { sessionId, pending } = await first.engine.run("go");
  const second = testEngine(["Done."], { ...options, tools: defer([invite]) });

  const result = await second.engine.resume(sessionId, { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;

  expect(pending[0]).toMatchObject({ tool: invite.name, input: { title: "Lunch" } });
  expect(result.status).toBe("completed");
  expect(second.provider.requests[0]!.lastToolResult!.output).toBe("Created Lunch.");
});

/** A session whose process ended while it ran `call_tool`. */
async function crashed(inner: BaseTool): Promise<SessionStore> {
  const sessions = createMemorySessionStore();
  const records = [
    { type: "run-start" as const },
    { type: "message" as const, message: { role: "user" as const, content: [{ type: "text" as const, text: "Go." }] } },
    {
      type: "message" as const,
      message: {
        role: "assistant" as const,
        content: [
          {
            type: "tool-call" as const,
            id: "call_1",
            name: "call_tool",
            arguments: { name: inner.name, arguments: { title: "Lunch" } },
          },
        ],
        finishReason: "tool-calls" as const,
        provider: "p",
        model: "m",
      },
    },
    { type: "tool-start" as const, toolCallId: "call_1", inputDigest: "0" },
  ];
  const entries = records.map((record, index) => ({
    v: 1 as const,
    id: `e${index}`,
    parent: index === 0 ? null : `e${index - 1}`,
    at: 1,
    runId: "old",
    turn: 1,
    ...record,
  }));
  await sessions.append("crashed", entries);
  return sessions;
}

test.each([
  ["fail", "outcome"],
  ["retry", "Created Lunch."],
] as const)("after a crash the inner tool's onUnknown counts: %s", async (onUnknown, expected) => {
  const inner = { ...invite, onUnknown };
  const { engine, provider } = testEngine(["Done."], { tools: defer([inner]), sessions: await crashed(inner) });

  await engine.resume("crashed").result;

  expect(String(provider.requests[0]!.lastToolResult!.output)).toContain(expected);
});

test("a deferred tool that may have run before a crash is asked about by its own name", async () => {
  const inner: BaseTool = { ...invite, onUnknown: "ask" };
  const { engine } = testEngine([], { tools: defer([inner]), sessions: await crashed(inner) });

  const { status, pending } = await engine.resume("crashed").result;

  expect(status).toBe("needs-approval");
  expect(pending[0]).toMatchObject({ tool: inner.name, input: { title: "Lunch" } });
  expect(pending[0]!.reason).toMatch(/^"mcp__calendar__create_event" had been started/);
});

test("a new prompt has a deferred tool release what it kept for a call that was left open", async () => {
  const ended: unknown[] = [];
  const inner: BaseTool = { ...invite, endCall: async ({ toolCallId }) => void ended.push(toolCallId) };
  const { engine } = testEngine(["Done."], { tools: defer([inner]), sessions: await crashed(inner) });

  await engine.run("Never mind.", { sessionId: "crashed" });

  expect(ended).toEqual(["call_1"]);
});

test("deferred tools remind the model and end their sessions as listed ones do", async () => {
  const ended: unknown[] = [];
  const base = new ToolRegistry([
    tool("a", async () => "", { reminder: ({ turn }) => (turn === 1 ? "Mind the plan." : null) }),
    tool("b", async () => "", {
      reminder: () => {
        throw new Error("b is broken");
      },
    }),
    tool("c", async () => "", { endSession: async (id) => void ended.push(id) }),
  ]);
  const { engine, provider } = testEngine(["Hello."], { tools: deferTools(base) });

  const { sessionId } = await engine.run("Hi.");
  await engine.endSession(sessionId);

  expect(remindersIn(provider.requests[0]!.messages)[0]).toMatch(/\n\nMind the plan\.$/);
  expect(ended).toEqual([sessionId]);
});

test("a registry that hides tools runs them alone, too, and says what is wrong", async () => {
  const registry = defer([invite]);
  const context = fakeToolContext();

  const call = (args: unknown) => registry.execute({ id: "1", name: "call_tool", arguments: args as never }, context);

  expect(await call({ name: invite.name, arguments: { title: "Lunch" } })).toMatchObject({ output: "Created Lunch." });
  expect(await call({ name: "nope" })).toMatchObject({ isError: true, details: { code: "TOOL_UNKNOWN" } });
});

test("the two names are taken, and a registry is deferred only once", () => {
  const registry = defer([]);

  expect(() => registry.register(tool("call_tool", async () => ""))).toThrow(/"call_tool" is taken/);
  expect(() => deferTools(registry)).toThrow(/"tool_search" is taken/);
  expect(() => deferTools([invite] as never)).toThrow(/expected a registry, such as new ToolRegistry\(tools\)/);
});

test("call_tool also calls the tools of one run, which are listed beside it", async () => {
  const hidden = defineTool({ name: "hidden", description: "Hides.", permission: "none", execute: () => "hidden" });
  const extra = defineTool({ name: "extra", description: "More.", permission: "none", execute: () => "more" });
  const provider = scripted([toolCall("call_tool", { name: "extra", arguments: {} }), text("Done.")]);
  const engine = new AgentEngine({ provider, tools: deferTools(new ToolRegistry([hidden])) });

  await engine.run("go", { extraTools: [extra] });

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ output: "more", isError: false });
});
