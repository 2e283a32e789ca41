import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { MessageOrigin } from "../../contracts/message.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { NO_LABEL } from "../../labels/join-labels.js";

/** A question of a call. Those a tool asked by suspending itself have a state. */
export interface RecordedQuestion {
  readonly request: PendingRequest;
  readonly state: JsonValue | undefined;
}

/** A message that is appended once a turn is closed. */
export type HeldMessage = {
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly label?: Label | undefined;
};

/** The last assistant message while some of its calls have no result yet. */
export class OpenTurn {
  /** By call order; a hole is a call without a result. */
  readonly results: (ToolResult | undefined)[];
  unanswered: number;
  /** Messages that are appended once the turn is closed. */
  readonly held: HeldMessage[] = [];
  // Most turns are answered without any of these.
  #started: Set<string> | undefined;
  #asked: Map<string, RecordedQuestion[]> | undefined;
  #answers: Map<string, Answer> | undefined;
  #usedUp: Set<string> | undefined;
  #fromBelow: Map<string, PendingRequest[]> | undefined;
  /** Calls that were started after their sub-agents' questions were recorded. */
  #reentered: Set<string> | undefined;
  #indexes: Map<string, number> | undefined;

  /** `label`: that of all that the model had when it made the calls. */
  constructor(
    readonly calls: readonly ToolCall[],
    readonly label: Label = NO_LABEL,
  ) {
    this.unanswered = calls.length;
    this.results = new Array(calls.length).fill(undefined);
  }

  /** Position of a call; -1 for an id that is not one of them. */
  indexOf(toolCallId: string): number {
    if (this.calls.length === 1) return this.calls[0]!.id === toolCallId ? 0 : -1;
    this.#indexes ??= new Map(this.calls.map((call, index) => [call.id, index]));
    return this.#indexes.get(toolCallId) ?? -1;
  }

  markStarted(toolCallId: string): void {
    this.#started ??= new Set();
    this.#started.add(toolCallId);
    if (this.#fromBelow?.has(toolCallId)) {
      this.#reentered ??= new Set();
      this.#reentered.add(toolCallId);
    }
    for (const { request, state } of this.askedBy(toolCallId)) {
      if (state !== undefined) continue;
      this.#usedUp ??= new Set();
      this.#usedUp.add(request.id);
    }
  }

  /** Whether a question about a call was answered by starting it: that answer does not allow a second start. */
  isUsedUp(requestId: string): boolean {
    return this.#usedUp?.has(requestId) ?? false;
  }

  /** Whether a call was started and has neither a result nor suspended itself since. */
  wasStarted(toolCallId: string): boolean {
    return this.#started?.has(toolCallId) ?? false;
  }

  /** Whether its tool was ever entered: it has been started, or has left with a question of its own or from below. */
  wasBegun(toolCallId: string): boolean {
    const hasAsked = this.askedBy(toolCallId).some(({ state }) => state !== undefined);
    return hasAsked || this.wasStarted(toolCallId) || this.askedFromBelow(toolCallId).length > 0;
  }

  /** A question that is asked again has no answer any more, and is the newest of its call. */
  ask(asked: RecordedQuestion): void {
    this.#asked ??= new Map();
    const { id, toolCallId } = asked.request;
    const before = this.askedBy(toolCallId);
    const others = before.filter(({ request }) => request.id !== id);
    this.#asked.set(toolCallId, [...others, asked]);
    this.#answers?.delete(id);
    const isNew = others.length === before.length;
    // A question about a call, rather than by its tool, does not undo that it was started.
    if (asked.state !== undefined && isNew) this.#started?.delete(toolCallId);
  }

  /** A question of a sub-agent that works for a call. The call has left its tool, which is entered again later. */
  askFromBelow(toolCallId: string, request: PendingRequest): void {
    this.#fromBelow ??= new Map();
    // Questions from before the call was entered again are asked again if they are still open.
    const before = this.#reentered?.delete(toolCallId) ? [] : this.askedFromBelow(toolCallId);
    this.#fromBelow.set(toolCallId, [...before.filter(({ id }) => id !== request.id), request]);
    this.#answers?.delete(request.id);
    this.#started?.delete(toolCallId);
  }

  /** The questions of sub-agents that work for a call, oldest first. */
  askedFromBelow(toolCallId: string): readonly PendingRequest[] {
    return this.#fromBelow?.get(toolCallId) ?? [];
  }

  /** The questions of a call, oldest first. */
  askedBy(toolCallId: string): readonly RecordedQuestion[] {
    return this.#asked?.get(toolCallId) ?? [];
  }

  answer(answer: Answer): void {
    this.#answers ??= new Map();
    this.#answers.set(answer.id, answer);
  }

  answerTo(requestId: string): Answer | undefined {
    return this.#answers?.get(requestId);
  }
}

/** The questions of an open turn that nobody has answered yet, in call order; those of sub-agents included. */
export function openQuestions(open: OpenTurn | null): PendingRequest[] {
  if (!open) return [];
  return open.calls.flatMap(({ id }, index) => {
    if (open.results[index]) return [];
    const own = open.askedBy(id).at(-1)?.request;
    const asked = own ? [own, ...open.askedFromBelow(id)] : open.askedFromBelow(id);
    return asked.filter((request) => !open.answerTo(request.id));
  });
}
