// The work of every run before its first turn, and the beginning of one with a prompt.
import { ConfigurationError, RunError } from "../../contracts/errors.js";
import type { HookPayloads } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { Message } from "../../contracts/message.js";
import type { Transition } from "../../contracts/run.js";
import type { RunGiven, UnstoredOption } from "../../contracts/session.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { optionError } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { loadPrompt, submitPrompt } from "../context/model-input.js";
import { sentAgain } from "../context/sent-again.js";
import type { HistoryMessage } from "../options/options.js";
import type { QueuedMessage } from "../run/inbox.js";
import type { RunState } from "../run/run-state.js";
import { denyOpenTurn } from "../subagents/deny-children.js";
import { isMessage } from "../transcript/message-shape.js";
import { HELD_PROMPT } from "../transcript/transcript.js";
import { validateTranscript } from "../transcript/validate-transcript.js";
import type { PromptPlace } from "./open-session.js";

/** A prompt, its place, and the messages that come between the two. */
export interface PromptStart extends PromptPlace {
  readonly prompt: QueuedMessage;
  readonly history: readonly HistoryMessage[];
}

/** Begins a run with a prompt. Calls left open by an earlier run are settled first. */
export async function beginWithPrompt(run: RunState, { prompt, history, after }: PromptStart): Promise<Transition> {
  const past = readHistory(run, history, after !== undefined);
  const isNew = run.transcript.messages.length === 0;
  requireGivenForBackground(run);
  await denyOpenCalls(run);
  recordRunStart(run);
  announceStart(run, { resumed: false });
  recordHistory(run, past, prompt.label);
  const earlier = run.transcript.heldPrompt;
  if (earlier) run.inbox.prompts.push({ content: earlier, origin: "user" });
  run.inbox.prompts.push(prompt);
  return prepareRun(run, isNew ? "startup" : "resume");
}

/** The first entry of a run; what it was given of its own comes back when it is resumed. */
export function recordRunStart({ recorder, setup: { given } }: RunState): void {
  recorder.record({ type: "run-start", ...(given && { given }) });
}

/** A sub-agent's prompt is not the user's. */
function asksAboutPrompts(run: RunState): boolean {
  return run.agentPath.length === 0 && (run.config.hooks?.has("UserPromptSubmit") ?? false);
}

/** Submits every prompt that is not on record yet. `false`: one was refused. */
async function submitPrompts(run: RunState): Promise<boolean> {
  const { prompts } = run.inbox;
  while (prompts.length > 0) {
    const isSubmitted = await submitPrompt(run, prompts[0]!, "user");
    // A hook that was given up because the run has ended has not decided: the prompt is asked about again.
    if (run.lifetime.ending && !isSubmitted) return false;
    prompts.shift();
    if (isSubmitted) continue;
    if (run.transcript.heldPrompt) run.recorder.record({ type: "custom", name: HELD_PROMPT, data: [] });
    return false;
  }
  return true;
}

/** Records the prompts of a run that ends before its first turn; the next run asks the hooks that were not asked. */
export function keepPrompts(run: RunState): void {
  const { prompts } = run.inbox;
  if (prompts.length === 0) return;
  if (!asksAboutPrompts(run) && !run.transcript.open) {
    for (const prompt of prompts.splice(0)) run.appendUser(prompt);
    return;
  }
  const data = prompts.splice(0).flatMap(({ content }) => content) as unknown as JsonValue;
  run.recorder.record({ type: "custom", name: HELD_PROMPT, data });
}

/** Loads what the first request needs, greets the session and submits what is to be submitted. */
export async function prepareRun(run: RunState, source: "startup" | "resume"): Promise<Transition> {
  const { lifetime, inbox } = run;
  if (run.setup.output) await lifetime.unlessStopped(run.setup.output.ready(), "The output schema's ready()");
  const contexts = await greet(run, source);
  await loadPrompt(run);
  checkPrices(run);
  if (lifetime.ending) return lifetime.ending.status;
  if (run.transcript.background.open.length > 0) run.background.restart();
  const isSubmitted = await submitPrompts(run);
  if (run.transcript.open) inbox.hookContext.push(...contexts);
  else if (isSubmitted) for (const context of contexts) run.appendReminder(context, "hook");
  if (!(await run.commit())) return "failed";
  return run.endedAs() ?? (run.stopAfterTurn ? "hook-stopped" : "next-turn");
}

