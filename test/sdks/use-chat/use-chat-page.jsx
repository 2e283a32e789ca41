// What a user of the AI SDK writes: the guide's `useChat`, and a plain view of its messages.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";

function Chat() {
  const [states, setStates] = useState([]);
  const { messages, status, error, sendMessage, addToolApprovalResponse, addToolOutput, stop } = useChat({
    id: "chat-1",
    resume: location.hash === "#resume",
    transport: new DefaultChatTransport({ api: "/chat" }),
    sendAutomaticallyWhen: window.areApprovalsAnswered ?? lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (failure) => setStates((before) => [...before, failure.message]),
  });
  const answer = (part, approved) => addToolApprovalResponse({ id: part.approval.id, approved, reason: "as I said" });
  const partView = (part, index) => {
    if (part.type === "text") return h("p", { key: index }, part.text);
    if (part.type === "data-question" && !part.data.isAnswered) {
      const reply = () => {
        addToolOutput({ tool: part.data.tool, toolCallId: part.data.toolCallId, output: "blue" });
        sendMessage();
      };
      return h("button", { type: "button", key: index, onClick: reply }, part.data.reason);
    }
    if (!part.type.startsWith("tool-")) return null;
    const input = h("code", null, JSON.stringify(part.input ?? null));
    const isAsked = part.state === "approval-requested";
    const yes = isAsked && h("button", { type: "button", onClick: () => answer(part, true) }, "Approve");
    const no = isAsked && h("button", { type: "button", onClick: () => answer(part, false) }, "Deny");
    return h(
      "div",
      { key: index, "data-state": part.state },
      part.type,
      input,
      yes,
      no,
      h("output", null, part.output),
    );
  };
  return h(
    "main",
    { "data-status": status },
    messages.map((message) =>
      h("article", { key: message.id, "data-role": message.role }, message.parts.map(partView)),
    ),
    h("p", { id: "error" }, error?.message ?? ""),
    h("p", { id: "errors" }, states.join(";")),
    h("button", { type: "button", onClick: () => sendMessage({ text: "Deploy." }) }, "Say deploy"),
    h("button", { type: "button", onClick: () => sendMessage({ text: "Write." }) }, "Say write"),
    h("button", { type: "button", onClick: stop }, "Stop"),
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(h(Chat));
