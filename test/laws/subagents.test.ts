import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionEntry } from "../../src/contracts/session.js";
import type { SubagentDefinition, SubagentKind } from "../../src/contracts/subagent.js";
import type { BaseTool, ToolContext } from "../../src/contracts/tool.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { validateTranscript } from "../../src/engine/transcript/validate-transcript.js";
import { runs } from "../runs.js";
import { type Interruption, type Played, play, type Scenario, SESSION, scenario } from "./random-run.js";
import { randomTools } from "./random-tools.js";
import { brokenLaws, rebuilt } from "./run-checks.js";
import type { Wish } from "./wish.js";
import { World } from "./world.js";

const numRuns = runs(60, 1_000, 20_000);

/** Tools that hand their work to a sub-agent, and of which kind. */
const SPAWNING: Readonly<Record<string, SubagentKind>> = {
  note: "fresh",
  put: "fresh",
  put_again: "fork",
  put_all: "fork",
  run_again: "background",
  run_long: "background",
};

/** A tree of agents: each has a world of its own, since their call ids may be the same, in one and the same time. */
class Family {
  readonly root = new World();
  readonly #children = new Map<string, World>();
  readonly #tools = new Map<World, BaseTool<Wish>[]>();

  get worlds(): World[] {
    return [this.root, ...this.#children.values()];
  }

  readonly worldOf = ({ runId, agentPath }: Pick<ToolContext, "runId" | "agentPath">): World => {
    if (agentPath.length === 0) return this.root;
    let world = this.#children.get(runId);
    if (!world) {
      const { root } = this;
      const { guards, approved, abandonMs, maxConcurrentTools } = root;
      world = Object.assign(new World(), { guards, approved, maxConcurrentTools, time: root.time });
      world.abandonMs = abandonMs * 0.9; // A child gives up before its parent gives up the child.
      Object.defineProperty(world, "endless", { get: () => root.endless, set: (count) => (root.endless = count) });
      this.#children.set(runId, world);
    }
    return world;
  };

  tools(): BaseTool<Wish>[] {
    return randomTools(this.root).map((tool, index) => ({
      ...tool,
      ...(SPAWNING[tool.name] && { permission: "none" as const, replayable: false }),
      ...(SPAWNING[tool.name] === "background" && { spawns: { maxDepth: 1, find: childOf } }),
      execute: (wish: Wish, context: ToolContext) => {
        const kind = SPAWNING[tool.name];
        if (kind && context.spawn) return spawn(kind, wish, context);
        return this.#toolsOf(this.worldOf(context))[index]!.execute(wish, context);
      },
    }));
  }

  #toolsOf(world: World): BaseTool<Wish>[] {
    const tools = this.#tools.get(world) ?? randomTools(world);
    this.#tools.set(world, tools);
    return tools;
  }
}

function childOf(name: string): SubagentDefinition {
  return { name, description: "Helps.", systemPrompt: "Be random, too." };
}

async function spawn(kind: SubagentKind, { key }: Wish, { spawn, background }: ToolContext): Promise<string> {
  const child: SubagentDefinition = { ...childOf(`child-${key}`), kind };
  if (kind === "background") return `It is ${(await background!.start(child, "Go on.")).status}.`;
  const { status } = await spawn!(child, "Go on.");
  return `It ended as ${status}.`;
}

async function brokenBy(plan: Scenario, interruption: Interruption): Promise<string[]> {
  const family = new Family();
  const store = createMemorySessionStore();
  const played: Played = await play(plan, {
    interruption,
    world: family.root,
    worldOf: family.worldOf,
    store,
    extra: { tools: family.tools() },
  });
  const problems = brokenLaws(played);
  for (const world of family.worlds.slice(1)) problems.push(...world.violations.map((what) => `in a child: ${what}`));
  for await (const { id } of store.list()) {
    if (id === SESSION) continue;
    const entries: SessionEntry[] = [];
    for await (const entry of store.read(id)) entries.push(entry);
    const { messages } = rebuilt(entries);
    const end = entries.at(-1);
    const allowOpen = end?.type === "run-end" && end.status === "needs-approval";
    for (const { message } of validateTranscript(messages, { allowOpen })) problems.push(`in a child: ${message}`);
    if (end?.type !== "run-end") problems.push("in a child: the last entry is not a run-end");
  }
  return problems;
}

test("runs with sub-agents end at once with valid transcripts, pass the gate at every depth, and leave nothing", async () => {
  const by = fc.constantFrom<Interruption["by"]>("listener", "signal", "break", "close");
  await fc.assert(
    fc.asyncProperty(scenario, by, fc.nat({ max: 80 }), async (plan, how, atEvent) => {
      expect(await brokenBy(plan, { atEvent, by: how })).toEqual([]);
    }),
    { numRuns },
  );
});
