// The queue of an agent's questions to the person: one is shown at a time, in the order in which they came. Invariant: every
// question is settled exactly once, by the person, by its signal, or by `close`.
import type { PendingRequest } from "../../../contracts/approval.js";
import type { Approver, ApproverAnswer } from "../../../engine/calls/permission/approval.js";
import type { Dialog, Screen } from "../screen/screen.js";
import type { DialogQuestion } from "./approval-question.js";
import { ChoiceDialog, type ChoiceOptions, type ChosenAnswer } from "./choice-dialog.js";

interface Waiting {
  readonly dialog: Dialog;
  readonly cancel: () => void;
  readonly body: readonly string[];
}

export interface QuestionDeskParts {
  readonly screen: Screen;
  /** Makes the question of a request; may read files for it. */
  readonly describe: (request: PendingRequest) => Promise<DialogQuestion>;
  /** Whether the call is the person's own. */
  readonly isOwn: (request: PendingRequest) => boolean;
  /** The person has left a question of the agent unanswered. */
  readonly onCancel: () => void;
  /** Called with each request that begins or stops to wait. */
  readonly onWaiting: (request: PendingRequest, isWaiting: boolean) => void;
}

const KEYS = "↑↓ or a number, enter · esc to interrupt";
const NO_ANSWER: ApproverAnswer = { decision: "deny", reason: "The user interrupted instead of answering." };

export class QuestionDesk {
  readonly #waiting: Waiting[] = [];

  constructor(private readonly parts: QuestionDeskParts) {}

  /** The approver with which the agent asks. */
  readonly approver: Approver = async (request, { signal }) => {
    // No question is asked about a command that the person has typed themselves.
    if (this.parts.isOwn(request)) return { decision: "allow", by: "the person at the terminal" };
    let question = await this.parts.describe(request);
    if (signal.aborted) return NO_ANSWER;
    this.parts.onWaiting(request, true);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const chosen = await this.#show({ keys: KEYS, ...question }, signal, !isFirst);
        if (!chosen) break;
        const answer = await question.answer(chosen);
        if (!("choices" in answer)) return answer;
        question = answer;
        if (signal.aborted) return NO_ANSWER;
      }
      if (!signal.aborted) this.parts.onCancel();
      return NO_ANSWER;
    } finally {
      this.parts.onWaiting(request, false);
    }
  };

  get isAsking(): boolean {
    return this.#waiting.length > 0;
  }

  /** The whole text of the question that is shown. */
  get body(): readonly string[] {
    return this.#waiting[0]?.body ?? [];
  }

  /** Lets the person choose for a command. Resolves with `null` when they do not want to. */
  pick(options: ChoiceOptions): Promise<ChosenAnswer | null> {
    return this.#show(options);
  }

  /** Settles everything that waits as unanswered. */
  close(): void {
    for (const { cancel } of [...this.#waiting]) cancel();
  }

  /** `goesOn`: it belongs to the question that was shown last, and comes before those that wait. */
  #show(options: ChoiceOptions, signal?: AbortSignal, goesOn = signal === undefined): Promise<ChosenAnswer | null> {
    const { screen } = this.parts;
    const isPick = signal === undefined;
    return new Promise((resolve) => {
      const end = (answer: ChosenAnswer | null) => {
        signal?.removeEventListener("abort", cancel);
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        screen.editor.insertTextAtCursor(dialog.typed);
        screen.dialog = this.#waiting[0]?.dialog;
        resolve(answer);
      };
      const cancel = () => end(null);
      const dialog = new ChoiceDialog(screen.theme, options, end, screen, isPick);
      const waiting: Waiting = { dialog, cancel, body: options.body ?? [] };
      signal?.addEventListener("abort", cancel, { once: true });
      if (goesOn) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      screen.dialog = this.#waiting[0]!.dialog;
    });
  }
}
