// A sub-agent's run: a transcript of its own under its parent's gate, hooks, budgets and abort.
import type { ContentPart } from "../contracts/content.js";
import type { PermissionDecision, PermissionGate } from "../contracts/permission.js";
import type { RunResult } from "../contracts/run.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { Deadlines } from "../time/deadlines.js";
import { ClaimTable } from "./calls/claims.js";
import { readDecision } from "./calls/gate.js";
import type { PendingCall } from "./calls/pending-call.js";
import { contentOf } from "./context/user-input.js";
import { readLimits } from "./options/limits.js";
import { retryingProvider } from "./options/read-options.js";
import { RunState } from "./run/run-state.js";
import { announceEnd, runToEnd } from "./run-loop.js";
import { ToolRegistry } from "./tools/tool-registry.js";
import { Transcript } from "./transcript/transcript.js";

const DEFAULT_CHILD_TURNS = 20;

/** A child gives up its own work before its parent gives up the child, so that the notice names what did not end. */
const CHILD_ABANDON_SHARE = 0.9;

/** Runs a child agent to its end on behalf of a call. It ends when the call does, also when the tool did not wait for it. */
export async function spawnChild(
  parent: RunState,
  call: PendingCall,
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
): Promise<RunResult> {
  const child = childOf(parent, call, definition);
  const stop = () => {
    child.stop(parent.lifetime.ending?.status ?? "aborted", parent.lifetime.ending?.error);
    if (parent.lifetime.isDisposed) child.dispose();
  };
  const unlink = parent.lifetime.onStop(stop);
  let isOver = false;
  const running = runChild(child, prompt).finally(() => {
    isOver = true;
    unlink();
    child.dispose();
  });
  call.onOver(() => {
    if (isOver) return;
    stop();
    if (!parent.lifetime.isDisposed) parent.abandoned.watch(running, `Sub-agent "${definition.name}"`);
  });
  return running;
}

async function runChild(child: RunState, prompt: string | readonly ContentPart[]): Promise<RunResult> {
  try {
    const content = contentOf(prompt);
    const result = await runToEnd(child, { kind: "prompt", prompt: { content, origin: "user" }, history: [] });
    announceEnd(child, result);
    return result;
  } finally {
    await child.abandoned.idle();
  }
}

function childOf(parent: RunState, call: PendingCall, definition: SubagentDefinition): RunState {
  const { config } = parent;
  const { name, systemPrompt, model, tools, maxTurns = DEFAULT_CHILD_TURNS, permissions } = definition;
  const registry = new ToolRegistry();
  const deadlines = new Deadlines();
  for (const tool of parent.registry.list()) if (!tools || tools.includes(tool.name)) registry.register(tool);
  // Budgets and the deadline are the parent's; the meter and `elapsedShare` see them through `parent`.
  const { maxTokens: _tokens, maxCostUsd: _cost, deadlineMs: _deadline, ...limits } = parent.limits;
  return new RunState({
    ...parent.setup,
    config: {
      ...config,
      system: Object.freeze([Object.freeze({ id: "system", text: systemPrompt })]),
      contextSources: [],
      gate: permissions ? stricterOf(config.gate, permissions) : config.gate,
    },
    limits: { ...readLimits({ maxTurns }, limits), abandonMs: limits.abandonMs * CHILD_ABANDON_SHARE },
    runId: config.runtime.newId(),
    transcriptId: config.runtime.newId(),
    agentPath: Object.freeze([...parent.agentPath, name]),
    provider: model ? retryingProvider(model, config, parent.limits, deadlines) : parent.provider,
    registry,
    output: null,
    transcript: new Transcript(),
    claims: new ClaimTable(),
    deadlines,
    parent,
    rootCall: call.context.rootCall,
    spawn: null,
    tokenBudget: undefined,
  });
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** Both gates are asked; the stricter decision counts, and one that throws denies. */
function stricterOf(parent: PermissionGate, child: PermissionGate): PermissionGate {
  return {
    async decide(request): Promise<PermissionDecision> {
      const [first, second] = (await Promise.all([parent.decide(request), child.decide(request)])).map(readDecision);
      const stricter = STRICTNESS[second!.behavior] > STRICTNESS[first!.behavior] ? second! : first!;
      return first!.provisional || second!.provisional ? { ...stricter, provisional: true } : stricter;
    },
    async remember(updates, about) {
      await parent.remember?.(updates, about);
      await child.remember?.(updates, about);
    },
  };
}
