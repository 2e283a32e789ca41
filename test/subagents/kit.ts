// What the tests of sub-agents share: a model that is every agent at once.
import type {
  AgentRun,
  BaseTool,
  EngineOptions,
  ProviderRequest,
  RunResult,
  SubagentDefinition,
} from "../../src/index.js";
import { AgentEngine } from "../../src/index.js";
import { type ScriptedProvider, scripted, type Turn } from "../../src/providers/scripted/index.js";
import { createSubagentTools, defineSubagent, type SubagentToolsOptions } from "../../src/subagents/index.js";
import { tool } from "../engine/kit.js";

/** Answers a request of one agent. `step`: how many messages it has written. */
export type Role = (request: ProviderRequest, step: number) => Turn;

/** A model whose answer depends on the system prompt: the name of a role, or "main". */
export function playing(roles: Readonly<Record<string, Role>>): ScriptedProvider {
  const play = (request: ProviderRequest) => {
    const system = request.system.map((section) => section.text).join("\n");
    const name = Object.keys(roles).find((role) => system === `You are ${role}.`) ?? "main";
    const step = request.messages.filter(({ role }) => role === "assistant").length;
    return roles[name]!(request, step);
  };
  return scripted([play] as never, { loop: true });
}

export function agent(name: string, more: Partial<SubagentDefinition> = {}): SubagentDefinition {
  return defineSubagent({ name, description: `The agent ${name}.`, systemPrompt: `You are ${name}.`, ...more });
}

/** The last tool results that a request shows. */
export function lastOutputs(request: ProviderRequest): string[] {
  const last = request.messages.at(-1);
  return last?.role === "tool" ? last.content.map(({ output }) => String(output)) : [];
}

export function textsOf(request: ProviderRequest): string[] {
  return request.messages.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? part.text : [])));
}

/** A tool whose calls never end; `all` resolves once so many of them have begun. */
export function deafTool(count: number): { readonly deaf: BaseTool; readonly all: Promise<void> } {
  let begun = 0;
  let allBegun = () => {};
  const all = new Promise<void>((resolve) => {
    allBegun = resolve;
  });
  const deaf = tool("deaf", () => {
    if (++begun === count) allBegun();
    return new Promise(() => {});
  });
  return { deaf, all };
}

/** Aborts a run. `isSettled`: it ended by work of our own alone, a few rounds of the event loop without a timer. */
export async function abortByOwnWork(run: AgentRun): Promise<{ isSettled: boolean; result: RunResult }> {
  run.abort("enough");
  let isSettled = false;
  void run.result.then(() => {
    isSettled = true;
  });
  for (let round = 0; round < 20 && !isSettled; round++) await new Promise((resolve) => setImmediate(resolve));
  const settled = isSettled;
  const result = await run.result;
  await run.idle;
  return { isSettled: settled, result };
}

export interface SubagentEngine {
  readonly engine: AgentEngine;
  readonly provider: ScriptedProvider;
}

/** An engine with the sub-agents `agents` that lets every call run. */
export function subagentEngine(
  roles: Readonly<Record<string, Role>>,
  agents: readonly SubagentDefinition[],
  { tools = [], ...more }: Partial<EngineOptions> & SubagentToolsOptions & { tools?: readonly BaseTool[] } = {},
): SubagentEngine {
  const { maxConcurrent, maxDepth, maxPerRun, ...options } = more;
  const provider = playing(roles);
  const engine = new AgentEngine({
    provider,
    permissions: { decide: () => ({ behavior: "allow" }) },
    tools: [...tools, ...createSubagentTools({ subagents: agents, maxConcurrent, maxDepth, maxPerRun })],
    systemPrompt: "You are main.",
    ...options,
  });
  return { engine, provider };
}
