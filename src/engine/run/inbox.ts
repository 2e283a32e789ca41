import type { ContentPart } from "../../contracts/content.js";
import type { DeliveryOrigin, MessageOrigin } from "../../contracts/message.js";
import type { HeldMessage } from "../transcript/open-turn.js";

/** A message for the model's next turn, and its author. */
export interface QueuedMessage {
  readonly content: readonly ContentPart[];
  readonly origin: MessageOrigin;
}

/** The queue in which a host's message waits: for the next turn, or for the end of the run. */
export type Queue = "steering" | "followUps";

/** Messages for the next turn of a run. Emptied by `deliverInbox`, and by `decideEnd` when the run would end. */
export class Inbox {
  /** Prompts of this run that are not on record yet. */
  readonly prompts: QueuedMessage[] = [];
  readonly steering: QueuedMessage[] = [];
  readonly followUps: QueuedMessage[] = [];
  /** Messages that tools have delivered for the model. */
  readonly deliveries: QueuedMessage[] = [];
  /** The hooks' messages for the model after this turn. */
  readonly hookContext: string[] = [];
  /** A compaction that a tool or the host has asked for. */
  compactionRequest: { readonly focus?: string } | null = null;
  /** Called when there is a reason for another turn. */
  onNews: (() => void) | null = null;

  /** Queues what the host says while the run is under way. */
  add(text: string, queue: Queue): void {
    this[queue].push(messageOf(text, queue === "steering" ? "steering" : "user"));
    this.onNews?.();
  }

  /** Takes the last message of this text out of its queue. Returns whether there was one. */
  takeBack(text: string): boolean {
    for (const queue of [this.steering, this.followUps]) {
      const at = queue.findLastIndex(({ content: [part] }) => part?.type === "text" && part.text === text);
      if (at >= 0) return queue.splice(at, 1).length > 0;
    }
    return false;
  }

  /** Queues what a tool delivers for the model. */
  deliver(text: string, origin: DeliveryOrigin): void {
    this.deliveries.push(messageOf(text, origin));
    this.onNews?.();
  }

  /** Takes everything that hooks want the model to know. */
  takeHookContext(): readonly string[] {
    return this.hookContext.length > 0 ? this.hookContext.splice(0) : NOTHING;
  }

  /** Takes what has to wait until a turn with unanswered questions is closed. */
  takeHeld(): HeldMessage[] {
    const context = this.takeHookContext().map((text): HeldMessage => ({ text, origin: "hook" }));
    return [...context, ...this.takeDeliveries()];
  }

  takeDeliveries(): HeldMessage[] {
    return this.deliveries.splice(0).map(heldOf);
  }

  /** Puts back what waited while the turn was open, before anything newer. */
  restore(held: readonly HeldMessage[]): void {
    const isHook = ({ origin }: HeldMessage) => origin === "hook";
    this.hookContext.unshift(...held.filter(isHook).map(({ text }) => text));
    const delivered = held.filter((message) => !isHook(message));
    this.deliveries.unshift(...delivered.map(({ text, origin }) => messageOf(text, origin)));
  }

  takeCompactionRequest(): Inbox["compactionRequest"] {
    const requested = this.compactionRequest;
    this.compactionRequest = null;
    return requested;
  }

  /** Whether anything waits for the next turn. */
  get isWaiting(): boolean {
    return this.steering.length > 0 || this.hookContext.length > 0 || this.deliveries.length > 0;
  }

  /** Whether something said meanwhile is a reason for another turn. */
  get hasNews(): boolean {
    return this.steering.length > 0 || this.deliveries.length > 0;
  }

  /** Messages that came too late to be delivered. */
  get undelivered(): readonly QueuedMessage[] {
    return [...this.steering, ...this.followUps, ...this.deliveries];
  }
}

const NOTHING: readonly string[] = [];

function messageOf(text: string, origin: MessageOrigin): QueuedMessage {
  return { content: [{ type: "text", text }], origin };
}

function heldOf({ content, origin }: QueuedMessage): HeldMessage {
  return { text: content.map((part) => (part.type === "text" ? part.text : "")).join(""), origin };
}
