import { stepCountIs, tool } from "ai";
import { expect, test } from "vitest";
import * as z from "zod";
import { defineTool, type ToolMessage } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { deferred, newDirectory, newHost, partsOf } from "./hosts.js";

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** A tool that asks for permission in the mode of `allow-reads`, and counts its calls. */
function counting(name: string) {
  const calls: unknown[] = [];
  const counted = defineTool({
    name,
    description: "Counts.",
    input: { type: "object", properties: { n: { type: "number" } } },
    permission: "execute",
    execute: (input) => {
      calls.push(input);
      return `${name} ${calls.length}`;
    },
  });
  return { calls, tool: counted };
}

test("an approval is answered by another instance, from the state as JSON", async () => {
  const place = { directory: newDirectory() };
  const { calls, tool: count } = counting("count");
  const agent = { permissionMode: "allow-reads" };
  const first = newHost(place, {
    provider: scripted([toolCall("count", { n: 1 })]),
    engine: { tools: [count] },
    agent,
  });
  const session = await first.host.createSession({ sessionId: "s" });
  const asked = await first.host.generate({ session, prompt: "Count." });
  const request = asked.content.find(({ type }) => type === "tool-approval-request") as { approvalId: string };
  const state = asJson(await session.stop());
  expect(calls).toEqual([]);
  expect(JSON.stringify(state).length).toBeLessThan(1_500);

  const second = newHost(place, { provider: scripted([text("Counted.")]), engine: { tools: [count] }, agent });
  const resumed = await second.host.createSession({ sessionId: "s", resumeFrom: state });
  const answer = { type: "tool-approval-response" as const, approvalId: request.approvalId, approved: true };
  const result = await second.host.continueGenerate({ session: resumed, toolApprovalContinuations: [answer] });

  expect(result.text).toBe("Counted.");
  expect(calls).toEqual([{ n: 1 }]);
});

test("approvals of one step are asked one after the other, in the same process", async () => {
  const { calls, tool: count } = counting("count");
  const provider = scripted([[toolCall("count", { n: 1 }), toolCall("count", { n: 2 })], text("One of two.")]);
  const { host } = newHost(
    { directory: newDirectory() },
    { provider, engine: { tools: [count] }, agent: { permissionMode: "allow-edits" } },
  );
  const session = await host.createSession();

  let result = await host.generate({ session, prompt: "Count twice." });
  for (const approved of [true, false]) {
    const { approvalId } = result.content.find(({ type }) => type === "tool-approval-request") as {
      approvalId: string;
    };
    result = await host.continueGenerate({
      session,
      toolApprovalContinuations: [{ type: "tool-approval-response", approvalId, approved }],
    });
  }

  expect(result.text).toBe("One of two.");
  expect(calls).toEqual([{ n: 1 }]);
});

test("a sub-agent asks for an approval, and then the user, in turns that end at each question", async () => {
  const { tool: count } = counting("count");
  const helper = defineSubagent({ name: "helper", description: "Helps.", systemPrompt: "Count." });
  const task = toolCall("task", { subagent_type: "helper", prompt: "Count.", description: "Count" });
  const ask = toolCall("ask_user", { question: "And now?" });
  const provider = scripted([task, toolCall("count", { n: 1 }), ask, text("Counted."), text("Done.")]);
  const tools = [count, createAskUserTool(), ...createSubagentTools({ subagents: [helper] })];
  const { host } = newHost(
    { directory: newDirectory() },
    { provider, engine: { tools }, agent: { permissionMode: "allow-edits" } },
  );
  const session = await host.createSession();

  const asked = await host.generate({ session, prompt: "Count." });
  const { approvalId } = asked.content.find(({ type }) => type === "tool-approval-request") as { approvalId: string };
  expect(asked.toolResults).toMatchObject([{ toolName: "task", output: "Waiting for an approval." }]);
  const answer = { type: "tool-approval-response", approvalId, approved: true } as const;
  const asking = await host.continueGenerate({ session, toolApprovalContinuations: [answer] });
  const { toolCallId, toolName } = asking.toolCalls.at(-1)!;
  const output = { type: "text", value: "Stop." } as const;
  const said = { type: "tool-result", toolCallId, toolName, output } as const;
  const result = await host.continueGenerate({ session, toolResultContinuations: [said] });

  expect(toolName).toBe("askUserQuestions");
  expect(result.text).toBe("Done.");
});

test("a call for the user to answer waits in the state, and its answer goes on elsewhere", async () => {
  const place = { directory: newDirectory() };
  const pick = tool({ description: "Lets the user pick.", inputSchema: z.object({ from: z.array(z.string()) }) });
  const first = newHost(place, {
    provider: scripted([toolCall("pick", { from: ["a", "b"] })]),
    agent: { tools: { pick } },
  });
  const session = await first.host.createSession({ sessionId: "s" });
  const asked = await first.host.generate({ session, prompt: "Ask." });
  const call = asked.toolCalls[0]!;
  expect(call).toMatchObject({ toolName: "pick", input: { from: ["a", "b"] } });
  const state = asJson(await session.detach());

  const provider = scripted([text("b it is.")]);
  const second = newHost(place, { provider, agent: { tools: { pick } } });
  const resumed = await second.host.createSession({ sessionId: "s", resumeFrom: state });
  const result = await second.host.continueGenerate({
    session: resumed,
    toolResultContinuations: [
      { type: "tool-result", toolCallId: call.toolCallId, toolName: "pick", output: { type: "text", value: "b" } },
    ],
  });

  expect(result.text).toBe("b it is.");
  expect(provider.requests[0]?.messages.at(-1)).toMatchObject({
    role: "tool",
    content: [{ output: "b", isError: false }],
  });
});