async function greet(run: RunState, source: "startup" | "resume"): Promise<readonly string[]> {
  if (!run.config.hooks) return [];
  const outcome =
    run.agentPath.length === 0
      ? await run.hooks.fire("SessionStart", { source, model: run.provider.model, ...sinceThen(run) }, source)
      : await run.hooks.fire("SubagentStart", { agentId: run.transcriptId }, run.agentPath.at(-1));
  return outcome?.additionalContext ?? [];
}

/** The age and the size of what a resumed session sends again. */
function sinceThen(run: RunState): Partial<HookPayloads["SessionStart"]> {
  const { lastAssistant, lastAssistantAt } = run.transcript;
  if (!lastAssistant) return {};
  const ms = Math.max(0, run.config.runtime.now() - lastAssistantAt);
  return { secondsSinceLastResponse: Math.round(ms / 1000), ...sentAgain(run) };
}

/** A limit that cannot be enforced is not a limit: without a price the run does not begin. */
function checkPrices(run: RunState): void {
  if (!run.meter.limitsCost()) return;
  const { id: provider, model } = run.provider;
  if (run.meter.priceOf(run.provider, { inputTokens: 0, outputTokens: 0 }) !== null) return;
  const message = `limits.maxCostUsd cannot be enforced: the price of model "${model}" of provider "${provider}" is not known. Add it to prices, or limit tokens instead.`;
  run.stop("failed", new RunError("COST_UNKNOWN", { message, details: { provider, model } }));
}

async function denyOpenCalls(run: RunState): Promise<void> {
  const { open } = run.transcript;
  if (!open) return;
  await denyOpenTurn(run, run.transcriptId, run.recorder, open);
  for (const { text, origin, label } of open.held) run.appendReminder(text, origin, label);
}

/** Tells observers that a run has begun; of a sub-agent, also which one it is and for which call of the main agent. */
export function announceStart(run: RunState, { resumed }: { readonly resumed: boolean }): void {
  if (run.agentPath.length === 0) {
    run.emit("run-start", { resumed });
    return;
  }
  const { rootCall, spawnedBy } = run.setup;
  const { toolCallId } = rootCall ?? {};
  run.emit("run-start", {
    resumed,
    subagent: {
      id: run.transcriptId,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(spawnedBy && { parent: spawnedBy }),
    },
  });
}

// ── history from the host ─────────────────────────────────────────────────────────────────────────────────────────────

/** The session's own copy. @throws ConfigurationError `OPTION_INVALID`, also for a session that has a history already */
function readHistory(run: RunState, given: readonly HistoryMessage[], isPlaced: boolean): readonly Message[] {
  if (given.length === 0) return [];
  const history = given.map(inFull);
  if (run.transcript.lastEntryId !== null && !isPlaced) {
    throw optionError(
      "engine.run()",
      "history",
      history,
      `nothing: session "${run.transcriptId}" exists and has its own history`,
    );
  }
  const wrong = history.findIndex((message) => !isMessage(message));
  if (wrong >= 0)
    throw optionError(
      "engine.run()",
      "history",
      history,
      `messages with role and content parts (message ${wrong} is not one)`,
    );
  const problem = validateTranscript(history)[0];
  if (!problem) return copyHistory(history);
  const at = `messages in which every tool call has its result (message ${problem.index}: ${problem.message}); see repairTranscript()`;
  throw optionError("engine.run()", "history", history, at);
}

