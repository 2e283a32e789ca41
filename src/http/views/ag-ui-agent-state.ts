// One agent of a run, main or sub-agent, as AG-UI sees it: a step per turn, and at most one message that is being written.

/** One AG-UI event. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export class AgUiAgent {
  #open: { readonly type: "text" | "reasoning"; readonly id: string } | null = null;
  #lastMessage = 0;
  #step: string | null = null;
  /** The messages of the model call under way. */
  #messages: string[] = [];
  /** The calls whose arguments are still arriving. */
  readonly #inputs = new Set<string>();

  /** `tag`: what its events carry, `subagentRunId` for a sub-agent's. */
  constructor(
    private readonly runId: string,
    readonly tag: { readonly subagentRunId?: string },
  ) {}

  beginStep(turn: number): AgUiEvent[] {
    const before = this.endStep();
    this.#step = `turn ${turn}`;
    this.#messages = [];
    return [...before, { type: "STEP_STARTED", stepName: this.#step, ...this.tag }];
  }

  /** A piece of a call's arguments; the first one announces the call. */
  writeInput(toolCallId: string, toolCallName: string, delta: string): AgUiEvent[] {
    const piece = { type: "TOOL_CALL_ARGS", toolCallId, delta, ...this.tag };
    if (this.#inputs.has(toolCallId)) return [piece];
    this.#inputs.add(toolCallId);
    return [{ type: "TOOL_CALL_START", toolCallId, toolCallName, ...this.tag }, piece];
  }

  /** The arguments of a call are complete. Nothing for a call whose arguments did not stream. */
  endInput(toolCallId: string): AgUiEvent[] {
    return this.#inputs.delete(toolCallId) ? [{ type: "TOOL_CALL_END", toolCallId, ...this.tag }] : [];
  }

  #endInputs(): AgUiEvent[] {
    return [...this.#inputs].flatMap((toolCallId) => this.endInput(toolCallId));
  }

  endStep(): AgUiEvent[] {
    const before = [...this.closeMessage(), ...this.#endInputs()];
    if (this.#step === null) return before;
    const stepName = this.#step;
    this.#step = null;
    return [...before, { type: "STEP_FINISHED", stepName, ...this.tag }];
  }

  write(type: "text" | "reasoning", delta: string): AgUiEvent[] {
    const opened = this.#open?.type === type ? [] : this.#openMessage(type);
    const messageId = this.#open!.id;
    const content = type === "text" ? "TEXT_MESSAGE_CONTENT" : "REASONING_MESSAGE_CONTENT";
    return [...opened, { type: content, messageId, delta, ...this.tag }];
  }

  closeMessage(): AgUiEvent[] {
    if (!this.#open) return [];
    const { type, id: messageId } = this.#open;
    this.#open = null;
    if (type === "text") return [{ type: "TEXT_MESSAGE_END", messageId, ...this.tag }];
    return [
      { type: "REASONING_MESSAGE_END", messageId, ...this.tag },
      { type: "REASONING_END", messageId, ...this.tag },
    ];
  }

  /** The model call begins again. */
  restart(): AgUiEvent[] {
    const toolCallIds = [...this.#inputs];
    const closed = [...this.closeMessage(), ...this.#endInputs()];
    const value = { messageIds: this.#messages, ...(toolCallIds.length > 0 && { toolCallIds }) };
    this.#messages = [];
    return [...closed, { type: "CUSTOM", name: "model-restart", value, ...this.tag }];
  }

  #openMessage(type: "text" | "reasoning"): AgUiEvent[] {
    const before = this.closeMessage();
    const messageId = `${this.runId}-${++this.#lastMessage}`;
    this.#open = { type, id: messageId };
    this.#messages.push(messageId);
    if (type === "text") return [...before, { type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...this.tag }];
    return [
      ...before,
      { type: "REASONING_START", messageId, ...this.tag },
      { type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...this.tag },
    ];
  }
}
