import type { JsonValue } from "../../contracts/json.js";

/** The check of a task's result. A task is done only when its criterion holds. */
export type Criterion =
  /** Exit code 0 of a shell command, run through the engine's tool `bash`, its gate and its hooks. */
  | { readonly kind: "command"; readonly command: string }
  /** A file or directory of the workspace is there; of a file, that it contains, or is exactly, this text. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly contains?: string | undefined;
      readonly equals?: string | undefined;
    }
  /** A function that the host gave under this name. */
  | { readonly kind: "predicate"; readonly name: string }
  /** A model answers the question about the result, and has to quote the evidence from it. */
  | { readonly kind: "judge"; readonly question: string };

/** One piece of a plan: done by a tool, by a sub-agent, or, without either, by the engine's own agent. */
export interface PlannedTask {
  /** 1 to 64 letters, digits, `_` and `-`; unique in its plan. */
  readonly id: string;
  readonly title: string;
  /** An agent's instructions; for a tool, the reason for its call. */
  readonly instructions: string;
  /** The call to make. Strings of `input` may hold `{{tasks.ID.output}}`: the output of a task it depends on. */
  readonly tool?: { readonly name: string; readonly input: JsonValue } | undefined;
  /** The name of the sub-agent that does it. */
  readonly subagent?: string | undefined;
  /** Ids of the tasks that have to be done before. */
  readonly dependsOn: readonly string[];
  readonly criterion: Criterion;
  /**
   * Whether doing it twice is as good as doing it once. `false`: it is not tried again once it has begun. Default: it is
   * tried again after a failure; after a crash in the middle of it, its tool's `onUnknown` decides.
   */
  readonly replayable?: boolean | undefined;
}

/** The work for a goal: a graph of tasks. */
export interface Plan {
  readonly goal: string;
  readonly tasks: readonly PlannedTask[];
}

export const TASK_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools and other means of a plan, and its bounds. */
export interface PlanRules {
  readonly goal: string;
  readonly maxTasks: number;
  readonly tools: {
    get(
      name: string,
    ): { readonly name: string; readonly parse?: ((args: JsonValue) => unknown) | undefined } | undefined;
    list(): readonly { readonly name: string }[];
  };
  readonly subagents: readonly string[];
  readonly predicates: readonly string[];
  /** Kinds of criteria that can be checked here. */
  readonly criteria: readonly Criterion["kind"][];
  /** Tasks of earlier plans that are done: they stay as they are. */
  readonly done: ReadonlyMap<string, PlannedTask>;
  /** Tasks that have failed: the same again would only fail again. */
  readonly failed: ReadonlyMap<string, PlannedTask>;
}

const CRITERION_FIELDS = {
  command: { type: "string" },
  path: { type: "string" },
  contains: { type: "string" },
  equals: { type: "string" },
  name: { type: "string" },
  question: { type: "string" },
} as const;

/** The shape of a plan for providers that can be held to one. `readPlan` checks everything. */
export function planSchema(criteria: readonly string[]) {
  return {
    type: "object",
    required: ["tasks"],
    properties: {
      goal: { type: "string" },
      tasks: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "title", "instructions", "dependsOn", "criterion"],
          properties: {
            id: { type: "string" },
            title: { type: "string" },
            instructions: { type: "string" },
            tool: {
              type: "object",
              required: ["name", "input"],
              properties: { name: { type: "string" }, input: { type: "object" } },
            },
            subagent: { type: "string" },
            dependsOn: { type: "array", items: { type: "string" } },
            criterion: {
              type: "object",
              required: ["kind"],
              properties: { kind: { enum: criteria }, ...CRITERION_FIELDS },
            },
            replayable: { type: "boolean" },
          },
        },
      },
    },
  } as const;
}