/** A string is one text part; who wrote an assistant's message may be left out. */
function inFull(message: HistoryMessage): Message {
  if (typeof message !== "object" || message === null) return message;
  const { role } = message;
  // A whole message stays as it is, to the order of its keys: a fork's request begins with its parent's bytes.
  if (typeof message.content !== "string" && (role !== "assistant" || "provider" in message)) return message as Message;
  const content =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  if (role !== "assistant") return { ...message, content } as Message;
  const missing = Object.entries(UNKNOWN_AUTHOR).filter(([key]) => Reflect.get(message, key) === undefined);
  // Members that are there keep their order: a fork's request is its parent's, byte for byte.
  return { ...message, content, ...Object.fromEntries(missing) } as Message;
}

const UNKNOWN_AUTHOR = { finishReason: "stop", provider: "history", model: "unknown" } as const;

function copyHistory(history: readonly Message[]): readonly Message[] {
  try {
    return history.map((message) => copyJson(message, true) as unknown as Message);
  } catch (error) {
    throw optionError("engine.run()", "history", history, `messages that are JSON (${describeThrown(error)})`);
  }
}

/** `label`: that of all of it, where it is known; a host's own history has none. */
function recordHistory(run: RunState, history: readonly Message[], label?: Label): void {
  const labelled = label && { label };
  for (const message of history) {
    if (message.role !== "tool") run.recorder.record({ type: "message", message, ...labelled });
    else
      for (const part of message.content)
        run.recorder.record({ type: "tool-result", result: resultOfPart(part), ...labelled });
  }
}

function resultOfPart({ toolCallId, name, output, isError }: Extract<Message, { role: "tool" }>["content"][number]) {
  const status = isError ? "failure" : "success";
  const details = isError ? { code: "TOOL_FAILED" } : undefined;
  const result: ToolResult = { toolCallId, name, output, isError, status, durationMs: 0, ...(details && { details }) };
  return Object.freeze(result);
}

// ── a run's own options beside its prompt: a resume goes on with the same, or is refused ─────────────────────────────

/** The resumed run is given again what the session has of it. Nothing of the run has begun. */
export function adoptGiven(run: RunState): void {
  const { given: kept } = run.transcript;
  const { withGiven } = run.setup;
  if (kept && withGiven) run.adopt(withGiven(kept));
}

/** @throws ConfigurationError `OPTION_MISSING` for a resume that lacks what its run was given and no session holds */
export function requireGiven(run: RunState): void {
  const { given: kept } = run.transcript;
  const missing: string[] = missingOf(run, kept);
  if (kept?.mode && isLaxModeOfKey(run, kept)) missing.push("mode");
  if (missing.length > 0) throw optionMissing(run, "The run", missing);
}

/** The same for sub-agents that an earlier run has left in the background, and that go on in this one. */
function requireGivenForBackground(run: RunState): void {
  const { given, background } = run.transcript;
  if (background.open.length === 0) return;
  const missing = missingOf(run, given).filter((name) => name !== "output");
  if (missing.length > 0) throw optionMissing(run, "A run whose sub-agents are still in the background", missing);
}

function missingOf({ setup }: RunState, kept: RunGiven | null): UnstoredOption[] {
  const { given: own } = setup;
  return (kept?.unstored ?? []).filter((name) => !own?.unstored?.includes(name) && !(name === "output" && own?.output));
}

/** A host that signs answers does not let those who can write the session widen what runs without a question. */
function isLaxModeOfKey({ config, setup }: RunState, { mode }: RunGiven): boolean {
  if (config.approvals.key === undefined || mode === config.mode || mode !== setup.mode) return false;
  return (mode === "acceptEdits" || mode === "bypassPermissions") && !setup.isModeStated;
}

function optionMissing({ transcriptId }: RunState, who: string, missing: readonly string[]): ConfigurationError {
  const names = missing.join(", ");
  const message = `${who} of session "${transcriptId}" was given options that no session holds, and that are missing now: ${names}. Pass them again to resume(), run() or hub.answer(), as { ${names} }; a hub and a fleet also take contextFor(sessionId).`;
  return new ConfigurationError("OPTION_MISSING", {
    message,
    details: { option: missing[0]!, missing: [...missing], sessionId: transcriptId },
  });
}
