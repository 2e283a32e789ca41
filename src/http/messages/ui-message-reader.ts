// The message of parts that the AI SDK's client makes from the chunks of a stream.
import type { Answer } from "../../contracts/approval.js";
import type { UiChunk } from "../views/ui-message-chunks.js";

/** A part of a UI message, as the AI SDK has it. */
export interface UiPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Writable = { type: string; [field: string]: unknown };

export class UiMessageReader {
  readonly parts: Writable[] = [];
  metadata: Readonly<Record<string, unknown>> = {};
  /** Texts and thoughts that are being written, by their kind and id. */
  readonly #open = new Map<string, Writable>();

  add(chunk: UiChunk): void {
    const { type, ...fields } = chunk;
    if (type === "start" || type === "finish") this.metadata = { ...this.metadata, ...Object(fields.messageMetadata) };
    else if (type === "start-step") this.parts.push({ type: "step-start" });
    else if (type === "finish-step") this.#open.clear();
    else if (type === "file") this.parts.push({ type, ...fields });
    else if (/^(text|reasoning)-/.test(type)) this.#write(type, fields);
    else if (type.startsWith("data-")) this.#setData(type, fields);
    else if (type.startsWith("tool-")) this.#setTool(type, fields);
  }

  /** Answers a question, as `addToolApprovalResponse` does. */
  answer({ id, decision, reason }: Extract<Answer, { readonly decision: unknown }>): void {
    const part = this.parts.find(({ approval }) => Object(approval).id === id);
    if (!part) return;
    part.state = "approval-responded";
    part.approval = {
      ...Object(part.approval),
      approved: decision === "allow",
      ...(reason !== undefined && { reason }),
    };
  }

  #write(type: string, { id, delta }: Readonly<Record<string, unknown>>): void {
    const [kind, step] = type.split("-") as [string, string];
    const key = `${kind} ${id}`;
    if (step === "start") {
      const part = { type: kind, ...(kind === "reasoning" && { id }), text: "", state: "streaming" };
      this.#open.set(key, part);
      this.parts.push(part);
      return;
    }
    const part = this.#open.get(key)!;
    if (step === "delta") part.text = `${part.text}${delta}`;
    else part.state = "done";
  }

  #setData(type: string, { id, data, transient }: Readonly<Record<string, unknown>>): void {
    if (transient === true) return;
    const known = id === undefined ? undefined : this.parts.find((part) => part.type === type && part.id === id);
    if (known) known.data = data;
    else this.parts.push({ type, ...(id !== undefined && { id }), data });
  }

  #setTool(type: string, { toolCallId, toolName, ...fields }: Readonly<Record<string, unknown>>): void {
    let part = this.parts.findLast((each) => each.toolCallId === toolCallId);
    if (!part) {
      part = { type: `tool-${toolName}`, toolCallId };
      this.parts.push(part);
    }
    switch (type) {
      case "tool-input-available":
        Object.assign(part, { state: "input-available", input: fields.input });
        // Its output until now was the note that it waited for an approval.
        Reflect.deleteProperty(part, "output");
        if (fields.providerMetadata !== undefined) part.callProviderMetadata = fields.providerMetadata;
        break;
      case "tool-output-available":
        Object.assign(part, { state: "output-available", output: fields.output });
        break;
      case "tool-output-error":
        Object.assign(part, { state: "output-error", errorText: fields.errorText });
        Reflect.deleteProperty(part, "output");
        break;
      case "tool-output-denied":
        part.state = "output-denied";
        break;
      case "tool-approval-request":
        Object.assign(part, {
          state: "approval-requested",
          approval: { id: fields.approvalId, requestReason: fields.reason },
        });
        break;
    }
  }
}
