// The agent of the fleet tests: it calls `effect` once for each step that its prompt asks for, then says "Done.".
import { AgentEngine, defineTool, type SessionStore } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

export interface AgentSettings {
  readonly sessions: SessionStore;
  /** Where each effect is counted. */
  readonly countAt: string;
  /** How long a model call takes. Unit: milliseconds. */
  readonly thinkMs?: number;
}

/** A prompt that asks for effects, such as `r1 3`; with `ask` each one needs an approval: `r1 3 ask`. */
export function fleetAgent({ sessions, countAt, thinkMs = 0 }: AgentSettings): AgentEngine {
  const effect = defineTool({
    name: "effect",
    description: "Changes the world.",
    input: {
      type: "object",
      properties: { run: { type: "string" }, step: { type: "number" } },
      required: ["run", "step"],
    },
    permission: "execute",
    async execute(input, { toolCallId, app }) {
      await fetch(countAt, { method: "POST", body: JSON.stringify({ ...(input as object), toolCallId, app }) });
      return `step ${String(Object(input).step)} done`;
    },
    checkPermission: (input) => ({ behavior: String(Object(input).run).startsWith("ask-") ? "ask" : "allow" }),
  });
  const provider = scripted(
    [
      async ({ messages }) => {
        if (thinkMs > 0) await new Promise((resolve) => setTimeout(resolve, thinkMs * (0.5 + Math.random())));
        const prompts = messages.flatMap((message, at) =>
          message.role === "user" && (message.origin ?? "user") === "user" ? [{ message, at }] : [],
        );
        const { message, at } = prompts.at(-1)!;
        const [part] = message.content;
        const [run = "", steps = "0"] = part?.type === "text" ? part.text.split(" ") : [];
        // What is on record counts, whatever became of it: nothing is asked for twice.
        const done = messages.slice(at).filter(({ role }) => role === "tool").length;
        return done < Number(steps) ? toolCall("effect", { run, step: done }, { id: `${run}-${done}` }) : text("Done.");
      },
    ],
    { loop: true, record: false },
  );
  return new AgentEngine({
    provider,
    tools: [effect],
    sessions,
    permissions: createPermissionChecker({ rules: { allow: [], ask: [], deny: [] } }),
  });
}
