// The host's input for the model: the beginning of every request of an epoch (system prompt and tools), and texts on their way.
import type { ContentPart } from "../../contracts/content.js";
import { isHarnessError, RunError, ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { PromptSection } from "../../contracts/provider.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { equalJson } from "../../json/copy.js";
import { labelOfTool, readHints } from "../../labels/read-label.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { QueuedMessage } from "../run/inbox.js";
import { recordInRoot } from "../run/record-in-root.js";
import type { RunState } from "../run/run-state.js";
import { assertDefinition } from "../tools/define-tool.js";
import { sentAgain } from "./sent-again.js";

/** Loads system prompt and tools, and begins a new epoch if anything differs from the session's last one. */
export async function loadPrompt(run: RunState): Promise<void> {
  await loadTools(run);
  if (run.lifetime.ending) return;
  run.prompt.system = Object.freeze([...run.config.system, ...(await loadSources(run))]);
  const { epoch } = run.transcript;
  if (!epoch) return beginEpoch(run, "start");
  if (await switchesModel(run)) return beginEpoch(run, "provider");
  if (!equalJson(epoch.system, run.prompt.system)) return beginEpoch(run, "system");
  if (!equalJson(epoch.tools, run.prompt.tools)) beginEpoch(run, "tools");
}

/** Tools have come or gone while the run is under way. */
async function refreshTools(run: RunState): Promise<void> {
  await loadTools(run);
  if (!run.lifetime.ending) beginEpoch(run, "tools");
}

export function beginEpoch(run: RunState, cause: string): void {
  run.recorder.record({ type: "epoch", cause, system: run.prompt.system, tools: run.prompt.tools });
  run.meter.lastCall = undefined;
  run.prompt.request = null;
  run.emit("epoch", { cause });
}

/**
 * Waits for every tool that has to get ready.
 *
 * @throws ToolError `TOOL_FAILED`, or the error a tool itself has named
 */
export async function toolsReady(registry: Registry): Promise<void> {
  try {
    await (registry.ready?.() ?? Promise.all(registry.list().map((tool) => tool.ready?.())));
  } catch (cause) {
    if (isHarnessError(cause)) throw cause;
    throw new ToolError("TOOL_FAILED", { message: `A tool's ready() failed: ${describeThrown(cause)}`, cause });
  }
}

async function loadTools(run: RunState): Promise<void> {
  const { registry } = run;
  await run.lifetime.unlessStopped(toolsReady(registry), "A tool's ready()");
  if (run.lifetime.ending) return;
  run.prompt.tools = registry.definitions();
  run.prompt.remindingTools = registry.list().filter((tool) => tool.reminder);
  for (const definition of run.prompt.tools) assertDefinition(definition, definition.name);
  if (run.provider.programs !== undefined) run.prompt.forPrograms = toolsForPrograms(registry);
}

/** The tools that no model calls itself: programs on the vendor's server may. */
function toolsForPrograms(registry: Registry): readonly ToolDefinition[] {
  return registry.list().flatMap((tool) => {
    if (tool.callers?.includes("model") !== false) return [];
    const { outputSchema: _, ...shown } = tool.definition();
    assertDefinition(shown, tool.name);
    return Object.freeze({ ...shown, callers: tool.callers });
  });
}

async function loadSources(run: RunState): Promise<PromptSection[]> {
  const sections: PromptSection[] = [];
  const { sessionId, transcriptId, agentPath } = run;
  const resumed = run.inbox.prompts.length === 0 || Boolean(run.transcript.open);
  const messages = () => run.transcript.messages;
  const record = (name: string, data: JsonValue) => recordInRoot(run, name, data);
  const notice = (message: string) => run.notice("CONTEXT_LEFT_OUT", message);
  const { usesLabels = false } = run.config.gate;
  const about = {
    sessionId,
    transcriptId,
    agentPath,
    app: run.setup.app,
    resumed,
    usesLabels,
    messages,
    record,
    notice,
  };
  for (const source of run.config.contextSources) {
    let section: PromptSection | null | undefined;
    try {
      const previous = run.transcript.epoch?.system.find(({ id }) => id === source.id);
      const loading = source.load({ ...about, signal: run.lifetime.signal, ...(previous && { previous }) });
      section = await run.lifetime.unlessStopped(loading, `Context source "${source.id}"`);
    } catch (cause) {
      if (isHarnessError(cause) && cause instanceof RunError) throw cause;
      const message = `Context source "${source.id}" failed: ${describeThrown(cause)}`;
      throw new RunError("CONTEXT_SOURCE_FAILED", { message, cause });
    }
    if (run.lifetime.ending || section === null || section === undefined) continue;
    if (!isSection(section)) {
      const message = `Context source "${source.id}" did not return a section { id, text } or null.`;
      throw new RunError("CONTEXT_SOURCE_FAILED", { message });
    }
    sections.push(Object.freeze({ id: section.id, text: section.text }));
    await run.hooks.fire("InstructionsLoaded", { sourceId: source.id, characters: section.text.length });
  }
  return sections;
}

function isSection(value: unknown): value is PromptSection {
  const { id, text } = Object(value) as Partial<PromptSection>;
  return typeof id === "string" && typeof text === "string";
}

/** Whether the session's last message came from another model. */
async function switchesModel(run: RunState): Promise<boolean> {
  const last = run.transcript.lastAssistant;
  const { id, model } = run.provider;
  if (!last || (last.provider === id && last.model === model)) return false;
  const again = sentAgain(run);
  const pricing = run.config.prices ? "configured" : "catalog";
  const models = {
    fromModel: `${last.provider}/${last.model}`,
    toModel: `${id}/${model}`,
    ...again,
    ...(again.estimatedCacheWriteUsd !== undefined && ({ pricing } as const)),
  };
  const outcome = await run.hooks.fire("PreModelSwitch", models);
  if (outcome?.blocked) run.stopByHook(outcome.reason ?? "A PreModelSwitch hook refused the model.");
  const after = await run.hooks.fire("PostModelSwitch", models);
  run.inbox.hookContext.push(...(after?.additionalContext ?? []));
  return true;
}

// ── the host's texts on their way to the model: prompts, steering messages, follow-ups, reminders ────────────────────

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

/** The label of a tool's reminder: the one that the tool declares for all of its results. */
function labelOfReminder({ config }: RunState, { name, returns }: BaseTool): Label | undefined {
  if (!config.gate.usesLabels) return undefined;
  return labelOfTool(name, typeof returns === "function" ? undefined : readHints(returns));
}

function textOfParts(content: readonly ContentPart[]): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
}
