import { modelMessageSchema } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toModelMessages } from "../../../src/http/index.js";
import { AgentEngine, defineTool, type RunResult } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { play, scenario } from "../../laws/random-run.js";
import { runs } from "../../runs.js";

const act = defineTool({
  name: "act",
  description: "Acts.",
  input: { type: "object", properties: { n: { type: "number" } } },
  permission: "execute",
  execute: () => ({
    output: [
      { type: "text", text: "Done." } as const,
      { type: "image", mediaType: "image/png", data: "AA==" } as const,
    ],
  }),
});

test("a session is read as the messages of the AI SDK, results and pictures included", async () => {
  const sessions = createMemorySessionStore();
  const provider = scripted([[{ reasoning: "Hm." }, text("Acting."), toolCall("act", { n: 1 })], text("Ready.")]);
  const engine = new AgentEngine({ provider, tools: [act], sessions, mode: "bypassPermissions" });
  await engine.run(
    [
      { type: "text", text: "Act on this." },
      { type: "file", mediaType: "text/csv", data: "YQ==", name: "a.csv" },
    ],
    { sessionId: "s" },
  );

  expect(await toModelMessages(sessions.read("s"))).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Act on this." },
        { type: "file", data: "YQ==", mediaType: "text/csv", filename: "a.csv" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Acting." },
        { type: "tool-call", toolCallId: "call_1", toolName: "act", input: { n: 1 } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "call_1",
          toolName: "act",
          output: {
            type: "content",
            value: [
              { type: "text", text: "Done." },
              { type: "image-data", data: "AA==", mediaType: "image/png" },
            ],
          },
        },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "Ready." }] },
  ]);
});

test("a call that waits for an approval is followed by the question", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([toolCall("act", { n: 1 })]), tools: [act], sessions });
  const { pending } = (await engine.run("Act.", { sessionId: "s" })) as RunResult;

  const messages = await toModelMessages(sessions.read("s"));

  expect(messages.at(-1)).toEqual({
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "call_1", toolName: "act", input: { n: 1 } },
      { type: "tool-approval-request", approvalId: pending[0]!.id, toolCallId: "call_1" },
    ],
  });
});

test("a session without entries has no messages", async () => {
  expect(await toModelMessages([])).toEqual([]);
});

test("of any session the AI SDK takes every message, each result follows its call, and nothing said is missing", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const { entries, result } = await play(plan);
      const before = JSON.stringify(entries);

      const messages = await toModelMessages(entries);

      for (const message of messages) expect(modelMessageSchema.safeParse(message).error).toBeUndefined();
      const asked: string[] = [];
      for (const { role, content } of messages) {
        if (role === "assistant")
          for (const part of content) if (part.type === "tool-call") asked.push(part.toolCallId);
        if (role === "tool")
          for (const { toolCallId } of content)
            expect(asked.splice(asked.indexOf(toolCallId), 1)).toEqual([toolCallId]);
      }
      if (asked.length > 0) expect(result?.status).toBe("needs-approval");
      const said = (result?.messages() ?? []).flatMap((one) =>
        one.role === "tool" ? [] : one.content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
      );
      const read = messages.flatMap((one) =>
        one.role === "tool" ? [] : one.content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
      );
      expect(read).toEqual(said);
      expect(JSON.stringify(entries)).toBe(before);
    }),
    { numRuns: runs(20, 100, 2_000) },
  );
});
