import type { PendingRequest } from "../../contracts/approval.js";
import type { HarnessError } from "../../contracts/errors.js";
import type { Label } from "../../contracts/label.js";
import type { BaseTool, ToolContext } from "../../contracts/tool.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { joinLabels, NO_LABEL } from "../../labels/join-labels.js";

/** A call as the sub-agents see it that its tool spawns. */
export interface SpawningCall {
  readonly call: ToolCall;
  readonly target: ToolCall;
  readonly tool: BaseTool | undefined;
  readonly context: Pick<ToolContext, "rootCall">;
  children: CallChildren | undefined;
  /** Resolves when the call's message is recorded, or the call is over. */
  whenRecorded(): Promise<void>;
  /** Calls `release` as soon as the call is over; at once if it is. */
  onOver(release: () => void): void;
  /** Resolves with the promise's value, or with `undefined` as soon as the call is over. */
  unlessOver<T>(promise: Promise<T>): Promise<T | undefined>;
}

/** The children that one call has spawned since its tool was entered. */
export class CallChildren {
  /** The children's questions that nobody in this process answers. */
  readonly questions: PendingRequest[] = [];
  /**
   * The calls that the tool makes itself, and the session they are in once it is open. Closing it resolves with what is wrong if the
   * tool has ended too early.
   */
  record: { readonly sessionId: string | undefined; close(): Promise<HarnessError | undefined> } | undefined;
  /** The label of all that its sub-agents and its own calls have read. */
  label: Label = NO_LABEL;
  #count = 0;
  #active = 0;
  #onQuiet: (() => void)[] = [];

  /** The number of the new child, from 1. */
  begin(): number {
    this.#active++;
    return ++this.#count;
  }

  /** `label`: that of all that the child has read. */
  end(questions: readonly PendingRequest[], label: Label): void {
    this.questions.push(...questions);
    this.label = joinLabels(this.label, label);
    if (--this.#active > 0) return;
    for (const release of this.#onQuiet.splice(0)) release();
  }

  /** Resolves when no child is at work. */
  quiet(): Promise<void> {
    return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => this.#onQuiet.push(resolve));
  }
}
