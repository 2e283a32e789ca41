// The events of a run, live or made from a stored session's entries, as changes of what a client sees: per agent, the turn that is open, the
// part that is being written and the calls whose arguments are arriving. Whatever begins is ended, in that order.
import type { PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { isOfRoot, type RunSource } from "../run-source.js";

/** A text or a thought of an agent; `number` counts its parts from 1. */
export interface ShownPart {
  readonly type: "text" | "reasoning";
  readonly number: number;
}

/** One agent of a run, main or sub-agent. */
export interface ShownAgent extends Pick<EngineEvent, "runId" | "agentPath"> {
  readonly isRoot: boolean;
}

const ROOT = { agentPath: [], isRoot: true };

interface OpenAgent extends ShownAgent {
  turn: number | null;
  part: ShownPart | null;
  lastPart: number;
  /** The parts of the model call under way. */
  parts: ShownPart[];
  /** Whether that call has not ended: its parts are void if the run fails. */
  isCalling: boolean;
  /** Calls whose arguments are still arriving, by id, with the name of the tool. */
  readonly inputs: Map<string, string>;
}

/** One change of what a client sees. `run` is the first, `agent` the first of each agent; the main agent's `run-end` is left to `close`. */
export type ViewChange =
  | { readonly type: "run"; readonly runId: string; readonly sessionId: string }
  | { readonly type: "agent" }
  | { readonly type: "step-start"; readonly turn: number }
  | { readonly type: "step-end"; readonly turn: number }
  | { readonly type: "part-start"; readonly part: ShownPart }
  | { readonly type: "part-delta"; readonly part: ShownPart; readonly delta: string }
  | { readonly type: "part-end"; readonly part: ShownPart }
  | { readonly type: "input-start"; readonly toolCallId: string; readonly tool: string }
  | { readonly type: "input-delta"; readonly toolCallId: string; readonly json: string }
  /** The arguments of a call never came to an end. */
  | { readonly type: "input-cut"; readonly toolCallId: string; readonly tool: string }
  /** `isStreamed`: its arguments were shown as they came. `within`: the id of the call whose tool makes it. */
  | {
      readonly type: "call";
      readonly call: ToolCall;
      readonly isStreamed: boolean;
      readonly within?: string | undefined;
    }
  /** A model call begins again, or has failed for good: `parts` are void, and `ends` are the changes that end what it had open. */
  | { readonly type: "restart"; readonly parts: readonly ShownPart[]; readonly ends: readonly ViewChange[] }
  | Exclude<EngineEvent, { readonly type: FoldedEvent }>;

type FoldedEvent = `turn-${string}` | `${string}-delta` | "model-call-end" | "model-restart" | "tool-call-start";

/** A protocol's output for each change; none for a change without a row. */
export type ViewRows<T> = {
  readonly [K in ViewChange["type"]]?: (change: Extract<ViewChange, { readonly type: K }>, agent: ShownAgent) => T[];
};

export function rowOf<T>(rows: ViewRows<T>, change: ViewChange, agent: ShownAgent): T[] {
  return rows[change.type]?.(change as never, agent) ?? [];
}

export class RunFold<T> {
  /** The questions without an answer, by id. */
  readonly asked = new Map<string, PendingRequest>();
  /** The newest count of the main agent's run. */
  usage: EventOf<"usage"> | null = null;
  /** Whether the main agent has begun a turn. */
  hasTurns = false;
  readonly #agents = new Map<string, OpenAgent>();

  /** `look`: what the protocol makes of a change. `isKnown`: whether the client has a call already. */
  constructor(
    private readonly look: (change: ViewChange, agent: ShownAgent) => T[],
    private readonly isKnown: (agent: ShownAgent, toolCallId: string, within?: string) => boolean,
  ) {}

  add(event: EngineEvent): T[] {
    const { runId, sessionId } = event;
    const run = this.#agents.size > 0 ? [] : this.look({ type: "run", runId, sessionId }, { ...ROOT, runId });
    const known = this.#agents.get(runId);
    const agent = known ?? this.#newAgent(event);
    const changes = this.#changes(agent, event);
    return [...run, ...this.show(agent, known ? changes : [{ type: "agent" }, ...changes])];
  }

  /** Ends what is open. */
  close(): T[] {
    return [...this.#agents.values()].flatMap((agent) => this.show(agent, endStep(agent)));
  }

  /** The questions that a suspended run leaves: those of its result, or those its events reported. */
  async unanswered({ result }: RunSource): Promise<readonly PendingRequest[]> {
    const reported = [...this.asked.values()];
    return Promise.resolve(result).then(
      (ended) => ended?.pending ?? reported,
      () => reported,
    );
  }

  show(agent: ShownAgent, changes: readonly ViewChange[]): T[] {
    return changes.flatMap((change) => this.look(change, agent));
  }

  #newAgent(event: EngineEvent): OpenAgent {
    const { runId, agentPath } = event;
    const isRoot = isOfRoot(event);
    const nothing = { turn: null, part: null, lastPart: 0, isCalling: false, inputs: new Map() } as const;
    const agent: OpenAgent = { runId, agentPath, isRoot, ...nothing, parts: [] };
    this.#agents.set(runId, agent);
    return agent;
  }

  #changes(agent: OpenAgent, event: EngineEvent): ViewChange[] {
    switch (event.type) {
      case "model-call-start":
        agent.isCalling = true;
        return [event];
      case "turn-start":
        this.hasTurns ||= agent.isRoot;
        return [...endStep(agent), beginStep(agent, event.turn)];
      case "turn-end":
        return endStep(agent);
      case "text-delta":
        return write(agent, "text", event.text);
      case "reasoning-delta":
        return write(agent, "reasoning", event.text);
      case "model-call-end":
        agent.isCalling = false;
        return endPart(agent);
      case "model-restart":
        return [restart(agent)];
      case "tool-input-delta":
        return this.isKnown(agent, event.toolCallId) ? [] : [...endPart(agent), ...writeInput(agent, event)];
      case "tool-call-start": {
        const { call, within } = event;
        if (this.isKnown(agent, call.id, within)) return endPart(agent);
        return [...endPart(agent), { type: "call", call, isStreamed: agent.inputs.delete(call.id), within }];
      }
      case "media":
      case "server-tool":
        return [...endPart(agent), event];
      case "approval-requested":
        this.asked.set(event.request.id, event.request);
        return [event];
      case "approval-answered":
        this.asked.delete(event.request.id);
        return [event];
      case "usage":
        if (agent.isRoot) this.usage = event;
        return [event];
      case "run-end":
        if (!agent.isRoot) return [...endStep(agent), event];
        return event.status === "failed" && agent.isCalling && agent.parts.length > 0 ? [restart(agent)] : [];
      default:
        return [event];
    }
  }
}

