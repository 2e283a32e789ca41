// A sub-agent's run: a transcript of its own under its parent's gate, hooks, budgets and abort. Entered again for the
// same call, it goes on where that transcript ends.
import type { ContentPart } from "../contracts/content.js";
import { ToolError } from "../contracts/errors.js";
import type { RunResult } from "../contracts/run.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { SpawnOptions } from "../contracts/tool.js";
import type { RootCall } from "../contracts/tool-call.js";
import { checkOptions } from "../json/check-options.js";
import { Deadlines } from "../time/deadlines.js";
import { LeaveForSuspension } from "./calls/tool-context.js";
import { retryingProvider } from "./model/with-retry.js";
import { outputSchemaOf } from "./options/output-schema.js";
import { contentOf, readLimits } from "./options/read-options.js";
import { CallChildren, type SpawningCall } from "./run/call-children.js";
import { ClaimTable } from "./run/claims.js";
import type { QueuedMessage } from "./run/inbox.js";
import { RunState } from "./run/run-state.js";
import { announceEnd, runToEnd } from "./run-loop.js";
import { continuedBeginning } from "./session/earlier-subagent.js";
import { type Beginning, forkBeginning, freshBeginning } from "./subagents/beginning.js";
import {
  childRegistry,
  DEFAULT_CHILD_TURNS,
  DEFAULT_MAX_DEPTH,
  forkGate,
  serverToolRights,
  stricterOf,
} from "./subagents/child-rights.js";
import { withUsefulText } from "./subagents/child-text.js";
import { SUBAGENT_TABLE } from "./subagents/subagent-table.js";
import { childTranscriptId } from "./transcript/child-id.js";
import { Transcript } from "./transcript/transcript.js";

/** A child gives up its own work before its parent gives up the child, so that the notice names what did not end. */
export const CHILD_ABANDON_SHARE = 0.9;

/**
 * Runs a child agent to its end on behalf of a call. It ends when the call does, also when the tool did not wait for it.
 *
 * @throws ToolError `SUBAGENT_DEPTH`
 * @throws ConfigurationError `OPTION_INVALID` for a definition that `defineSubagent` would not take
 */
export async function spawnChild(
  parent: RunState,
  call: SpawningCall,
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
  options: SpawnOptions = {},
): Promise<RunResult> {
  // One that was read from a file says more of itself.
  checkOptions("context.spawn()", definition, SUBAGENT_TABLE, { mayHaveOthers: true });
  requireDepth(parent, call, definition);
  call.children ??= new CallChildren();
  const { children } = call;
  const id = childTranscriptId(parent.recordId, call.call.id, children.begin());
  const child = childOf(parent, call.context.rootCall, definition, id, options, call.call.id);
  let result: RunResult | undefined;
  try {
    const first = { content: contentOf(prompt), origin: "user" } as const;
    result = await runChild(parent, call, child, definition, first, () => {
      if (options.continues !== undefined) return continuedBeginning(parent, options.continues);
      return definition.kind === "fork" ? forkBeginning(parent.agent) : freshBeginning(parent);
    });
  } finally {
    children.end(result?.pending ?? [], child.transcript.label);
  }
  if (result.status !== "needs-approval") return result;
  // The calls that the tool makes itself end with it. The others go on; what they ask goes to the host together.
  await children.record?.close();
  await call.unlessOver(children.quiet());
  throw new LeaveForSuspension();
}

/** @throws ToolError `SUBAGENT_DEPTH` when a sub-agent of `parent` would be too deep for the tool of the call */
export function requireDepth(parent: RunState, call: SpawningCall, { name }: SubagentDefinition): void {
  const maxDepth = call.tool?.spawns?.maxDepth ?? DEFAULT_MAX_DEPTH;
  if (parent.agentPath.length < maxDepth) return;
  const where = parent.agentPath.length === 0 ? "the main agent" : `"${parent.agentPath.join(" → ")}"`;
  throw new ToolError("SUBAGENT_DEPTH", {
    message: `The sub-agent "${name}" was not started: ${where} may not have sub-agents of its own (at most ${maxDepth} deep). Do the work yourself.`,
    details: { maxDepth },
  });
}

async function runChild(
  parent: RunState,
  call: SpawningCall,
  child: RunState,
  definition: SubagentDefinition,
  prompt: QueuedMessage,
  beginning: () => Beginning | Promise<Beginning>,
): Promise<RunResult> {
  const stop = () => {
    child.stop(parent.lifetime.ending?.status ?? "aborted", parent.lifetime.ending?.error);
    if (parent.lifetime.isDisposed) child.dispose();
  };
  const unlink = parent.lifetime.onStop(stop);
  const { kind = "fresh", name } = definition;
  const reportEnd = parent.setup.roster().add(child, kind);
  let isOver = false;
  const running = runToEnd(child, { kind: "child", prompt, beginning })
    .then((result) => {
      announceEnd(child, result);
      return result;
    })
    .finally(() => child.abandoned.idle())
    .finally(() => {
      isOver = true;
      unlink();
      child.dispose();
      reportEnd(child.lifetime.ended ?? "failed");
    });
  call.onOver(() => {
    if (isOver) return;
    stop();
    if (!parent.lifetime.isDisposed) parent.abandoned.watch(running, `Sub-agent "${name}"`);
  });
  return withUsefulText(child, await running);
}

/** A run under `parent`. It has no more rights, and no budget of its own. */
export function childOf(
  parent: RunState,
  rootCall: RootCall | undefined,
  definition: SubagentDefinition,
  transcriptId: string,
  { tools: instead }: SpawnOptions = {},
  toolCallId?: string,
): RunState {
  const { config, registry } = parent;
  const { name, systemPrompt, model, maxTurns = DEFAULT_CHILD_TURNS, permissions, output, kind } = definition;
  const depth = parent.agentPath.length + 1;
  const deadlines = new Deadlines();
  const isFork = kind === "fork";
  const narrowed = isFork ? stricterOf(config.gate, forkGate(registry, definition, depth)) : config.gate;
  const system = isFork ? parent.agent.prompt.system : [Object.freeze({ id: "system", text: systemPrompt })];
  // Budgets and the deadline are the parent's; the meter and `elapsedShare` see them through `parent`.
  const { maxTokens: _tokens, maxCostUsd: _cost, deadlineMs: _deadline, ...limits } = parent.limits;
  return new RunState({
    ...parent.setup,
    config: {
      ...config,
      system: Object.freeze(system),
      contextSources: [],
      gate: permissions ? stricterOf(narrowed, permissions) : narrowed,
    },
    limits: { ...readLimits({ maxTurns }, limits), abandonMs: limits.abandonMs * CHILD_ABANDON_SHARE },
    runId: config.runtime.newId(),
    transcriptId,
    agentPath: Object.freeze([...parent.agentPath, name]),
    provider: model ? retryingProvider(model, { config, limits: parent.limits, deadlines }) : parent.provider,
    registry: isFork ? registry : childRegistry(registry, definition, depth, instead),
    mayUseServerTool: serverToolRights(parent.setup.mayUseServerTool, definition, depth),
    output: output === undefined ? null : outputSchemaOf(output as never),
    transcript: new Transcript(),
    claims: () => new ClaimTable(),
    deadlines,
    askedAt: performance.now(),
    given: undefined,
    withGiven: undefined,
    parent,
    rootCall,
    nested: undefined,
    spawnedBy: { runId: parent.id, ...(toolCallId !== undefined && { toolCallId }) },
    tokenBudget: undefined,
  });
}
