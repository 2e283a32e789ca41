// A session as a trajectory: held against the public description of the format, and as a document.
import { expect, test } from "vitest";
import { AgentEngine, defineTool } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, exportAtif, exportMarkdown, importSession } from "../../src/sessions/index.js";
import { checked } from "./atif-schema.js";
import { CLAUDE_CODE, CODEX, OPENCODE, PI } from "./foreign-sessions.js";

async function lived() {
  const sessions = createMemorySessionStore();
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "none",
    execute: async () => "```\nseen\n```",
  });
  const engine = new AgentEngine({ provider: scripted([toolCall("look"), text("Done.")]), tools: [look], sessions });
  const { usage } = await engine.run("Look.", { sessionId: "s" });
  return { sessions, usage };
}

test("a run is a trajectory: a step for each prompt and each reply, with calls, results, tokens and cost", async () => {
  const { sessions, usage } = await lived();
  const agent = { name: "mine", version: "1.2.3" };
  const trajectory = checked(await exportAtif(sessions, "s", { agent, prices: () => 0.5 }));

  expect(trajectory).toMatchObject({ session_id: "s", agent: { ...agent, model_name: "scripted/scripted" } });
  expect(trajectory.steps).toMatchObject([
    { source: "user", message: "Look." },
    {
      source: "agent",
      tool_calls: [{ function_name: "look", arguments: {} }],
      observation: { results: [{ content: "```\nseen\n```" }] },
    },
    { source: "agent", message: "Done." },
  ]);
  expect(trajectory.final_metrics).toMatchObject({
    total_prompt_tokens: usage.inputTokens,
    total_completion_tokens: usage.outputTokens,
    total_cost_usd: 1,
    total_steps: 3,
  });
});

test("a cost that is not known is left out, and an unknown session is an error", async () => {
  const { sessions } = await lived();

  expect(checked(await exportAtif(sessions, "s")).final_metrics).not.toHaveProperty("total_cost_usd");
  await expect(exportAtif(sessions, "t")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(exportMarkdown(sessions, "t")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test.each([CLAUDE_CODE, CODEX, PI, OPENCODE])("a session that was brought in is a trajectory, too", async (file) => {
  const sessions = createMemorySessionStore();
  const id = await importSession(sessions, file);

  expect(checked(await exportAtif(sessions, id)).steps.length).toBeGreaterThan(2);
});

test("a document has prompts, answers and calls, and its fences hold what is in them", async () => {
  const { sessions } = await lived();

  expect(await exportMarkdown(sessions, "s")).toBe(
    "## Prompt\n\nLook.\n\n**look**\n\n```json\n{}\n```\n\n````\n```\nseen\n```\n````\n\nDone.\n",
  );
});

test("work of a vendor's own tool is in both, and a prompt's picture is named", async () => {
  const sessions = createMemorySessionStore();
  const work = { id: "w", name: "web_search", trust: "untrusted" as const };
  const ends = (serverTool: object) => ({
    type: "reasoning-end",
    providerData: {},
    serverTool: { ...work, ...serverTool },
  });
  const turn = {
    events: [
      { type: "message-start" },
      ends({ input: { query: "rain" } }),
      ends({ output: "It rains: https://example.org" }),
      { type: "text-delta", text: "It rains." },
      { type: "message-end", finishReason: "stop" },
    ],
  };
  const engine = new AgentEngine({ provider: scripted([turn as never]), sessions });
  const picture = { type: "image", mediaType: "image/png", data: btoa("x") } as const;
  await engine.run([{ type: "text", text: "Weather?" }, picture], { sessionId: "s" });

  expect(await exportMarkdown(sessions, "s")).toBe(
    `## Prompt\n\nWeather?\n[image/png]\n\n**web_search**\n\n\`\`\`json\n{"query":"rain"}\n\`\`\`\n\n\`\`\`\nIt rains: https://example.org\n\`\`\`\n\nIt rains.\n`,
  );
  expect(checked(await exportAtif(sessions, "s")).steps[1]).toMatchObject({
    tool_calls: [{ tool_call_id: "w", function_name: "web_search", arguments: { query: "rain" } }],
    observation: { results: [{ source_call_id: "w", content: "It rains: https://example.org" }] },
  });
});
