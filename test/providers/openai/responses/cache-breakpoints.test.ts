import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { openai } from "../../../../src/providers/openai/index.js";
import { createMemorySessionStore } from "../../../../src/sessions/index.js";
import { createFaultServer, responseEvents, sse } from "../../../../src/testing/fault-server/index.js";

const MARK = /,"prompt_cache_breakpoint":\{"mode":"explicit"\}/g;

async function bodiesOf(options: object) {
  const look = { id: "call_1", name: "look", arguments: {} };
  const server = await createFaultServer([
    { body: sse(responseEvents({ toolCalls: [look] })) },
    { body: sse(responseEvents({ text: "Done." })) },
  ]);
  const tool = defineTool({
    name: "look",
    description: "Looks.",
    permission: "read_only",
    input: { type: "object" },
    execute: async () => "seen",
  });
  const provider = openai({ model: "gpt-5.6", api: "responses", apiKey: "k", baseURL: server.url, ...options });
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider, tools: [tool], systemPrompt: "Be brief.", sessions });
  for (const prompt of ["One.", "Two."]) await engine.run(prompt, { sessionId: "s" });
  await server.close();
  return server.requests.map(({ body }) => body as JsonObject & { input: JsonObject[] });
}

const isMarked = (item: JsonObject) => JSON.stringify(item).match(MARK)?.length ?? 0;

test("the system prompt, the end of the request and that of the one before are marked, and a mark changes nothing else", async () => {
  const bodies = await bodiesOf({ cache: "12h" });

  expect(bodies).toHaveLength(3);
  for (const [at, { input, instructions, prompt_cache_options }] of bodies.entries()) {
    expect(instructions).toBeUndefined();
    expect(prompt_cache_options).toEqual({ mode: "explicit", ttl: "12h" });
    expect(input[0]).toMatchObject({ role: "developer", content: [{ type: "input_text", text: "Be brief." }] });
    expect(isMarked(input[0]!)).toBe(1);
    expect(isMarked(input.at(-1)!)).toBe(1);
    expect(input.reduce((sum, item) => sum + isMarked(item), 0)).toBe(at === 0 ? 2 : 3);
  }
  const plain = bodies.map(({ input }) => JSON.stringify(input).replace(MARK, ""));
  for (const [at, text] of plain.slice(1).entries()) expect(text.startsWith(plain[at]!.slice(0, -1))).toBe(true);
  const [, , last] = bodies;
  expect(last!.input.map(isMarked)).toEqual([1, 0, 0, 1, 0, 1]);
});

test("without the option nothing is marked, and no cache options go out", async () => {
  const [first] = await bodiesOf({});

  expect(first).toMatchObject({ instructions: "Be brief." });
  expect(first!.prompt_cache_options).toBeUndefined();
  expect(JSON.stringify(first)).not.toContain("prompt_cache_breakpoint");
});

test("with the server's state the marked system prompt is not said again", async () => {
  const bodies = await bodiesOf({ cache: "30m", state: "server" });

  expect(bodies.map(({ input }) => input.filter(({ role }) => role === "developer").length)).toEqual([1, 0, 0]);
  expect(bodies.at(-1)!.input.map(isMarked)).toEqual([1]);
});

test("a diagnosis names the response before", async () => {
  const bodies = await bodiesOf({ cacheDiagnosis: true });

  const asked = bodies.map(({ prompt_cache_options }) => prompt_cache_options);
  expect(asked).toEqual([undefined, { comparison_response_id: "resp_1" }, { comparison_response_id: "resp_1" }]);
});

test.each(["gpt-5.1", "gpt-5.5-2026-04-23", "gpt-5-mini", "gpt-4.1", "o3", "gpt-5-1-codex"])(
  "%s is known to take no marks: the option is refused by name",
  (model) => {
    expect(() => openai({ model, api: "responses", apiKey: "k", cache: "30m" })).toThrow(/"cache".*gpt-5\.6 or later/);
  },
);

test.each(["gpt-5.6", "gpt-5-6-terra", "gpt-6-sol", "gpt-5.10", "something-new"])("%s may take marks", (model) => {
  expect(openai({ model, api: "responses", apiKey: "k", cache: "30m" }).model).toBe(model);
  expect(() => openai({ model, apiKey: "k", cache: "30m" })).toThrow(/api: "responses"/);
});
