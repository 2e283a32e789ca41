// The beginning of every request of an epoch: system prompt and tools.
import { isHarnessError, RunError, ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PromptSection } from "../../contracts/provider.js";
import type { Registry } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { equalJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { recordInRoot } from "../run/record-in-root.js";
import type { RunState } from "../run/run-state.js";
import { assertDefinition } from "../tools/assert-tool.js";
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
export async function refreshTools(run: RunState): Promise<void> {
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

/** Those that no model calls itself: programs on the vendor's server may. */
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
  const { usesLabels = false } = run.config.gate;
  const about = { sessionId, transcriptId, agentPath, app: run.setup.app, resumed, usesLabels, messages, record };
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
