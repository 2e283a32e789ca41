// The host's texts on their way to the model: prompts, steering messages, follow-ups, reminders.
import type { ContentPart } from "../../contracts/content.js";
import type { Label } from "../../contracts/label.js";
import type { BaseTool } from "../../contracts/tool.js";
import { labelOfTool, readHints } from "../../labels/read-label.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { QueuedMessage } from "../run/inbox.js";
import type { RunState } from "../run/run-state.js";
import { refreshTools } from "./system-prompt.js";

type PromptSource = "user" | "steering" | "follow-up";

/** Appends a prompt unless a UserPromptSubmit hook blocks it. `false`: it was blocked, and nothing was recorded. */
export async function submitPrompt(run: RunState, prompt: QueuedMessage, source: PromptSource): Promise<boolean> {
  // A sub-agent's prompt is not the user's.
  const isAsked = run.agentPath.length === 0 && run.config.hooks !== null;
  const about = { prompt: textOfParts(prompt.content), source };
  const outcome = isAsked ? await run.hooks.fire("UserPromptSubmit", about, source) : null;
  if (outcome?.blocked) {
    run.notice("HOOK_MESSAGE", `A ${source} message was blocked: ${outcome.reason ?? "by a UserPromptSubmit hook"}`);
    if (source === "user") run.stopByHook(outcome.reason ?? "A UserPromptSubmit hook blocked the prompt.");
    return false;
  }
  run.appendUser(prompt);
  for (const context of outcome?.additionalContext ?? []) run.appendReminder(context, "hook");
  return true;
}

/** Whether anything waits for the model, or may. */
export function hasDelivery({ inbox, prompt, registry }: RunState): boolean {
  return inbox.isWaiting || prompt.remindingTools.length > 0 || registry.definitions() !== prompt.tools;
}

/** Brings everything that waits for the model into the transcript: steering, tool changes, hook context, reminders. */
export async function deliverInbox(run: RunState): Promise<void> {
  const { inbox, prompt } = run;
  if (inbox.steering.length > 0)
    for (const message of inbox.steering.splice(0)) await submitPrompt(run, message, "steering");
  if (run.registry.definitions() !== prompt.tools) await refreshTools(run);
  for (const context of inbox.takeHookContext()) run.appendReminder(context, "hook");
  if (inbox.deliveries.length > 0) for (const message of inbox.deliveries.splice(0)) run.appendUser(message);
  if (prompt.remindingTools.length > 0) appendToolReminders(run);
}

/** A tool whose reminder fails has none. */
function appendToolReminders(run: RunState): void {
  const { sessionId, transcriptId, turn } = run;
  const messages = () => run.transcript.messages;
  for (const tool of run.prompt.remindingTools) {
    try {
      const text = tool.reminder?.({ sessionId, transcriptId, turn, messages });
      if (typeof text === "string" && text !== "") run.appendReminder(text, "reminder", labelOfReminder(run, tool));
    } catch (error) {
      run.notice("TOOL_REMINDER_FAILED", `The reminder of tool "${tool.name}" failed: ${describeThrown(error)}`);
    }
  }
}

/** What a tool reminds of is as trusted as what it says of all of its results. */
function labelOfReminder({ config }: RunState, { name, returns }: BaseTool): Label | undefined {
  if (!config.gate.usesLabels) return undefined;
  return labelOfTool(name, typeof returns === "function" ? undefined : readHints(returns));
}

function textOfParts(content: readonly ContentPart[]): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
}