function beginStep(agent: OpenAgent, turn: number): ViewChange {
  agent.turn = turn;
  agent.parts = [];
  return { type: "step-start", turn };
}

function endStep(agent: OpenAgent): ViewChange[] {
  const before = [...endPart(agent), ...cutInputs(agent)];
  if (agent.turn === null) return before;
  const { turn } = agent;
  agent.turn = null;
  return [...before, { type: "step-end", turn }];
}

function write(agent: OpenAgent, type: ShownPart["type"], delta: string): ViewChange[] {
  if (agent.part?.type === type) return [{ type: "part-delta", part: agent.part, delta }];
  const before = endPart(agent);
  const part = { type, number: ++agent.lastPart };
  agent.part = part;
  agent.parts.push(part);
  return [...before, { type: "part-start", part }, { type: "part-delta", part, delta }];
}

function endPart(agent: OpenAgent): ViewChange[] {
  const { part } = agent;
  agent.part = null;
  return part ? [{ type: "part-end", part }] : [];
}

function writeInput(agent: OpenAgent, { toolCallId, tool, json }: EventOf<"tool-input-delta">): ViewChange[] {
  const delta: ViewChange = { type: "input-delta", toolCallId, json };
  if (agent.inputs.has(toolCallId)) return [delta];
  agent.inputs.set(toolCallId, tool);
  return [{ type: "input-start", toolCallId, tool }, delta];
}

function cutInputs({ inputs }: OpenAgent): ViewChange[] {
  const cut = [...inputs].map(([toolCallId, tool]): ViewChange => ({ type: "input-cut", toolCallId, tool }));
  inputs.clear();
  return cut;
}

function restart(agent: OpenAgent): ViewChange {
  const { parts } = agent;
  agent.parts = [];
  return { type: "restart", parts, ends: [...endPart(agent), ...cutInputs(agent)] };
}