test("a turn that is suspended in a command goes on elsewhere, and repeats nothing that was finished", async () => {
  const place = { directory: newDirectory() };
  const { calls, tool: count } = counting("count");
  const entered = deferred<void>();
  const hang = defineTool({
    name: "hang",
    description: "Hangs.",
    permission: "execute",
    execute: (_, { signal }) => {
      entered.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const engine = { tools: [count, hang] };
  const first = newHost(place, { provider: scripted([[toolCall("count", {}), toolCall("hang", {})]]), engine });
  const session = await first.host.createSession({ sessionId: "s" });
  const result = await first.host.stream({ session, prompt: "Work." });
  const parts = partsOf(result);
  await entered.promise;
  const state = asJson(await session.suspendTurn());
  expect((await parts).filter(({ type }) => type === "error")).toEqual([]);

  const provider = scripted([text("Went on.")]);
  const second = newHost(place, { provider, engine });
  const resumed = await second.host.createSession({ sessionId: "s", continueFrom: state });
  const ended = await second.host.continueGenerate({ session: resumed });

  expect(ended.text).toBe("Went on.");
  expect(calls).toHaveLength(1);
  const results = provider.requests[0]?.messages.at(-1) as ToolMessage;
  expect(results.content.map(({ isError }) => isError)).toEqual([false, true]);
});

test("a turn that is suspended in a model call goes on elsewhere", async () => {
  const place = { directory: newDirectory() };
  const first = newHost(place, { provider: scripted([text("A long answer.", { chunkSize: 2, chunkDelayMs: 50 })]) });
  const session = await first.host.createSession({ sessionId: "s" });
  const result = await first.host.stream({ session, prompt: "Talk." });
  for await (const part of result.fullStream) if (part.type === "text-delta") break;
  const state = asJson(await session.suspendTurn());

  const second = newHost(place, { provider: scripted([text("The rest.")]) });
  const resumed = await second.host.createSession({ sessionId: "s", continueFrom: state });
  const ended = await second.host.continueGenerate({ session: resumed });

  expect(ended.text).toBe("The rest.");
});

test("the host's abort ends the turn, and the session takes the next prompt", async () => {
  const provider = scripted([text("Long.", { delayMs: 10_000 }), text("Next.")]);
  const { host } = newHost({ directory: newDirectory() }, { provider });
  const session = await host.createSession();
  const controller = new AbortController();

  const result = await host.stream({ session, prompt: "Talk.", abortSignal: controller.signal });
  const parts = partsOf(result);
  await expect.poll(() => provider.requestCount).toBe(1);
  controller.abort();

  expect((await parts).at(-1)).toMatchObject({ type: "abort" });
  expect((await host.generate({ session, prompt: "Next?" })).text).toBe("Next.");
});

test("what the model asks the user is the common question tool, and its answer reaches the model", async () => {
  const place = { directory: newDirectory() };
  const { createAskUserTool } = await import("../../../src/tools/index.js");
  const provider = scripted([toolCall("ask_user", { question: "Which?", options: ["x", "y"] }), text("y then.")]);
  const { host } = newHost(place, { provider, engine: { tools: [createAskUserTool()] } });
  const session = await host.createSession();

  const asked = await host.generate({ session, prompt: "Go." });
  const call = asked.toolCalls[0]!;
  const result = await host.continueGenerate({
    session,
    toolResultContinuations: [
      {
        type: "tool-result",
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        output: { type: "json", value: { action: "answered", answers: { answer: { optionIds: ["y"] } } } },
      },
    ],
  });

  expect(call).toMatchObject({ toolName: "askUserQuestions", input: { questions: [{ question: "Which?" }] } });
  expect(result.text).toBe("y then.");
  expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ output: "y" }] });
});

test("a turn that the host's stop condition has suspended goes on in the same session", async () => {
  const { calls, tool: count } = counting("count");
  const provider = scripted([toolCall("count", { n: 1 }), toolCall("count", { n: 2 }), text("Counted.")], {
    loop: true,
  });
  const agent = { stopWhen: stepCountIs(1) };
  const { host } = newHost({ directory: newDirectory() }, { provider, engine: { tools: [count] }, agent });
  const session = await host.createSession();

  let result = await host.generate({ session, prompt: "Count." });
  for (let slices = 1; session.hasUnfinishedTurn() && slices < 9; slices++)
    result = await host.continueGenerate({ session });

  expect(session.hasUnfinishedTurn()).toBe(false);
  expect(result.finishReason).toBe("stop");
  expect(calls.length).toBeGreaterThan(0);
});
