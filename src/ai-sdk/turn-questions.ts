/*
 * The questions that a turn waits for. Calls that the host makes are shown to it together, approvals one after the other, as the AI SDK asks for
 * them, and each to a reader once.
 */
import type { Answer, PendingRequest } from "../contracts/approval.js";
import { signAnswer } from "../engine/calls/permission/sign-answer.js";
import { ASK } from "./common-tools.js";
import type { HostResult } from "./harness-v1.js";
import { answerOfResult } from "./host-tools.js";
import { answerOfOutput, questionInput } from "./questions.js";
import type { TurnParts } from "./turn-parts.js";

export class TurnQuestions {
  readonly #asked = new Set<string>();
  /** The id of the call by which each question is shown. */
  readonly #shownAs = new Map<string, string>();
  /** Calls about which the host has said something in this turn; the AI SDK hears nothing more about them. */
  readonly #answered = new Set<string>();
  readonly #results = new Map<string, HostResult>();
  #open: readonly PendingRequest[];
  #answers: Answer[];
  /** The answers that a run has, which may end before it has recorded them. */
  #taken: readonly Answer[] = [];

  constructor(
    private readonly parts: TurnParts,
    private readonly isHostTool: (name: string) => boolean,
    /** The engine's key: an answer of its host is signed when it comes, so that one in a stored state is known again. */
    private readonly key: string | undefined,
    { questions = [], answers = [] }: { questions?: readonly PendingRequest[]; answers?: readonly Answer[] },
  ) {
    this.#open = questions;
    this.#answers = [...answers];
  }

  /** The questions of a session, with those that were answered before it was read. */
  set(open: readonly PendingRequest[]): void {
    this.#open = open;
    // The definition of a host tool has changed since it was asked for: the result is the same.
    for (const request of this.unanswered) {
      const result = this.#isHostCall(request) && this.#results.get(request.toolCallId);
      const isNew = !this.#taken.some(({ id }) => id === request.id);
      if (result && isNew) this.#answers.push(this.#signed(request, answerOfResult(request.id, result)));
    }
    this.#results.clear();
  }

  get unanswered(): readonly PendingRequest[] {
    return this.#open.filter(({ id }) => !this.#answers.some((answer) => answer.id === id));
  }

  get hasAnswers(): boolean {
    return this.#answers.length > 0;
  }

  /** The answers that may not be in the session yet. */
  get given(): readonly Answer[] {
    return [...this.#taken, ...this.#answers];
  }

  /** Whether the reader was shown something that it has not answered. */
  get isAsked(): boolean {
    return this.unanswered.some(({ id }) => this.#asked.has(id));
  }

  /** Calls of the host whose results a run has taken: they end at once. */
  get ending(): readonly string[] {
    const taken = this.#open.filter(({ id }) => this.#taken.some((answer) => answer.id === id));
    return taken.filter((request) => this.#isHostCall(request)).map(({ toolCallId }) => toolCallId);
  }

  takeAnswers(): readonly Answer[] {
    this.#taken = this.#answers.splice(0);
    return this.#taken;
  }

  /** Another reader has seen nothing yet. */
  forgetReader(): void {
    this.#asked.clear();
  }

  /** The questions to show to this reader now. */
  get news(): readonly PendingRequest[] {
    const open = this.unanswered;
    const calls = open.filter(({ kind }) => kind !== "approval");
    return (calls.length > 0 ? calls : open.slice(0, 1)).filter(({ id }) => !this.#asked.has(id));
  }

  /** Shows questions. `isGathered`: the host is told how many calls the step has, and pauses once it has seen all of them. */
  show(news: readonly PendingRequest[], isGathered: boolean): void {
    const calls = this.parts.callsShown.size + news.length;
    for (const request of news) {
      this.#asked.add(request.id);
      const { kind, tool, input } = request;
      const id = this.#callOf(request);
      const how = isGathered ? { calls } : {};
      if (kind === "approval") this.parts.askApproval(request, id);
      else if (this.#isHostCall(request)) this.parts.emitCall(id, tool, input, how);
      else this.parts.emitCall(id, ASK, questionInput(request), how);
    }
  }

  /** An answer to what is not open any more changes nothing: the session has another. */
  approve({ approvalId: id, approved, reason }: { approvalId: string; approved: boolean; reason?: string }): void {
    const decision = approved ? ("allow" as const) : ("deny" as const);
    const request = this.unanswered.find((one) => one.id === id);
    if (request) this.#answer(request, { id, decision, ...(reason !== undefined && { reason }) }, decision);
  }

  submit(result: HostResult): void {
    const request = this.unanswered.find((one) => this.#callOf(one) === result.toolCallId);
    if (!request) return;
    const isHostCall = this.#isHostCall(request);
    if (isHostCall) this.#results.set(request.toolCallId, result);
    this.#answer(
      request,
      isHostCall ? answerOfResult(request.id, result) : answerOfOutput(request, result),
      result.output,
    );
  }

  #answer(request: PendingRequest, answer: Answer, output: unknown): void {
    const callId = this.#callOf(request);
    this.#answers.push(this.#signed(request, answer));
    this.#answered.add(request.toolCallId);
    // The host counts no call that it has answered before it reads on.
    this.parts.callsShown.delete(callId);
    if (callId === request.id) this.parts.endQuestion(callId, output);
    else if (request.kind !== "approval") this.parts.submitted.set(callId, output);
  }

  #signed(request: PendingRequest, answer: Answer): Answer {
    return this.key === undefined ? answer : signAnswer(request, answer, this.key);
  }

  #isHostCall({ agentPath, tool }: PendingRequest): boolean {
    return agentPath.length === 0 && this.isHostTool(tool);
  }

  /** A question of a tool that is shown as a call already is a call of its own, as is a second one about the same call. */
  #callOf(request: PendingRequest): string {
    const { id, kind, toolCallId, tool, agentPath } = request;
    const known = this.#shownAs.get(id);
    if (known !== undefined) return known;
    const isTheCall =
      kind === "approval" || this.#isHostCall(request) || (agentPath.length === 0 && tool === "ask_user");
    const callId = isTheCall && !this.#answered.has(toolCallId) ? toolCallId : id;
    this.#shownAs.set(id, callId);
    return callId;
  }
}
