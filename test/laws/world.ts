import type { ToolPermission } from "../../src/contracts/permission.js";
import type { ResourceClaim, ToolContext } from "../../src/contracts/tool.js";
import { VirtualTime } from "./virtual-time.js";
import type { Wish } from "./wish.js";

/** One stay in a tool's `execute`. */
export interface Execution {
  readonly tool: string;
  readonly runId: string;
  readonly permission: ToolPermission;
  readonly replayable: boolean;
  readonly claims: readonly ResourceClaim[];
  readonly wish: Wish;
  readonly context: ToolContext;
  readonly startedAt: number;
  endedAt: number | null;
  /** When it was given up, if it was. */
  abandonedAt: number | null;
}

/** Everything around the engine that runs share: time, order, and what tools saw. It notes what must never happen. */
export class World {
  readonly time = new VirtualTime();
  readonly executions: Execution[] = [];
  readonly violations: string[] = [];
  /** Calls the host has approved, by id. */
  readonly approved = new Set<string>();
  /** Calls that must not be executed (again), by id. */
  readonly forbidden = new Set<string>();
  /** When each call was answered: its place in the order of things, and the time. */
  readonly answered = new Map<string, { readonly step: number; readonly at: number }>();
  /** Whether calls have been voided, by a restart or a failed model call. */
  sawVoid = false;
  /** Waits without an end that nothing but an abort can end. */
  endless = 0;
  maxConcurrentTools = 0;
  abandonMs = 0;
  /** What decides on calls besides the tools themselves. */
  guards = { gate: false, toolHook: false, hooksMayFail: false };
  #steps = 0;

  /** A point in the order of everything that happens. */
  step(): number {
    return ++this.#steps;
  }

  violation(what: string): void {
    this.violations.push(what);
  }

  /** Called by tools as they are entered. */
  enter(about: Pick<Execution, "tool" | "permission" | "replayable" | "claims" | "wish" | "context">): Execution {
    const execution: Execution = {
      ...about,
      runId: about.context.runId,
      startedAt: this.step(),
      endedAt: null,
      abandonedAt: null,
    };
    const { toolCallId } = about.context;
    if (this.forbidden.has(toolCallId)) this.violation(`call "${toolCallId}" of ${about.tool} was executed again`);
    // A voided call may go on beside the one that has its id now.
    const mayBeVoid = about.replayable && this.sawVoid;
    if (this.answered.has(toolCallId) && !mayBeVoid)
      this.violation(`call "${toolCallId}" was executed after it was answered`);
    if (!this.#mayRun(execution)) this.violation(`${describe(execution)} was executed without an approval`);
    const active = this.executions.filter((other) => this.#isActive(other));
    for (const other of active) {
      const mayMeet = other.replayable && other.abandonedAt !== null;
      if (mayMeet || !claimsConflict(other.claims, execution.claims)) continue;
      this.violation(`${describe(execution)} ran while ${describe(other)} did`);
    }
    const atOnce = 1 + active.filter(({ runId }) => runId === execution.runId).length;
    if (this.maxConcurrentTools > 0 && atOnce > this.maxConcurrentTools) {
      this.violation(`${atOnce} tools ran at once where ${this.maxConcurrentTools} may`);
    }
    this.executions.push(execution);
    // Calls that are voided get no answer: their signal says that nobody waits for them any more.
    if (about.replayable) {
      const giveUp = () => {
        execution.abandonedAt ??= this.time.now;
      };
      about.context.signal.addEventListener("abort", giveUp, { once: true });
    }
    return execution;
  }

  leave(execution: Execution): void {
    execution.endedAt ??= this.step();
  }

  #mayRun({ wish, context, permission }: Execution): boolean {
    const { gate, toolHook, hooksMayFail } = this.guards;
    const isGuarded = toolHook && !hooksMayFail;
    if (wish.act === "check-deny" || wish.act === "check-throw") return false;
    if (isGuarded && ["deny", "throw", "nonsense", "never"].includes(wish.hook)) return false;
    if (gate && ["deny", "slow-deny", "throw", "nonsense", "never"].includes(wish.gate)) return false;
    if (this.approved.has(context.toolCallId)) return true;
    if (wish.act === "check-ask" || (gate && wish.gate === "ask")) return false;
    if (isGuarded && (wish.hook === "ask" || wish.hook === "defer")) return false;
    const isHarmless = permission === "none" || permission === "read_only" || (toolHook && wish.hook === "allow");
    return gate || isHarmless;
  }

  /** Whether a tool still counts as running: it is in `execute` and has not been given up for good. */
  #isActive({ endedAt, abandonedAt, context }: Execution): boolean {
    if (endedAt !== null) return false;
    const since = abandonedAt ?? this.answered.get(context.toolCallId)?.at;
    return since === undefined || this.time.now < since + this.abandonMs;
  }
}

function describe({ tool, context, claims }: Execution): string {
  return `${tool} (call "${context.toolCallId}", claims ${JSON.stringify(claims)})`;
}

/** The contract's definition of a conflict, written down a second time. */
export function claimsConflict(some: readonly ResourceClaim[], others: readonly ResourceClaim[]): boolean {
  return some.some((a) =>
    others.some(
      (b) => (a.mode === "write" || b.mode === "write") && (a.key === "*" || b.key === "*" || a.key === b.key),
    ),
  );
}
