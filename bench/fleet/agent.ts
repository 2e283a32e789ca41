// The agent that is measured: so many calls of a tool that does nothing, then an answer. `ask` makes the first call a question.
import { AgentEngine, defineTool, type SessionStore } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

export function measuredAgent(sessions: SessionStore): AgentEngine {
  const step = defineTool({
    name: "step",
    description: "Does nothing.",
    input: { type: "object", properties: { n: { type: "number" }, ask: { type: "boolean" } } },
    permission: "execute",
    execute: () => "done",
    checkPermission: (input) => ({ behavior: Object(input).ask === true ? "ask" : "allow" }),
  });
  const provider = scripted(
    [
      ({ messages }) => {
        const [part] = messages[0]!.content;
        const [steps = "0", ask] = part?.type === "text" ? part.text.split(" ") : [];
        const n = messages.filter(({ role }) => role === "tool").length;
        return n < Number(steps) ? toolCall("step", { n, ask: ask === "ask" && n === 0 }) : text("Done.");
      },
    ],
    { loop: true, record: false },
  );
  return new AgentEngine({ provider, tools: [step], sessions, permissions: createPermissionChecker({}) });
}
