import type { ToolContext } from "../../contracts/tool.js";

/** So many turns without an update bring a reminder. */
const QUIET_TURNS = 3;
/** Agents whose plans are kept; the longest untouched is forgotten first. */
const MAX_PLANS = 1_000;
const SHOWN_ITEMS = 10;

/** One item of an agent's plan. */
export interface Todo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  /** The text to show while it is under way. */
  readonly activeForm?: string;
}

interface OpenPlan {
  readonly sessionId: string;
  readonly open: readonly Todo[];
  /** Model calls since the update. */
  asked: number;
}

/** The plans with open items, by agent, and how long each has been left alone. */
export class OpenPlans {
  readonly #plans = new Map<string, OpenPlan>();

  update({ sessionId, transcriptId }: ToolContext, todos: readonly Todo[]): void {
    const open = todos.filter(({ status }) => status !== "completed");
    this.#plans.delete(transcriptId);
    if (open.length === 0) return;
    this.#plans.set(transcriptId, { sessionId, open, asked: 0 });
    if (this.#plans.size > MAX_PLANS) this.#plans.delete(this.#plans.keys().next().value!);
  }

  /** To be called before each model call of an agent. The first one after an update comes with no turn in between. */
  reminder(transcriptId: string): string | null {
    const plan = this.#plans.get(transcriptId);
    if (!plan) return null;
    const quietTurns = plan.asked++;
    if (quietTurns !== QUIET_TURNS) return null;
    const items = plan.open.slice(0, SHOWN_ITEMS).map(({ content, status }) => `- ${content} (${status})`);
    const more = plan.open.length - items.length;
    if (more > 0) items.push(`- and ${more} more`);
    return `The plan was not updated for ${QUIET_TURNS} turns and has open items:\n${items.join("\n")}\nBring it up to date with todo_write if it no longer says where the work stands.`;
  }

  /** Forgets the plans of a session or of one agent; without an id, all. */
  endSession(id: string | undefined): void {
    for (const [transcriptId, { sessionId }] of this.#plans) {
      if (id === undefined || id === sessionId || id === transcriptId) this.#plans.delete(transcriptId);
    }
  }
}
