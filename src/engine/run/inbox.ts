import type { ContentPart } from "../../contracts/content.js";
import type { MessageOrigin } from "../../contracts/message.js";

/** What goes to the model at the next turn, and who wrote it. */
export interface QueuedMessage {
  readonly content: readonly ContentPart[];
  readonly origin: MessageOrigin;
}

/** What waits for the next turn of a run. Emptied by `deliverInbox`, and by `decideEnd` when the run would end. */
export class Inbox {
  readonly steering: QueuedMessage[] = [];
  readonly followUps: QueuedMessage[] = [];
  /** What hooks want the model to know after this turn. */
  readonly hookContext: string[] = [];
  /** A compaction that a tool or the host has asked for. */
  compactionRequest: { readonly focus?: string } | null = null;

  /** Queues what the host says while the run is under way. */
  add(text: string, queue: "steering" | "followUps"): void {
    const origin = queue === "steering" ? "steering" : "user";
    this[queue].push({ content: [{ type: "text", text }], origin });
  }

  /** Takes everything that hooks want the model to know. */
  takeHookContext(): readonly string[] {
    return this.hookContext.length > 0 ? this.hookContext.splice(0) : NOTHING;
  }

  takeCompactionRequest(): Inbox["compactionRequest"] {
    const requested = this.compactionRequest;
    this.compactionRequest = null;
    return requested;
  }

  /** What came too late to be delivered. */
  get undelivered(): readonly QueuedMessage[] {
    return [...this.steering, ...this.followUps];
  }
}

const NOTHING: readonly string[] = [];
