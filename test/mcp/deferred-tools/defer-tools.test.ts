import { expect, test } from "vitest";
import { type BaseTool, defineTool, ToolRegistry } from "../../../src/index.js";
import { deferTools } from "../../../src/mcp/index.js";
import { toolCall } from "../../../src/providers/scripted/index.js";
import { testEngine } from "../../engine/kit.js";

const invite: BaseTool = defineTool({
  name: "mcp__calendar__create_event",
  description: "Create an event in the calendar.",
  permission: "execute",
  input: {
    type: "object",
    properties: { title: { type: "string" }, start: { type: "string" } },
    required: ["title"],
    additionalProperties: false,
  },
  execute: async ({ title }) => `Created ${String(title)}.`,
});

test("the model finds a tool by what it does, and calls it", async () => {
  const { engine, provider } = testEngine(
    [
      toolCall("tool_search", { query: "put a meeting into my agenda" }),
      toolCall("call_tool", { name: invite.name, arguments: { title: "Lunch" } }),
      "Done.",
    ],
    { tools: deferTools(new ToolRegistry([invite])) },
  );

  const { status } = await engine.run("Invite Ada.");

  expect(status).toBe("completed");
  expect(provider.requests[0]!.tools.map(({ name }) => name)).toEqual(["tool_search", "call_tool"]);
  expect(provider.requests[1]!.lastToolResult!.output).toContain(JSON.stringify(invite.definition().inputSchema));
  expect(provider.requests[2]!.lastToolResult).toMatchObject({ name: "call_tool", output: "Created Lunch." });
});
