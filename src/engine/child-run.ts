// A sub-agent's run: a transcript of its own under its parent's gate, hooks, budgets and abort.
import type { ContentPart } from "../contracts/content.js";
import type { PermissionDecision, PermissionGate } from "../contracts/permission.js";
import type { RunResult } from "../contracts/run.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { Deadlines } from "../time/deadlines.js";
import { ClaimTable } from "./calls/claims.js";
import { understood } from "./calls/gate.js";
import type { CallRun } from "./calls/pending-call.js";
import { contentOf } from "./context/user-input.js";
import { retryingProvider } from "./options/read-options.js";
import { RunState } from "./run/run-state.js";
import { runToEnd } from "./run-loop.js";
import { beginRun, closeSession, openSession } from "./session/open-session.js";
import { ToolRegistry } from "./tools/tool-registry.js";
import { Transcript } from "./transcript/transcript.js";

const DEFAULT_CHILD_TURNS = 20;

/** A child gives its own up before its parent gives the child up, so that the notice names what did not end. */
const CHILD_ABANDON_SHARE = 0.9;

/** Runs a child agent to its end on behalf of a call. It ends when the call does, also when the tool did not wait for it. */
export async function spawnChild(
  parent: RunState,
  call: CallRun,
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
): Promise<RunResult> {
  const child = childOf(parent, call, definition);
  const stop = () => {
    child.stop(parent.ending?.status ?? "aborted", parent.ending?.error);
    if (parent.isLetGo) child.letGo();
  };
  const unlink = parent.onStop(stop);
  let isOver = false;
  const course = followCourse(child, prompt).finally(() => {
    isOver = true;
    unlink();
    child.letGo();
  });
  call.onOver(() => {
    if (isOver) return;
    stop();
    if (!parent.isLetGo) parent.background.watch(course, `Sub-agent "${definition.name}"`);
  });
  return course;
}

async function followCourse(child: RunState, prompt: string | readonly ContentPart[]): Promise<RunResult> {
  let release: (() => Promise<void>) | undefined;
  try {
    return await runToEnd(child, async () => {
      release = await openSession(child);
      return beginRun(child, { content: contentOf(prompt), origin: "user" }, []);
    });
  } finally {
    await closeSession(child, release);
    await child.background.idle();
  }
}

function childOf(parent: RunState, call: CallRun, definition: SubagentDefinition): RunState {
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
    limits: { ...limits, maxTurns, abandonMs: limits.abandonMs * CHILD_ABANDON_SHARE },
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
  });
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** Both gates are asked; the stricter decision counts, and one that throws denies. */
function stricterOf(parent: PermissionGate, child: PermissionGate): PermissionGate {
  return {
    async decide(request): Promise<PermissionDecision> {
      const [first, second] = (await Promise.all([parent.decide(request), child.decide(request)])).map(understood);
      const stricter = STRICTNESS[second!.behavior] > STRICTNESS[first!.behavior] ? second! : first!;
      return first!.provisional || second!.provisional ? { ...stricter, provisional: true } : stricter;
    },
    async remember(updates, about) {
      await parent.remember?.(updates, about);
      await child.remember?.(updates, about);
    },
  };
}
