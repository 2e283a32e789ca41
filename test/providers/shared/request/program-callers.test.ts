import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import { AgentEngine, type BaseTool, defineTool, type ProviderAdapter, ToolRegistry } from "../../../../src/index.js";
import { withPrograms } from "../../../../src/programs/index.js";
import { anthropic } from "../../../../src/providers/anthropic/index.js";
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
const TOOLS = [named("both", ["model", "program"]), named("model", ["model"]), named("plain")];

const WIRES: Readonly<Record<string, [string, string, (url: string, theirs: boolean) => ProviderAdapter]>> = {
  anthropic: [
    namedSse(anthropicEvents({ text: "Done." })),
    "code_execution_20260120",
    (baseURL, theirs) =>
      anthropic({
        model: "claude-opus-5",
        apiKey: "k",
        baseURL,
        serverTools: theirs ? [{ type: "code_execution_20260120" }] : [],
      }),
  ],
  openai: [
    sse(responseEvents({ text: "Done." })),
    "programmatic",
    (baseURL, theirs) =>
      openai({
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
) {
  const [body, , connect] = WIRES[vendor]!;
  const server = await createFaultServer({ body });
  const engine = new AgentEngine({ provider: connect(server.url, theirs), tools });
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
    const { model, plain } = await callersOf(vendor, true, TOOLS);
    expect([model, plain]).toEqual([undefined, undefined]);
    expect((await callersOf(vendor, false, TOOLS)).both).toBeUndefined();
  },
);

test.each(Object.keys(WIRES))(
  "%s: where the run has programs of its own, the server's may call nothing",
  async (vendor) => {
    const registry = withPrograms(new ToolRegistry(TOOLS));

    const sent = await callersOf(vendor, true, registry);

    expect(Object.keys(sent)).toContain("run_program");
    expect(Object.values(sent).filter(Boolean)).toEqual([]);
  },
);
