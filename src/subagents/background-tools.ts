// The tools for sub-agents in the background: look at them, write to them, end them.

import { ToolError } from "../contracts/errors.js";
import type { SubagentInfo } from "../contracts/subagent.js";
import type { BackgroundSubagents, BaseTool, ToolContext } from "../contracts/tool.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { integer, object, optional, string } from "../schema/fields.js";
import { followSignal } from "../time/follow-signal.js";
import { shortSubagentId } from "./subagent-id.js";
import { findSubagent, type SubagentTeam } from "./subagent-team.js";

const MAX_WAIT_MS = 60_000;
const id = string("The id that task returned, such as sub-0123456789ab.", { minLength: 1 });

/** The tools `subagent_output`, `subagent_message` and `subagent_stop`. */
export function createBackgroundTools({ subagents, maxDepth, count }: SubagentTeam): BaseTool[] {
  const find = (name: string) => subagents.get(name);
  const shared = { permission: "none", spawns: { maxDepth, find }, claims: () => [] } as const;
  return [
    defineTool({
      name: "subagent_output",
      polls: true,
      description:
        "Shows the latest text of a background sub-agent, or lists them. Results reach you as messages anyway.",
      input: object(
        {
          id: optional(id),
          wait_ms: optional(integer("How long to wait for it to end.", { minimum: 0, maximum: MAX_WAIT_MS })),
        },
        { strict: true },
      ),
      describe: ({ id }) => ({ title: id ? `Look at sub-agent ${id}` : "List the sub-agents", kind: "think" }),
      ...shared,
      replayable: true,
      timeoutMs: null,
      async execute({ id, wait_ms = 0 }, context) {
        const background = backgroundOf(context);
        if (id === undefined) return listOf(background.list());
        if (wait_ms > 0) await within(wait_ms, background.ended(id), context.signal);
        const text = background.textOf(id);
        const { name, status } = infoOf(background, id);
        const nothing = status === "running" ? "It has not said anything yet." : "Its result has reached you already.";
        const said = text.trim() === "" ? nothing : text;
        return { output: `Sub-agent "${name}" is ${status}.\n\n${said}`, details: { id, status } };
      },
    }),
    defineTool({
      name: "subagent_message",
      description: "Writes to a background sub-agent, for its next step, or to go on if it has ended.",
      input: object(
        { id, message: string(undefined, { trim: true, minLength: 1, maxLength: 50_000 }) },
        { strict: true },
      ),
      describe: ({ id = "" }) => ({ title: `Send a message to sub-agent ${id}`, kind: "think" }),
      ...shared,
      onUnknown: "retry",
      async execute({ id, message }, context) {
        const background = backgroundOf(context);
        if (background.send(id, message)) return "It reads the message before its next step.";
        const { id: continues, name } = infoOf(background, id);
        count.add(name, context);
        const definition = { ...findSubagent(subagents, name), kind: "background" } as const;
        const next = await background.start(definition, message, { continues });
        return `It had ended, and goes on from there as ${shortSubagentId(next.id)}. Its result reaches you as a message.`;
      },
    }),
    defineTool({
      name: "subagent_stop",
      description: "Stops a background sub-agent. Its latest text reaches you as a message.",
      input: object({ id }, { strict: true }),
      describe: ({ id = "" }) => ({ title: `Stop sub-agent ${id}`, kind: "think" }),
      ...shared,
      onUnknown: "retry",
      async execute({ id }, context) {
        const background = backgroundOf(context);
        const wasRunning = background.stop(id);
        await background.ended(id);
        return wasRunning ? "It was stopped." : "It had already ended.";
      },
    }),
  ];
}

function backgroundOf({ background }: ToolContext): BackgroundSubagents {
  if (background) return background;
  throw new ToolError("TOOL_FAILED", {
    message: "There are no background sub-agents here. Use task without run_in_background.",
  });
}

function infoOf(background: BackgroundSubagents, id: string): SubagentInfo {
  return background.list().find((info) => info.id === id || shortSubagentId(info.id) === id)!;
}

function listOf(all: readonly SubagentInfo[]): string {
  if (all.length === 0) return "There are no sub-agents in the background.";
  return all.map((info) => `${shortSubagentId(info.id)} "${info.name}": ${info.status}`).join("\n");
}

/** Waits for `ended`, for so long, and not after the call is aborted. */
async function within(ms: number, ended: Promise<void>, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unfollow = () => {};
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    unfollow = followSignal(signal, resolve);
  });
  await Promise.race([ended, tooLong]).finally(() => {
    clearTimeout(timer);
    unfollow();
  });
}
