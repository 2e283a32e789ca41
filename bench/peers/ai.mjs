import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";

const toolsWith = (pause) => ({
  noop: tool({
    description: "Does nothing.",
    inputSchema: jsonSchema({ type: "object" }),
    execute: async () => {
      if (pause) await pause();
      return "ok";
    },
  }),
});
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

function model(turns, pause) {
  let turn = 0;
  const answer = () => {
    turn++;
    const isLast = turn > turns;
    const finishReason = isLast ? { unified: "stop", raw: "stop" } : { unified: "tool-calls", raw: "tool_calls" };
    const call = { type: "tool-call", toolCallId: `call_${turn}`, toolName: "noop", input: JSON.stringify({ turn }) };
    return { isLast, call, finishReason };
  };
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: async () => {
      if (pause) await pause();
      const { isLast, call, finishReason } = answer();
      return { content: [isLast ? { type: "text", text: "done" } : call], finishReason, usage, warnings: [] };
    },
    doStream: async () => {
      const { isLast, call, finishReason } = answer();
      const text = [
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "done" },
        { type: "text-end", id: "0" },
      ];
      const parts = [
        { type: "stream-start", warnings: [] },
        ...(isLast ? text : [call]),
        { type: "finish", finishReason, usage },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}

const optionsFor = (turns, tools, pause) => ({
  model: model(turns, pause),
  tools,
  prompt: "go",
  stopWhen: isStepCount(turns + 1),
});

/** Starts one agent after another. `pause` is awaited in each answer of the model and in each call. */
export function agents(turns, pause) {
  const tools = toolsWith(pause);
  return async () => (await generateText(optionsFor(turns, tools, pause))).steps.length;
}

/** A host keeps the messages: the library keeps nothing between two prompts. */
export function conversations(turns) {
  const tools = toolsWith();
  const say = async (messages) => {
    const { prompt, ...options } = optionsFor(turns, tools);
    const sent = [...messages, { role: "user", content: prompt }];
    const { steps, responseMessages } = await generateText({ ...options, messages: sent });
    return [...sent, ...(responseMessages ?? steps.at(-1).response.messages)];
  };
  return {
    start: () => say([]),
    goOn: async (messages) => (await say(messages)).length - 1,
  };
}

export const run = (turns) => agents(turns)();

export async function stream(turns) {
  const result = streamText(optionsFor(turns, toolsWith()));
  for await (const _part of result.stream);
  return (await result.steps).length;
}

/** Agents over HTTP. */
export function httpAgents(url) {
  const model = createOpenAICompatible({ name: "bench", apiKey: "k", baseURL: url })("bench");
  const tools = toolsWith();
  return async () => {
    const result = streamText({ model, tools, prompt: "go", stopWhen: isStepCount(10) });
    let deltas = 0;
    for await (const part of result.stream) if (part.type === "text-delta") deltas++;
    const { length } = await result.steps;
    if (deltas !== 40 * length) throw new Error(`${deltas} deltas in ${length} steps`);
    return length;
  };
}
