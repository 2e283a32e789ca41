import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import {
  AgentEngine,
  type BaseTool,
  defineTool,
  type PermissionRequest,
  type ProviderAdapter,
  ToolRegistry,
} from "../../../../src/index.js";
import { createPermissionChecker } from "../../../../src/permissions/index.js";
import { withPrograms } from "../../../../src/programs/index.js";
import { anthropic } from "../../../../src/providers/anthropic/index.js";
import { withFallback, withRetry } from "../../../../src/providers/index.js";
import { openai } from "../../../../src/providers/openai/index.js";
import {
  anthropicEvents,
  createFaultServer,
  namedSse,
  responseEvents,
  sse,
} from "../../../../src/testing/fault-server/index.js";

const named = (name: string, callers?: BaseTool["callers"]) =>
  defineTool({
    name,
    description: "Looks.",
    permission: "read_only",
    input: { type: "object" },
    execute: async () => "seen",
    callers,
  });
const TOOLS = [
  named("both", ["model", "program"]),
  named("model", ["model"]),
  named("plain"),
  named("inner", ["program"]),
];

type ToolOptions = Readonly<Record<string, { readonly allowedCallers: readonly string[] }>>;
type Connect = (url: string, theirs: boolean, toolOptions?: ToolOptions) => ProviderAdapter;

const WIRES: Readonly<Record<string, [string, string, Connect]>> = {
  anthropic: [
    namedSse(anthropicEvents({ text: "Done." })),
    "code_execution_20260120",
    (baseURL, theirs, toolOptions = {}) =>
      anthropic({
        toolOptions,
        model: "claude-opus-5",
        apiKey: "k",
        baseURL,
        serverTools: theirs ? [{ type: "code_execution_20260120" }] : [],
      }),
  ],
  openai: [
    sse(responseEvents({ text: "Done." })),
    "programmatic",
    (baseURL, theirs, toolOptions = {}) =>
      openai({
        toolOptions: toolOptions as never,
        model: "gpt-5.6",
        api: "responses",
        apiKey: "k",
        baseURL,
        serverTools: theirs ? [{ type: "programmatic_tool_calling" }] : [],
      }),
  ],
};

async function callersOf(
  vendor: string,
  theirs: boolean,
  tools: ConstructorParameters<typeof AgentEngine>[0]["tools"],
  { toolOptions, ...more }: Partial<ConstructorParameters<typeof AgentEngine>[0]> & { toolOptions?: ToolOptions } = {},
) {
  const [body, , connect] = WIRES[vendor]!;
  const server = await createFaultServer({ body });
  const engine = new AgentEngine({ provider: connect(server.url, theirs, toolOptions), tools, ...more });
  await engine.run("Go.");
  await server.close();
  const sent = (server.requests[0]!.body as { tools: JsonObject[] }).tools;
  return Object.fromEntries(sent.map(({ name, type, allowed_callers }) => [name ?? type, allowed_callers]));
}

test.each(Object.keys(WIRES))(
  "%s: a tool for programs is one for the server's programs, where they are offered",
  async (vendor) => {
    const hosted = WIRES[vendor]![1];

    expect(await callersOf(vendor, true, TOOLS)).toMatchObject({ both: ["direct", hosted] });
    const { model, plain, inner } = await callersOf(vendor, true, TOOLS);
    expect([model, plain, inner]).toEqual([undefined, undefined, [hosted]]);
    expect(await callersOf(vendor, false, TOOLS)).toEqual({ both: undefined, model: undefined, plain: undefined });
  },
);

test.each(Object.keys(WIRES))(
  "%s: where the run has programs of its own, the server's may call nothing",
  async (vendor) => {
    const registry = withPrograms(new ToolRegistry(TOOLS));

    const sent = await callersOf(vendor, true, registry);

    expect(Object.keys(sent)).toContain("run_program");
    expect(Object.keys(sent)).not.toContain("inner");
    expect(Object.values(sent).filter(Boolean)).toEqual([]);
  },
);

