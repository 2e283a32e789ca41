// A tool that is a way to call another one: everything but the transcript sees the other one.
import { expect, test } from "vitest";
import { type BaseTool, type Registry, type ToolCall, ToolError, ToolRegistry } from "../../../src/index.js";
import { toolCall } from "../../../src/providers/scripted/index.js";
import { testEngine, tool } from "../kit.js";

/** A registry whose `call_tool` means the tool it names; only `call_tool` is listed. */
function deferring(hidden: readonly BaseTool[], resolve?: (call: ToolCall) => unknown): Registry {
  const listed = new ToolRegistry([tool("call_tool", async () => "never entered")]);
  const all = new Map(hidden.map((one) => [one.name, one]));
  return {
    register: () => deferring(hidden, resolve),
    unregister: (name) => listed.unregister(name),
    get: (name) => all.get(name) ?? listed.get(name),
    list: () => listed.list(),
    definitions: () => listed.definitions(),
    execute: (call, context) => listed.execute(call, context),
    resolve: (call) => {
      if (call.name !== "call_tool") return call;
      if (resolve) return resolve(call) as ToolCall;
      const { name, input } = call.arguments as { name: string; input: ToolCall["arguments"] };
      return { ...call, name, arguments: input };
    },
  };
}

test("hooks, gate, claims, events and the tool see the inner call; transcript and result keep the outer one", async () => {
  const seen: unknown[] = [];
  const inner = tool(
    "send",
    async (input) => {
      seen.push(["execute", input]);
      return "sent";
    },
    {
      claims: (input) => {
        seen.push(["claims", input]);
        return [];
      },
    },
  );
  const { engine } = testEngine([toolCall("call_tool", { name: "send", input: { to: "ada" } }), "Done."], {
    tools: deferring([inner]),
    permissions: {
      decide: ({ tool, input }) => {
        seen.push(["gate", typeof tool === "string" ? tool : tool.name, input]);
        return { behavior: "ask" };
      },
    },
    approver: ({ tool, input }) => {
      seen.push(["approver", tool, input]);
      return { decision: "allow" };
    },
    hooks: {
      PreToolUse: [{ matcher: "send", run: ({ toolName, toolInput }) => void seen.push(["pre", toolName, toolInput]) }],
    },
  });
  engine.on("permission-decision", ({ tool }) => seen.push(["event", tool]));

  const result = await engine.run("go");

  const to = { to: "ada" };
  expect(seen).toEqual([
    ["pre", "send", to],
    ["gate", "send", to],
    ["event", "send"],
    ["claims", to],
    ["approver", "send", to],
    ["event", "send"],
    ["execute", to],
  ]);
  const [, asked, answered] = result.messages();
  expect(asked!.content).toMatchObject([{ name: "call_tool", arguments: { name: "send" } }]);
  expect(answered!.content).toMatchObject([{ name: "call_tool", output: "sent" }]);
});

test.each([
  ["an unknown inner tool", undefined, { name: "nope", input: {} }, "TOOL_UNKNOWN"],
  [
    "a refusal to resolve",
    () => {
      throw new ToolError("TOOL_INPUT_INVALID", { message: "Name a tool." });
    },
    {},
    "TOOL_INPUT_INVALID",
  ],
  ["something that is not a call", () => 7, {}, "TOOL_FAILED"],
  [
    "something that cannot be looked at",
    () => Object.defineProperty({}, "name", { get: () => JSON.parse("") }),
    {},
    "TOOL_FAILED",
  ],
])("%s is an error result the model can read", async (_what, resolve, args, code) => {
  const { engine } = testEngine([toolCall("call_tool", args), "Done."], { tools: deferring([], resolve) });
  const codes: unknown[] = [];
  engine.on("tool-call-start", ({ call }) => expect(call.name).toBe("call_tool"));
  engine.on("tool-call-end", ({ result }) => codes.push((result.details as { code: string }).code));

  const { status } = await engine.run("go");

  expect([status, codes]).toEqual(["completed", [code]]);
});
