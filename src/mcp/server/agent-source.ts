// A whole agent as one tool: what a client sends is a prompt, and what it gets is the final text, and what the agent has drawn.
import type { RunResult } from "../../contracts/run.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { AgentEngine } from "../../engine/engine.js";
import { latestMedia } from "../../engine/transcript/message-shape.js";
import type { ClientCalls, ToolSource } from "./tool-source.js";

/** The form in which an agent is offered. */
export interface McpAgentTool {
  /** Default: `agent`. */
  readonly name?: string | undefined;
  /** The agent's abilities, for the model that will ask it. */
  readonly description: string;
}

const INPUT = {
  type: "object",
  properties: {
    prompt: { type: "string", description: "What the agent is to do. It sees nothing of this conversation." },
    conversation: { type: "string", description: "From an earlier result: continues that conversation." },
  },
  required: ["prompt"],
  additionalProperties: false,
};
/** Conversations one client may come back to; the oldest are forgotten. */
const MAX_CONVERSATIONS = 100;

export function createAgentSource(engine: AgentEngine, { name = "agent", description }: McpAgentTool): ToolSource {
  return {
    definitions: async () => [{ name, description, inputSchema: INPUT, isReadOnly: false }],
    openClient: (id) => openClient(engine, name, id),
    close: async () => {},
  };
}

function openClient(engine: AgentEngine, name: string, id: string): ClientCalls {
  // A client can name its own conversations only: they are numbers of this table, not names of sessions.
  const sessions = new Map<string, string>();
  let count = 0;
  return {
    async call(call, signal, onProgress) {
      if (call.name !== name)
        return failed(call, "TOOL_UNKNOWN", `There is no tool "${call.name}". There is "${name}".`);
      const { prompt, conversation } = Object(call.arguments) as { prompt?: unknown; conversation?: unknown };
      if (typeof prompt !== "string" || prompt.trim() === "") {
        return failed(call, "TOOL_INPUT_INVALID", `Tool "${name}" needs a "prompt" that is not empty.`);
      }
      const known = typeof conversation === "string" ? sessions.get(conversation) : undefined;
      if (conversation !== undefined && known === undefined) {
        return failed(call, "TOOL_INPUT_INVALID", "There is no such conversation. Leave it out to begin a new one.");
      }
      const key = known === undefined ? String(++count) : String(conversation);
      const sessionId = known ?? `mcp-${id}-${key}`;
      // Put at the end again: the one that was not used for longest is forgotten.
      sessions.delete(key);
      sessions.set(key, sessionId);
      if (sessions.size > MAX_CONVERSATIONS) await forgetOldest(engine, sessions);
      const run = engine.stream(prompt, { sessionId, signal });
      // Nobody reads the run's own events; what its tools do is shown as progress.
      let steps = 0;
      for await (const event of run) {
        if (event.type === "tool-call-start" && event.sessionId === sessionId) {
          onProgress({ progress: ++steps, message: event.call.name });
        }
      }
      return resultOf(call, key, await run.result);
    },
    async end() {
      await Promise.all([...sessions.values()].map((sessionId) => engine.endSession(sessionId)));
    },
  };
}

/** Tools release their hold on a conversation that nobody can come back to. A tool that fails at it changes nothing here. */
async function forgetOldest(engine: AgentEngine, sessions: Map<string, string>): Promise<void> {
  const [oldest] = sessions;
  if (!oldest) return;
  const [key, sessionId] = oldest;
  sessions.delete(key);
  await engine.endSession(sessionId).catch(() => {});
}

function resultOf(call: ToolCall, conversation: string, result: RunResult): ToolResult {
  const { status, text, error, pending } = result;
  const footer = `\n\n(conversation: ${conversation})`;
  if (status === "completed") {
    const said = { type: "text" as const, text: text + footer };
    const media = latestMedia(result.messages());
    return {
      ...base(call),
      output: media.length > 0 ? [said, ...media] : said.text,
      isError: false,
      status: "success",
    };
  }
  if (status === "needs-approval") {
    const asked = pending.map(({ tool, reason }) => `${tool}: ${reason}`).join("; ");
    return failed(
      call,
      "PERMISSION_ASK",
      `The agent may not go on without an approval that nobody here can give: ${asked}`,
    );
  }
  const why = error?.message ?? `It ended as "${status}".`;
  return failed(
    call,
    error?.code ?? "TOOL_FAILED",
    `The agent did not finish. ${why}${text === "" ? "" : `\n\n${text}`}${footer}`,
  );
}

function failed(call: ToolCall, code: string, output: string): ToolResult {
  const status = code === "PERMISSION_ASK" ? "denied" : "failure";
  return { ...base(call), output, isError: true, status, details: { code } };
}

function base({ id, name }: ToolCall) {
  return { toolCallId: id, name, durationMs: 0 };
}
