// The official SDK reads the recorded streams as the adapter does.
import { GoogleGenAI } from "@google/genai";
import { expect, test } from "vitest";
import { sse } from "../../../src/testing/fault-server/index.js";
import { RECORDINGS } from "../../providers/google/recordings.js";
import { playGoogle } from "../../providers/google/streams.js";
import { callsOf, outcome, request, textOf } from "../../providers/openai/streams.js";

const alike = Object.entries(RECORDINGS).filter(([, { unlikeSdk }]) => unlikeSdk === undefined);

test.each(alike)("%s: the official SDK reads it alike", async (_, { chunks }) => {
  const { provider, server } = await playGoogle({ body: sse(chunks, { done: false, newline: "\r\n" }) });
  const { events, error } = await outcome(provider.stream(request({}, "look")));

  const baseUrl = server.url.replace(/\/v1$/, "");
  const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl } });
  let said = "";
  const calls: unknown[] = [];
  for await (const one of await client.models.generateContentStream({ model: "gemini-3-pro", contents: "?" })) {
    for (const part of one.candidates?.[0]?.content?.parts ?? []) {
      if (!part.thought) said += part.text ?? "";
      if (part.functionCall) calls.push(part.functionCall.args);
    }
  }

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe(said);
  expect(callsOf(events).map((call) => call.arguments)).toEqual(calls);
});
