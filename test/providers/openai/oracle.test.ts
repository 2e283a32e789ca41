// The vendor's own SDK reads the same streams to the same result.
import { OpenAI } from "openai";
import { expect, test } from "vitest";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { openai } from "../../../src/providers/openai/index.js";
import {
  type ChatAnswer,
  chatChunks,
  createFaultServer,
  responseEvents,
  sse,
} from "../../../src/testing/fault-server/index.js";
import { checkStream } from "../../../src/testing/provider/stream-grammar.js";
import { outcome, request } from "./streams.js";

const ANSWERS: Readonly<Record<string, ChatAnswer>> = {
  text: { text: "Grüße 👩‍👧 世界.\r\n\u2028data: [DONE]", pieceSize: 3 },
  "a call": {
    toolCalls: [{ name: "read", arguments: { path: 'ä "b" \\ 😀 }{', deep: [[{}], null, 1.5e300] } }],
    pieceSize: 4,
  },
  "text and parallel calls": {
    text: "Both.",
    toolCalls: [
      { id: "call_a", name: "read", arguments: { p: 1 } },
      { id: "call_b", name: "read", arguments: {} },
      { id: "call_c", name: "write", arguments: { text: "x".repeat(3_000) } },
    ],
    pieceSize: 100,
  },
  "an answer that was cut off": { text: "Half", finishReason: "length" },
  usage: {
    text: "Counted.",
    usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, input_tokens: 9, output_tokens: 4 },
  },
};

async function readOurs(api: "chat" | "responses", baseURL: string) {
  const provider = openai({ model: "m", api, apiKey: "k", baseURL });
  const { events, error } = await outcome(provider.stream(request({}, "read", "write")));
  expect(error).toBeUndefined();
  return { ...checkStream(events), usage: usageOf(events) };
}

function usageOf(events: readonly ProviderEvent[]) {
  const end = events.at(-1);
  const usage = end?.type === "message-end" ? end.usage : undefined;
  return usage && [usage.inputTokens, usage.outputTokens];
}

for (const [name, answer] of Object.entries(ANSWERS)) {
  test(`chat completions: the official SDK reads ${name} to the same result`, async () => {
    await using server = await createFaultServer({ body: sse(chatChunks(answer)), splitEvery: 97 });
    const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0, logLevel: "off" });

    const ours = await readOurs("chat", server.url);
    const stream = client.chat.completions.stream({ model: "m", messages: [{ role: "user", content: "?" }] });
    let raw = "";
    let finish = "";
    const calls = new Map<number, { id: string; name: string; json: string }>();
    let usage: readonly number[] | undefined;
    for await (const chunk of stream) {
      const choice = chunk.choices[0];
      raw += choice?.delta.content ?? "";
      finish = choice?.finish_reason ?? finish;
      if (chunk.usage) usage = [chunk.usage.prompt_tokens, chunk.usage.completion_tokens];
      for (const call of choice?.delta.tool_calls ?? []) {
        const known = calls.get(call.index) ?? { id: call.id!, name: call.function!.name!, json: "" };
        calls.set(call.index, { ...known, json: known.json + (call.function?.arguments ?? "") });
      }
    }

    expect(ours).toMatchObject({ text: raw, finishReason: finish.replace("_", "-") });
    expect(ours.calls).toEqual(
      [...calls.values()].map(({ id, name, json }) => ({ id, name, arguments: JSON.parse(json) })),
    );
    expect(ours.usage).toEqual(usage);
  });

  test(`responses: the official SDK reads ${name} to the same result`, async () => {
    await using server = await createFaultServer({
      body: sse(responseEvents(answer), { named: true, done: false }),
      splitEvery: 97,
    });
    const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0, logLevel: "off" });

    const ours = await readOurs("responses", server.url);
    const theirs = await client.responses.stream({ model: "m", input: "?" }).finalResponse();

    expect(ours.text).toBe(theirs.output_text);
    expect(ours.calls).toEqual(
      theirs.output.flatMap((item) =>
        item.type === "function_call"
          ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) }]
          : [],
      ),
    );
    expect(ours.usage).toEqual(theirs.usage ? [theirs.usage.input_tokens, theirs.usage.output_tokens] : undefined);
    expect(ours.finishReason === "length").toBe(theirs.status === "incomplete");
  });
}
