import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
  type UIMessage,
} from "ai";
import { expect, onTestFinished } from "vitest";
import { readPrompt, toResponse } from "../../../src/http/index.js";
import type { AgentEngine } from "../../../src/index.js";
import { serve } from "../loopback.js";

/** A server as the guide shows it, and a client that is the AI SDK's own transport and reader. */
export async function chatWith(engine: AgentEngine) {
  const server = await serve(async (request) => {
    const { sessionId, input, answers } = await readPrompt(request);
    const run = answers.length > 0 ? engine.resume(sessionId!, { answers }) : engine.stream(input, { sessionId });
    return toResponse(run, { format: "ui-messages", heartbeatMs: 1 });
  });
  onTestFinished(server.close);
  const transport = new DefaultChatTransport({ api: server.url });
  let messages: UIMessage[] = [];
  const send = async (): Promise<UIMessage> => {
    const stream = await transport.sendMessages({
      trigger: "submit-message",
      chatId: "chat-1",
      messageId: undefined,
      messages,
      abortSignal: undefined,
    });
    const last = messages.at(-1)!;
    const isContinued = last.role === "assistant";
    let message: UIMessage | undefined;
    const reading = readUIMessageStream({
      stream,
      ...(isContinued && { message: structuredClone(last) }),
      terminateOnError: true,
    });
    for await (const state of reading) message = structuredClone(state);
    messages = [...(isContinued ? messages.slice(0, -1) : messages), message!];
    return message!;
  };
  return {
    say(words: string) {
      messages = [...messages, { id: `u${messages.length}`, role: "user", parts: [{ type: "text", text: words }] }];
      return send();
    },
    /** What `addToolApprovalResponse` of `useChat` does. */
    approve(approved: boolean) {
      const last = structuredClone(messages.at(-1)!);
      for (const part of last.parts) {
        if (!("state" in part) || part.state !== "approval-requested") continue;
        Object.assign(part, { state: "approval-responded", approval: { ...part.approval, approved } });
      }
      messages = [...messages.slice(0, -1), last];
      expect(lastAssistantMessageIsCompleteWithApprovalResponses({ messages })).toBe(true);
      return send();
    },
    addOutput(toolCallId: string, output: unknown) {
      const last = structuredClone(messages.at(-1)!);
      const part = last.parts.find((one) => "toolCallId" in one && one.toolCallId === toolCallId);
      Object.assign(part!, { state: "output-available", output });
      messages = [...messages.slice(0, -1), last];
      return send();
    },
    get messages() {
      return messages;
    },
  };
}

export const textOf = (message: UIMessage) =>
  message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
