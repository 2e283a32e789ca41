import { expect, test } from "vitest";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { issuesOf, resultsOf, tool } from "../engine/kit.js";
import { agent, subagentEngine, textsOf } from "./kit.js";

test("a fork's request begins with the parent's, byte for byte, and ends with its own prompt", async () => {
  const look = tool("look", async () => "seen", { permission: "read_only" });
  const { engine, provider } = subagentEngine(
    {
      main: (request, step) => {
        if (textsOf(request).includes("fork work")) return text("forked");
        if (step === 0) return [text("First I look."), toolCall("look", { at: 1 }, { id: "l" })];
        return step === 1
          ? [
              toolCall("look", { at: 2 }, { id: "m" }),
              toolCall("task", { prompt: "fork work", subagent_type: "f" }, { id: "t" }),
            ]
          : text("done");
      },
    },
    [agent("f", { kind: "fork" })],
    { tools: [look] },
  );

  const result = await engine.run("go", { sessionId: "s" });

  const [, parent, fork, after] = provider.requests;
  const wire = (request: typeof parent) => JSON.stringify([request!.system, request!.tools, request!.messages]);
  expect(resultsOf(result).t!.output).toBe("forked");
  expect([fork!.system, fork!.tools, fork!.sessionId]).toEqual([parent!.system, parent!.tools, parent!.sessionId]);
  expect(wire(fork).startsWith(wire(parent).slice(0, -2))).toBe(true);
  const shared = parent!.messages.length;
  expect(fork!.messages.slice(shared).map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
  expect(fork!.messages[shared]).toEqual(after!.messages[shared]);
  expect(textsOf(fork!).at(-1)).toBe("fork work");
  expect(issuesOf(result)).toEqual([]);
});

test("a fork sees all tools, and what it may not use is denied when it calls it", async () => {
  const acted: string[] = [];
  const { engine } = subagentEngine(
    {
      main: (request, step) => {
        const isFork = textsOf(request).includes("fork work");
        if (!isFork)
          return step === 0 ? toolCall("task", { prompt: "fork work", subagent_type: "f" }, { id: "t" }) : text("done");
        const last = request.messages.at(-1)!;
        if (last.role === "user") {
          return [toolCall("look"), toolCall("write"), toolCall("task", { prompt: "again", subagent_type: "f" })];
        }
        return text(last.role === "tool" ? last.content.map(({ output }) => output).join("\n") : "");
      },
    },
    [agent("f", { kind: "fork", tools: ["look"] })],
    {
      tools: [
        tool("look", async () => "seen", { permission: "read_only" }),
        tool("write", async () => String(acted.push("write"))),
      ],
    },
  );

  const result = await engine.run("go");

  const output = String(resultsOf(result).t!.output);
  expect(output).toMatch(/^seen\n.*"f", which may not use "write".*\n.*"f", which may not use "task"/);
  expect(acted).toEqual([]);
});

test("a fork of a fork is as deep as any other sub-agent", async () => {
  const { engine } = subagentEngine(
    {
      main: (request) => {
        const prompts = textsOf(request).filter((each) => each.startsWith("level"));
        if (request.messages.at(-1)!.role === "tool") return text("done");
        return toolCall("task", { prompt: `level ${prompts.length + 1}`, subagent_type: "f" });
      },
    },
    [agent("f", { kind: "fork" })],
    { maxDepth: 2 },
  );

  const result = await engine.run("go", { sessionId: "s" });

  expect(result.status).toBe("completed");
  expect(engine.subagents("s").map(({ agentPath, status }) => [agentPath.length, status])).toEqual([
    [1, "completed"],
    [2, "completed"],
  ]);
});
