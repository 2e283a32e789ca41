// The answer that is being written: what each chunk of the stream makes of it.

export class LiveMessage {
  id = "live";
  role = "assistant";
  parts = [];
  /** Whether its stream has come to its end, and what it has failed with. */
  isWhole = false;
  problem = "";
  #open = new Map();
  #step = 0;

  add(chunk) {
    const { type, id, delta, toolCallId } = chunk;
    const [, kind, moment] = /^(text|reasoning)-(start|delta|end)$/.exec(type) ?? [];
    if (kind && moment === "start") this.#open.set(`${kind} ${id}`, this.#push({ type: kind, text: "" }));
    else if (kind && moment === "delta") this.#open.get(`${kind} ${id}`).text += delta;
    else if (type === "start-step") this.#step = this.parts.length;
    // The model begins again: what it has said in this step is void.
    else if (type === "reset-step") this.parts.length = this.#step;
    else if (type === "file") this.#push({ type, mediaType: chunk.mediaType, url: chunk.url });
    else if (type === "data-compaction") this.#push({ type });
    else if (type === "data-question") this.#question(chunk.data);
    else if (type === "tool-input-start" || type === "tool-input-available") {
      const input = chunk.input ?? undefined;
      Object.assign(this.#call(toolCallId, chunk.toolName), { state: "input-available", input });
    } else if (type === "tool-approval-request")
      Object.assign(this.#call(toolCallId), { state: "approval-requested", approval: { id: chunk.approvalId } });
    else if (type === "tool-output-available")
      Object.assign(this.#call(toolCallId), { state: "output-available", output: chunk.output });
    else if (type === "tool-output-error" || type === "tool-output-denied")
      Object.assign(this.#call(toolCallId), { state: type.slice(5), errorText: chunk.errorText });
    else if (type === "error") this.problem = chunk.errorText;
    if (type === "finish" || type === "abort" || type === "error") this.isWhole = true;
  }

  #question(data) {
    const asked = this.parts.find((part) => part.type === "data-question" && part.data.id === data.id);
    Object.assign(asked ?? this.#push({ type: "data-question" }), { data });
  }

  #push(part) {
    this.parts.push(part);
    return part;
  }

  #call(toolCallId, name = "tool") {
    return (
      this.parts.find((part) => part.toolCallId === toolCallId) ?? this.#push({ type: `tool-${name}`, toolCallId })
    );
  }
}
