import fc from "fast-check";
import type { HookMap, HookResult } from "../../src/contracts/hook.js";
import type { PermissionGate } from "../../src/contracts/permission.js";
import type { Approver } from "../../src/engine/calls/permission/approval.js";
import type { Limits } from "../../src/engine/options/limits.js";
import { readWish } from "./wish.js";
import type { World } from "./world.js";

/** What the host of a run does. Numbers at which something happens count the run's events. */
export const HOOK_TIMEOUT_MS = 6;

export interface HostPlan {
  readonly hasGate: boolean;
  readonly hasApprover: boolean;
  readonly hasToolHook: boolean;
  readonly hooks: readonly HookPlan[];
  readonly limits: Limits;
  readonly eagerTools: boolean;
  /** Behind `tool_search` and `call_tool`. */
  readonly defersTools: boolean;
  readonly steerAt: readonly number[];
  readonly followUpAt: readonly number[];
  readonly consumer: "none" | "reads" | "slow" | "stalls";
  readonly storeDelayMs: number;
}

const POINTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreModelCall",
  "PostModelCall",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "StopFailure",
  "Notification",
  "Elicitation",
] as const;
const ANSWERS = ["nothing", "context", "slow", "never", "throw", "nonsense", "block", "end", "output"] as const;

interface HookPlan {
  readonly point: (typeof POINTS)[number];
  readonly answer: (typeof ANSWERS)[number];
}

export const hostPlan: fc.Arbitrary<HostPlan> = fc.record({
  hasGate: fc.boolean().map((without) => !without),
  hasApprover: fc.boolean(),
  hasToolHook: fc.boolean(),
  hooks: fc.oneof(
    fc.constant([]),
    fc.array(
      fc.record({
        point: fc.constantFrom(...POINTS),
        answer: fc.oneof(fc.constantFrom<HookPlan["answer"]>("context", "slow"), fc.constantFrom(...ANSWERS)),
      }),
      { maxLength: 4 },
    ),
  ),
  limits: fc.record({
    maxTurns: fc.constantFrom(6, 1, 2, 3),
    maxConcurrentTools: fc.constantFrom(10, 0, 1, 2),
    toolTimeoutMs: fc.constantFrom(15, 4),
    abandonMs: fc.constantFrom(20, 0, 5),
    maxTokens: fc.constantFrom(undefined, undefined, 30),
    deadlineMs: fc.constantFrom(undefined, undefined, 25),
    maxStopContinuations: fc.constantFrom(2, 0),
    firstTokenTimeoutMs: fc.constant(30),
    idleTimeoutMs: fc.constant(30),
  }),
  eagerTools: fc.boolean().map((not) => !not),
  defersTools: fc.boolean(),
  steerAt: fc.array(fc.nat({ max: 40 }), { maxLength: 2 }),
  followUpAt: fc.array(fc.nat({ max: 40 }), { maxLength: 2 }),
  consumer: fc.constantFrom("none", "reads", "slow", "stalls"),
  storeDelayMs: fc.constantFrom(0, 0, 2),
});

/** Does what each call's arguments wish of it. */
export function randomGate(world: World): PermissionGate {
  return {
    async decide({ tool, input, hook }) {
      const { gate, ms } = readWish(input);
      const own =
        typeof tool === "string" ? undefined : await tool.checkPermission?.(input, { agentPath: [], sessionId: "" });
      if (gate.startsWith("slow")) await world.time.sleep(ms);
      if (gate.endsWith("deny") || own?.behavior === "deny") return { behavior: "deny" };
      if (gate === "never") return endless(world);
      if (gate === "throw") throw undefined;
      if (gate === "nonsense") return { behavior: "yes" } as never;
      if (gate === "update" && own?.behavior !== "ask" && hook?.behavior !== "ask")
        return { behavior: "allow", updatedInput: { ...readWish(input), gate: "allow" } } as never;
      const asks = gate === "ask" || hook?.behavior === "ask" || own?.behavior === "ask";
      return asks ? { behavior: "ask", reason: "Really?" } : { behavior: "allow" };
    },
  };
}

function endless(world: World): Promise<never> {
  world.endless++;
  return new Promise(() => {});
}

export function randomApprover(world: World): Approver {
  return async ({ input, toolCallId, kind }) => {
    const asked = readWish(input);
    const { answer, ms } = asked;
    if (answer.startsWith("slow")) await world.time.sleep(ms);
    if (answer === "never") return endless(world);
    if (answer === "throw") throw Object.create(null);
    if (answer === "nonsense") return { yes: true } as never;
    if (answer === "deny") return { decision: "deny" };
    world.approved.add(toolCallId);
    if (answer === "update-to-deny") return { decision: "allow", updatedInput: { ...asked, gate: "deny" } as never };
    if (answer === "update")
      return { decision: "allow", updatedInput: { ...asked, gate: "allow", act: "answer" } as never };
    return kind === "approval" ? { decision: "allow" } : { value: "this one" };
  };
}

export function randomHooks(world: World, plan: Pick<HostPlan, "hooks" | "hasToolHook">): HookMap {
  const hooks: Record<string, object[]> = {};
  if (plan.hasToolHook) {
    hooks.PreToolUse = [
      { timeoutMs: HOOK_TIMEOUT_MS, run: ({ toolInput }: { toolInput: never }) => beforeTool(world, toolInput) },
    ];
  }
  for (const { point, answer } of plan.hooks) {
    hooks[point] ??= [];
    hooks[point].push({ timeoutMs: HOOK_TIMEOUT_MS, run: () => hookAnswer(world, answer) });
  }
  return hooks as HookMap;
}

async function beforeTool(world: World, input: never): Promise<HookResult | undefined> {
  const asked = readWish(input);
  switch (asked.hook) {
    case "allow":
    case "deny":
    case "ask":
    case "defer":
      return { permissionDecision: asked.hook };
    case "throw":
      throw Object.create(null);
    case "nonsense":
      return 7 as never;
    case "slow":
      await world.time.sleep(asked.ms);
      return undefined;
    case "never":
      return new Promise(() => {});
    case "update":
      return {
        updatedInput: { ...asked, hook: "nothing", act: "answer" } as never,
        additionalContext: "It was changed.",
      };
    case "stop":
      return { continue: false, stopReason: "Enough." };
    default:
      return undefined;
  }
}

async function hookAnswer(world: World, answer: HookPlan["answer"]): Promise<HookResult | undefined> {
  switch (answer) {
    case "context":
      return { additionalContext: "By the way." };
    case "slow":
      await world.time.sleep(3);
      return { systemMessage: "slow" };
    case "never":
      return new Promise(() => {});
    case "throw":
      throw null;
    case "nonsense":
      return { continue: "no" } as never;
    case "block":
      return { decision: "block", reason: "Not yet." };
    case "end":
      return { continue: false };
    case "output":
      return { updatedToolOutput: "something else" };
    default:
      return undefined;
  }
}
