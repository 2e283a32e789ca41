import { ToolError } from "../../src/contracts/errors.js";
import type { JsonValue } from "../../src/contracts/json.js";
import type { BaseTool, ResourceClaim, ToolContext, ToolOutput } from "../../src/contracts/tool.js";
import type { ToolCall } from "../../src/contracts/tool-call.js";
import { claimsOfCall } from "../../src/engine/tools/tool-defaults.js";
import { readWish, type Wish } from "./wish.js";
import type { World } from "./world.js";

type Traits = Pick<BaseTool, "name" | "permission" | "replayable" | "timeoutMs" | "onUnknown" | "maxResultChars"> & {
  readonly undeclared?: true;
};

/** One tool for each combination of traits that the engine treats in its own way. */
const TRAITS: readonly Traits[] = [
  { name: "look", permission: "read_only" },
  { name: "look_all", permission: "read_only", undeclared: true },
  { name: "look_once", permission: "read_only", replayable: false },
  { name: "note", permission: "none" },
  { name: "put", permission: "read_write" },
  { name: "put_all", permission: "read_write", undeclared: true },
  { name: "put_again", permission: "read_write", replayable: true, maxResultChars: 50 },
  { name: "run", permission: "execute", onUnknown: "ask" },
  { name: "run_again", permission: "execute", onUnknown: "retry" },
  { name: "run_long", permission: "execute", timeoutMs: null },
];

export const TOOL_NAMES = TRAITS.map(({ name }) => name);

/** Names of tools of which a call that had started may run again after a crash. */
export const REPEATABLE = new Set(["look", "look_all", "put_again", "run", "run_again"]);

/** Tools that do to the world what their arguments wish, and tell it. */
export function randomTools(world: World): BaseTool<Wish>[] {
  return TRAITS.map((traits) => toolOf(world, traits));
}

/** The tool that a call means. */
export function nameOfCalled({ name, arguments: args }: ToolCall): string {
  const inner: unknown = name === "call_tool" ? Reflect.get(Object(args), "name") : undefined;
  return typeof inner === "string" ? inner : name;
}

function toolOf(world: World, { undeclared, ...traits }: Traits): BaseTool<Wish> {
  const definition = { name: traits.name, description: `Does ${traits.name}.`, inputSchema: { type: "object" } };
  const tool: BaseTool<Wish> = {
    ...traits,
    definition: () => definition,
    parse(args) {
      const wish = readWish(args);
      if (wish.act === "parse-throw") throw new ToolError("TOOL_INPUT_INVALID", { message: "Not like this." });
      return wish.act === "parse-slow" ? world.time.sleep(wish.ms).then(() => wish) : wish;
    },
    async validate({ act, ms }) {
      if (act === "validate-throw") throw "no";
      if (act === "validate-slow") await world.time.sleep(ms);
      if (act === "validate-never") await never(world, tool);
    },
    checkPermission({ act }) {
      if (act === "check-throw") throw new Error("no opinion");
      if (act === "check-deny") return { behavior: "deny" };
      return { behavior: act === "check-ask" ? "ask" : "passthrough" };
    },
    execute: (wish, context) => execute(world, tool, wish, context),
    ...(!undeclared && { claims: declaredClaims }),
  };
  return tool;
}

function declaredClaims({ claim, key }: Wish): readonly ResourceClaim[] {
  switch (claim) {
    case "none":
      return [];
    case "read":
    case "write":
      return [{ mode: claim, key }];
    case "read-all":
      return [{ mode: "read", key: "*" }];
    case "write-all":
      return [{ mode: "write", key: "*" }];
    case "two":
      return [
        { mode: "write", key },
        { mode: "read", key: "c" },
      ];
    case "throw":
      throw new Error("no claims");
    case "nothing":
      return undefined as never;
    case "holes":
      return [{ mode: "read", key }, null] as never;
    case "text":
      return "a" as never;
  }
}

function never(world: World, tool: BaseTool): Promise<never> {
  if (tool.timeoutMs === null) world.endless++;
  return new Promise(() => {});
}

function execute(
  world: World,
  tool: BaseTool<Wish>,
  wish: Wish,
  context: ToolContext,
): Promise<ToolOutput> | AsyncGenerator<JsonValue, ToolOutput> {
  if (["throw", "nothing", "holes", "text"].includes(wish.claim) && tool.claims) {
    world.violation(`${tool.name} was executed although its claims are not known`);
    return Promise.resolve("");
  }
  const replayable = tool.replayable ?? tool.permission === "read_only";
  const { name, permission } = tool;
  const execution = world.enter({
    tool: name,
    permission,
    replayable,
    claims: claimsOfCall(tool, wish),
    wish,
    context,
  });
  if (wish.act === "throw-sync") {
    world.leave(execution);
    throw new Error("at once");
  }
  if (wish.act === "progress") return progress(world, wish, () => world.leave(execution));
  return act(world, tool, wish, context).finally(() => world.leave(execution));
}

async function* progress(world: World, { ms }: Wish, end: () => void): AsyncGenerator<JsonValue, ToolOutput> {
  try {
    for (let done = 0; done < 3; done++) {
      yield { done };
      await world.time.sleep(ms);
    }
    return "all done";
  } finally {
    end();
  }
}

/** A value that cannot be turned into text. */
const bare = (): unknown => Object.create(null);

async function act(world: World, tool: BaseTool, wish: Wish, context: ToolContext): Promise<ToolOutput> {
  switch (wish.act) {
    case "slow":
      await world.time.sleep(wish.ms);
      return `slowly ${wish.ms}`;
    case "huge":
      return { output: "x".repeat(30_000), details: { big: true } };
    case "mutate":
      Object.assign(wish, { act: "changed", more: [1, 2] });
      return "changed its input";
    case "suspend":
      return context.resumed ? "answered" : context.suspend({ kind: "question", reason: "Which?" }, mutable(world));
    case "suspend-caught":
      return suspendDeaf(context);
    case "suspend-twice":
      if ((context.resumed?.state as { step?: number } | undefined)?.step === 2) return "answered twice";
      return context.suspend({ kind: "elicitation", reason: "And?" }, { step: context.resumed ? 2 : 1 });
    case "suspend-hang":
      if (context.resumed) return "answered";
      await suspendDeaf(context);
      return never(world, tool);
    case "never":
      return never(world, tool);
    case "late":
      await world.time.sleep(wish.ms * 10);
      return "late";
    case "cooperative":
      if (tool.timeoutMs === null) world.endless++;
      return new Promise((_, reject) => {
        const { signal } = context;
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      });
    case "throw-null":
      throw null;
    case "throw-undefined":
      throw undefined;
    case "throw-text":
      throw "text";
    case "throw-frozen":
      throw Object.freeze(new Error("frozen"));
    case "throw-bare":
      throw bare();
    case "return-nothing":
      return undefined as never;
    case "return-number":
      return 7 as never;
    case "return-array":
      return [] as never;
    case "return-error":
      return { output: "it failed", isError: true };
    default:
      context.progress({ saw: wish.key });
      return `${wish.key}!`;
  }
}

async function suspendDeaf(context: ToolContext): Promise<string> {
  try {
    return context.resumed ? "answered" : context.suspend({ kind: "approval", reason: "May I?" });
  } catch {
    return "went on all the same";
  }
}

/** State that its tool goes on changing after it has handed it over. */
function mutable(world: World): JsonValue {
  const state: { [key: string]: JsonValue } = { kept: true };
  void world.time.sleep(1).then(() => {
    state.kept = false;
  });
  return state;
}
