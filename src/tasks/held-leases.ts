import { isHarnessError } from "../contracts/errors.js";
import type { TaskStore } from "../contracts/task.js";

interface HeldTask {
  readonly sessionId: string;
  readonly transcriptId: string;
  readonly owner: string;
}

/**
 * The tasks that agents of this process have claimed through tools.
 *
 * A lease is renewed before each model call of its agent, without waiting for it, and not by a timer: an agent that has
 * stopped keeps nothing from the others for longer than a lease.
 */
export class HeldLeases {
  readonly #held = new Map<string, HeldTask>();
  readonly #lost = new Map<string, string[]>();

  constructor(
    private readonly store: TaskStore,
    private readonly leaseMs: number,
  ) {}

  add(taskId: string, holder: HeldTask): void {
    this.#held.set(taskId, holder);
  }

  remove(taskId: string): void {
    this.#held.delete(taskId);
  }

  /** To be called before each model call of an agent: renews what it holds, and says what it has lost since. */
  reminder(transcriptId: string): string | null {
    for (const [taskId, holder] of this.#held) {
      if (holder.transcriptId === transcriptId) void this.#renew(taskId, holder);
    }
    const lost = this.#lost.get(transcriptId);
    if (!lost) return null;
    this.#lost.delete(transcriptId);
    return `You no longer hold ${lost.length === 1 ? "task" : "the tasks"} ${lost.join(", ")}: the lease ran out, and somebody else may be working on it. Stop working on it, or claim it again.`;
  }

  /** Gives back what the agents of a session, or one agent by its transcript, still hold; without an id, all of it. */
  async giveBack(id: string | undefined): Promise<void> {
    const isTheirs = ({ sessionId, transcriptId }: HeldTask) => id === sessionId || id === transcriptId;
    const theirs = [...this.#held].filter(([, held]) => id === undefined || isTheirs(held));
    for (const [taskId] of theirs) this.#held.delete(taskId);
    // A lease that has been lost or ended in the meantime is not theirs to give.
    await Promise.allSettled(theirs.map(([taskId, { owner }]) => this.store.release(taskId, { owner })));
  }

  async #renew(taskId: string, holder: HeldTask): Promise<void> {
    try {
      await this.store.renew(taskId, { owner: holder.owner, leaseMs: this.leaseMs });
    } catch (error) {
      // A store that cannot be reached now may be next time.
      if (!isHarnessError(error, "TASK_CONFLICT") && !isHarnessError(error, "TASK_NOT_FOUND")) return;
      if (this.#held.get(taskId) !== holder) return;
      this.#held.delete(taskId);
      this.#lost.set(holder.transcriptId, [...(this.#lost.get(holder.transcriptId) ?? []), taskId]);
    }
  }
}
