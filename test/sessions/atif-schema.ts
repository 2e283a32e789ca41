// The trajectory format of Harbor, as its public description has it.
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";

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

/** The trajectory of a text that holds one, by the format's description. */
export function checked(json: string): Trajectory {
  const trajectory = JSON.parse(json) as Trajectory;
  expect(schema.validate(trajectory).errors).toEqual([]);
  expect(trajectory.steps.map(({ step_id: id }) => id)).toEqual(trajectory.steps.map((_, index) => index + 1));
  for (const { tool_calls: calls = [], observation: seen } of trajectory.steps) {
    const ids = calls.map(({ tool_call_id: id }) => id);
    for (const { source_call_id: id } of seen?.results ?? []) expect(ids).toContain(id);
  }
  return trajectory;
}
