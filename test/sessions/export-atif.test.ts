// A session as a trajectory: held against the public description of the format, and as a document.
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { AgentEngine, defineTool } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, exportAtif, exportMarkdown, importSession } from "../../src/sessions/index.js";
import { CLAUDE_CODE, CODEX, OPENCODE, PI } from "./foreign-sessions.js";

const text_ = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const closed = (required: readonly string[], properties: object) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});
const metrics = closed([], {
  prompt_tokens: count,
  completion_tokens: count,
  cached_tokens: count,
  cost_usd: { type: "number" },
});
const call = closed(["tool_call_id", "function_name", "arguments"], {
  tool_call_id: text_,
  function_name: text_,
  arguments: { type: "object" },
});
const observation = closed(["results"], {
  results: { type: "array", items: closed([], { source_call_id: text_, content: text_ }) },
});
const ofAgent = {
  reasoning_content: text_,
  model_name: text_,
  tool_calls: { type: "array", items: call },
  observation,
  metrics,
};
const step = (source: readonly string[], more: object) =>
  closed(["step_id", "source", "message"], {
    step_id: { type: "integer", minimum: 1 },
    timestamp: text_,
    source: { enum: source },
    message: text_,
    ...more,
  });

/** The format's version 1.7 as its public description has it: what only an agent's step may hold is in no other. */
const SCHEMA = closed(["schema_version", "agent", "steps"], {
  schema_version: { const: "ATIF-v1.7" },
  session_id: text_,
  agent: closed(["name", "version"], { name: text_, version: text_, model_name: text_ }),
  steps: { type: "array", minItems: 1, items: { anyOf: [step(["user", "system"], {}), step(["agent"], ofAgent)] } },
  final_metrics: closed([], {
    total_prompt_tokens: count,
    total_completion_tokens: count,
    total_cached_tokens: count,
    total_cost_usd: { type: "number" },
    total_steps: count,
  }),
});
const schema = new Validator(SCHEMA as Schema, "2020-12");

interface Trajectory {
  readonly steps: readonly {
    readonly step_id: number;
    readonly message: string;
    readonly tool_calls?: readonly { readonly tool_call_id: string }[];
    readonly observation?: {
      readonly results: readonly { readonly source_call_id: string; readonly content: string }[];
    };
  }[];
  readonly final_metrics: Readonly<Record<string, number>>;
}

function checked(json: string): Trajectory {
  const trajectory = JSON.parse(json) as Trajectory;
  expect(schema.validate(trajectory).errors).toEqual([]);
  expect(trajectory.steps.map(({ step_id: id }) => id)).toEqual(trajectory.steps.map((_, index) => index + 1));
  for (const { tool_calls: calls = [], observation: seen } of trajectory.steps) {
    const ids = calls.map(({ tool_call_id: id }) => id);
    for (const { source_call_id: id } of seen?.results ?? []) expect(ids).toContain(id);
  }
  return trajectory;
}

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
