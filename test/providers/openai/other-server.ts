// Another implementation of OpenAI's protocols, which says what ours does not.
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll } from "vitest";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { type OpenAIOptions, openai } from "../../../src/providers/openai/index.js";
import { request } from "./streams.js";

export const weather = defineTool({
  name: "weather",
  description: "Weather.",
  permission: "read_only",
  input: { type: "object" },
  execute: async () => "rain",
});

/** Begins with the file's tests and ends with them. It greets, uses `weather`, and refuses. */
export function otherServer(options: Pick<OpenAIOptions, "model" | "api">) {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  beforeAll(async () => {
    mock.onMessage("hello", { content: "Hi there!" });
    mock.on(
      { userMessage: "weather", hasToolResult: false },
      { toolCalls: [{ name: "weather", arguments: { city: "Köln" } }] },
    );
    mock.on({ userMessage: "weather", hasToolResult: true }, { content: "It rains in Köln." });
    mock.onMessage("fail", { error: { message: "Rate limited", type: "rate_limit_error" }, status: 429 });
    await mock.start();
  });
  afterAll(() => mock.stop());
  return {
    provider: () => openai({ apiKey: "mock", baseURL: `${mock.url}/v1`, ...options }),
    ask: (text: string) => request({ messages: [{ role: "user", content: [{ type: "text", text }] }] }, "weather"),
  };
}