test.each(Object.keys(WIRES))(
  "%s: what the host writes of callers goes out, except where it names two ways",
  async (vendor) => {
    const hosted = WIRES[vendor]![1];
    const toolOptions = { both: { allowedCallers: [hosted] }, plain: { allowedCallers: ["direct", hosted] } };
    const registry = withPrograms(new ToolRegistry(TOOLS));

    const alone = await callersOf(vendor, true, TOOLS, { toolOptions });
    const beside = await callersOf(vendor, true, registry, { toolOptions });
    const planned = await callersOf(vendor, true, TOOLS, {
      toolOptions,
      permissions: createPermissionChecker({
        rules: { deny: [vendor === "openai" ? "programmatic_tool_calling" : "code_execution"] },
      }),
    });

    expect(alone).toMatchObject({ both: [hosted], plain: ["direct", hosted], inner: [hosted] });
    expect(beside.plain).toEqual(["direct"]);
    expect(Object.keys(beside)).toContain("run_program");
    for (const sent of [beside, planned]) expect(Object.keys(sent)).not.toContain("both");
    expect(planned.plain).toEqual(["direct"]);
    expect(Object.keys(planned)).not.toContain("inner");
  },
);

/** One answer in which the vendor's program calls `inner`, or the model does. */
function callOfInner(vendor: string, isProgram: boolean): string {
  if (vendor === "anthropic") {
    const caller = isProgram ? { caller: { type: "code_execution_20260120", tool_id: "srvtoolu_1" } } : {};
    const use = { type: "server_tool_use", id: "srvtoolu_1", name: "code_execution", input: {} };
    const blocks = [use, { type: "tool_use", id: "toolu_1", name: "inner", input: {}, ...caller }];
    const usage = { input_tokens: 4, output_tokens: 5 };
    return namedSse([
      {
        type: "message_start",
        message: { id: "m", type: "message", role: "assistant", model: "claude-opus-5", content: [], usage },
      },
      ...blocks.flatMap((content_block, index): JsonObject[] => [
        { type: "content_block_start", index, content_block },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
      { type: "message_stop" },
    ]);
  }
  const caller: JsonObject = isProgram ? { caller: { type: "program", caller_id: "prog_1" } } : {};
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "inner", arguments: "{}", ...caller };
  const response = {
    id: "resp_1",
    model: "gpt-5.6",
    status: "completed",
    output: [item],
    usage: { input_tokens: 4, output_tokens: 5 },
  };
  return sse([
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ]);
}

test.each(Object.keys(WIRES).flatMap((vendor) => [[vendor, true] as const, [vendor, false] as const]))(
  "%s: a tool for programs alone is called by the server's program, through the gate: %j",
  async (vendor, isProgram) => {
    const [done, , connect] = WIRES[vendor]!;
    const server = await createFaultServer([{ body: callOfInner(vendor, isProgram) }, { body: done }]);
    const asked: string[] = [];
    const decide = ({ tool }: PermissionRequest) => {
      asked.push(typeof tool === "string" ? tool : tool.name);
      return { behavior: "allow" } as const;
    };
    const engine = new AgentEngine({ provider: connect(server.url, true), tools: TOOLS, permissions: { decide } });

    const result = await engine.run("Go.");
    await server.close();

    const output = result.messages().flatMap((message) => (message.role === "tool" ? message.content : []));
    expect(result.status).toBe("completed");
    expect(asked.filter((name) => name === "inner")).toHaveLength(isProgram ? 1 : 0);
    expect(output).toMatchObject([
      isProgram
        ? { output: "seen", isError: false }
        : { output: expect.stringMatching(/^There is no tool "inner"/), isError: true },
    ]);
  },
);

test.each(Object.keys(WIRES))(
  "%s: a tool for the model alone is not for the server's programs, whatever they ask",
  async (vendor) => {
    const [done, , connect] = WIRES[vendor]!;
    const server = await createFaultServer([{ body: callOfInner(vendor, true) }, { body: done }]);
    const engine = new AgentEngine({ provider: connect(server.url, true), tools: [named("inner", ["model"])] });

    const result = await engine.run("Go.");
    await server.close();

    expect(JSON.stringify(result.messages())).toContain("There is no tool");
  },
);

test("adapters that wrap others know of programs what all of those know", () => {
  const connect = (vendor: string) => WIRES[vendor]![2]("http://127.0.0.1:1", true);

  expect([connect("anthropic").programs, connect("openai").programs]).toEqual([
    "code_execution",
    "programmatic_tool_calling",
  ]);
  expect(withRetry(connect("anthropic")).programs).toBe("code_execution");
  expect(withFallback([connect("anthropic"), connect("anthropic")]).programs).toBe("code_execution");
  expect(withFallback([connect("anthropic"), connect("openai")]).programs).toBeUndefined();
});
