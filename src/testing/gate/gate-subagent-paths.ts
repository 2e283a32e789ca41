// The ways by which a tool can come to run in a sub-agent: each kind at each depth, and what changes its tools or gate.
import type { PermissionGate } from "../../contracts/permission.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import type { SubagentDefinition, SubagentKind } from "../../contracts/subagent.js";
import type { BaseTool } from "../../contracts/tool.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import { scripted, text, toolCall } from "../../providers/scripted/index.js";
import { call, engineFor, type GatePath, type PathDrive, run } from "./gate-drive.js";

const MAX_DEPTH = 3;

/** By name. */
export const SUBAGENT_PATHS: Readonly<Record<string, GatePath>> = {
  ...atEachDepth("a sub-agent", (depth) => nested("fresh", depth)),
  ...atEachDepth("a fork", (depth) => nested("fork", depth)),
  ...atEachDepth("a sub-agent in the background", background),
  ...atEachDepth("a sub-agent's approval resumed by another engine", resumed),

  async "a sub-agent whose own gate allows everything"(drive) {
    const permissions: PermissionGate = { decide: () => ({ behavior: "allow" }) };
    await run(drive, scripted(downAndUp(drive, 1)), { tools: [drive.tool, delegate({ permissions })] });
  },

  async "a sub-agent with another tool of the same name"(drive) {
    await run(drive, scripted(downAndUp(drive, 1)), { tools: [drive.tool, delegate({}, [{ ...drive.tool }])] });
  },

  async "a run as a sub-agent"(drive) {
    const provider = scripted([call(drive, drive.input), text("Done.")]);
    await run(drive, provider, {}, { subagent: SCOUT });
  },

  async "an extra tool of one run"(drive) {
    const provider = scripted([call(drive, drive.input), text("Done.")]);
    await run(drive, provider, { tools: [] }, { extraTools: [drive.tool] });
  },
};

function atEachDepth(name: string, pathAt: (depth: number) => GatePath): Record<string, GatePath> {
  return { [name]: pathAt(1), [`${name}, two deep`]: pathAt(2), [`${name}, three deep`]: pathAt(MAX_DEPTH) };
}

/** The replies of the models of all depths, in order. */
function downAndUp(drive: PathDrive, depth: number) {
  const down = Array.from({ length: depth }, () => toolCall("delegate"));
  return [...down, call(drive, drive.input), ...Array.from({ length: depth }, () => text("Found.")), text("Done.")];
}

function nested(kind: SubagentKind, depth: number): GatePath {
  return (drive) => run(drive, scripted(downAndUp(drive, depth)), { tools: [drive.tool, delegate({ kind })] });
}

/** The main agent's runs in the background; those below it are its own. */
function background(depth: number): GatePath {
  return async (drive) => {
    const play = ({ system, messages }: ProviderRequest) => {
      const level = system.length === 0 ? 0 : Number(/\d/.exec(system[0]!.text)?.[0] ?? 1);
      const isFirst = !messages.some(({ role }) => role === "assistant");
      if (!isFirst) return text("Found.");
      return level < depth ? toolCall("delegate") : call(drive, drive.input);
    };
    const tools = [drive.tool, delegate({ kind: "background" })];
    await run(drive, scripted([play], { loop: true }), { tools });
  };
}

function resumed(depth: number): GatePath {
  return async (drive) => {
    const sessions = createMemorySessionStore();
    const options = { sessions, tools: [drive.tool, delegate()] };
    const down = Array.from({ length: depth }, () => toolCall("delegate"));
    const first = engineFor(drive, scripted([...down, call(drive, drive.asked)]), { ...options, approver: undefined });
    const { sessionId, pending } = await first.run("Go.");
    await first.close();
    const up = Array.from({ length: depth }, () => text("Found."));
    const second = engineFor(drive, scripted([...up, text("Done.")]), options);
    const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, updatedInput: drive.input }));
    await second.resume(sessionId, { answers }).result;
    await second.close();
  };
}

const SCOUT: SubagentDefinition = { name: "scout", description: "Looks.", systemPrompt: "Look." };

export function delegate(more: Partial<SubagentDefinition> = {}, instead?: readonly BaseTool[]): BaseTool {
  return {
    name: "delegate",
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    spawns: { maxDepth: MAX_DEPTH, find: () => ({ ...SCOUT, ...more }) },
    definition: () => ({ name: "delegate", description: "Delegates.", inputSchema: { type: "object" } }),
    async execute(_input, { agentPath, spawn, background }) {
      const definition = { ...SCOUT, ...more, systemPrompt: `Look, at level ${agentPath.length + 1}.` };
      if (more.kind !== "background") return (await spawn!(definition, "Look.", { tools: instead })).text;
      return (await background!.start(definition, "Look.")).id;
    },
  };
}
