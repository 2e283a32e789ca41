// Bringing a session's past into a run, and its first or next prompt.
import { isHarnessError, RunError, SessionError } from "../../contracts/errors.js";
import type { Message } from "../../contracts/message.js";
import type { Transition } from "../../contracts/run.js";
import type { Release, SessionEntry } from "../../contracts/session.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { invalidOption } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { refusal } from "../calls/tool-result.js";
import { loadPrompt } from "../context/system-prompt.js";
import { submitPrompt } from "../context/user-input.js";
import { priceOf } from "../model/model-call.js";
import type { QueuedMessage, RunState } from "../run/run-state.js";
import { isContentPart, isMessage } from "../transcript/message-shape.js";
import { validateTranscript } from "../transcript/validate-transcript.js";

/** Locks the session and rebuilds its transcript. @throws SessionError `SESSION_BUSY`, `SESSION_READ`, … */
export async function openSession(run: RunState): Promise<Release> {
  const { store } = run.config;
  let release: Release | undefined;
  try {
    release = await store.lock(run.transcriptId);
    await readSession(run);
    return release;
  } catch (cause) {
    await closeSession(run, release);
    throw unreadable(run, cause);
  }
}

/** Rebuilds the transcript from the store. @throws SessionError `SESSION_READ`, `SESSION_CORRUPT`, … */
export async function readSession(run: RunState): Promise<void> {
  try {
    const entries: SessionEntry[] = [];
    for await (const entry of run.config.store.read(run.transcriptId)) entries.push(entry);
    for (const entry of currentBranch(entries)) run.transcript.apply(entry);
  } catch (cause) {
    throw unreadable(run, cause);
  }
}

function unreadable(run: RunState, cause: unknown): SessionError {
  if (isHarnessError(cause) && cause instanceof SessionError) return cause;
  const message = `Session "${run.transcriptId}" could not be read: ${describeThrown(cause)}`;
  return new SessionError("SESSION_READ", { message, cause });
}

/** Unlocks the session. A store that cannot changes nothing about how the run went. */
export async function closeSession(run: RunState, release: Release | undefined): Promise<void> {
  try {
    await release?.();
  } catch (error) {
    run.notice("SESSION_WRITE", `Session "${run.transcriptId}" could not be unlocked: ${describeThrown(error)}`);
  }
}

/** The entries that lead to the newest one. Sessions that were never rewound are one branch. */
function currentBranch(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  if (entries.every((entry, index) => index === 0 || entry.parent === entries[index - 1]!.id)) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const branch: SessionEntry[] = [];
  for (let id: string | null = entries.at(-1)!.id; id !== null; id = branch.at(-1)!.parent) {
    const entry = byId.get(id);
    if (!entry || branch.length === entries.length) throw brokenBranch(branch.at(-1)!.id);
    branch.push(entry);
  }
  return branch.reverse();
}

function brokenBranch(entryId: string): SessionError {
  return new SessionError("SESSION_CORRUPT", {
    message: `The session's entry "${entryId}" follows one that it does not have. Part of its past is lost; restore it.`,
  });
}

/** @throws ConfigurationError `OPTION_INVALID` unless the input is text or content parts */
export function checkInput(input: unknown): void {
  if (typeof input === "string" && input !== "") return;
  if (Array.isArray(input) && input.length > 0 && input.every(isContentPart)) return;
  throw invalidOption("input", input, "a non-empty text, or a non-empty array of text, image and file parts");
}

/** A session begins with its history; one that has begun has a history of its own. Returns the session's own copy. */
function readHistory(run: RunState, history: readonly Message[]): readonly Message[] {
  if (history.length === 0) return history;
  if (run.transcript.lastEntryId !== null) {
    throw invalidOption("history", history, `nothing: session "${run.transcriptId}" exists and has its own history`);
  }
  const wrong = history.findIndex((message) => !isMessage(message));
  if (wrong >= 0)
    throw invalidOption("history", history, `messages with role and content parts (message ${wrong} is none)`);
  const problem = validateTranscript(history)[0];
  if (!problem) return copyHistory(history);
  const at = `messages in which every tool call has its result (message ${problem.index}: ${problem.message}); see repairTranscript()`;
  throw invalidOption("history", history, at);
}

function copyHistory(history: readonly Message[]): readonly Message[] {
  try {
    return history.map((message) => copyJson(message, true) as unknown as Message);
  } catch (error) {
    throw invalidOption("history", history, `messages that are JSON (${describeThrown(error)})`);
  }
}

/** Begins a run with a prompt. Calls left open by an earlier run are answered first. */
export async function beginRun(run: RunState, prompt: QueuedMessage, history: readonly Message[]): Promise<Transition> {
  const past = readHistory(run, history);
  const isNew = run.transcript.lastEntryId === null;
  denyOpenCalls(run);
  run.recorder.record({ type: "run-start" });
  run.emit("run-start", { resumed: false });
  for (const message of past) recordHistory(run, message);
  return prepareRun(run, isNew ? "startup" : "resume", () => submitPrompt(run, prompt, "user"));
}

/** What every run does before its first turn. */
export async function prepareRun(
  run: RunState,
  source: "startup" | "resume",
  submit: () => Promise<boolean> = async () => true,
): Promise<Transition> {
  if (run.setup.output) await run.unlessStopped(run.setup.output.ready(), "The output schema's ready()");
  const contexts = await greet(run, source);
  await loadPrompt(run);
  checkPrices(run);
  if (run.ending) return run.ending.status;
  const submitted = await submit();
  if (run.transcript.open) run.contexts.push(...contexts);
  else if (submitted) for (const context of contexts) run.tell(context, "hook");
  if (!(await run.commit())) return "failed";
  return run.endedAs() ?? (run.stopAfterTurn ? "hook-stopped" : "next-turn");
}

async function greet(run: RunState, source: "startup" | "resume"): Promise<readonly string[]> {
  const outcome =
    run.agentPath.length === 0
      ? await run.hooks.fire("SessionStart", { source, model: run.provider.model }, source)
      : await run.hooks.fire("SubagentStart", { agentId: run.transcriptId }, run.agentPath.at(-1));
  return outcome?.additionalContext ?? [];
}

/** A limit that cannot be watched is no limit: without a price the run does not begin. */
function checkPrices(run: RunState): void {
  if (!run.meter.limitsCost()) return;
  const { id: provider, model } = run.provider;
  if (priceOf(run, { inputTokens: 0, outputTokens: 0 }) !== null) return;
  const message = `limits.maxCostUsd cannot be kept: the price of model "${model}" of provider "${provider}" is not known. Add it to prices, or limit tokens instead.`;
  run.stop("failed", new RunError("COST_UNKNOWN", { message }));
}

function denyOpenCalls(run: RunState): void {
  const { open } = run.transcript;
  if (!open) return;
  const message = "The call was not answered: the user went on with a new prompt instead.";
  for (const [index, call] of open.calls.entries()) {
    if (open.results[index]) continue;
    const result = open.wasStarted(call.id)
      ? unknownOutcome(call)
      : refusal(call, "denied", "PERMISSION_DENIED", message);
    run.recorder.record({ type: "tool-result", result });
  }
  for (const context of open.heldContext) run.tell(context, "hook");
}

/** The result of a call that had been started when its process ended. */
export function unknownOutcome(call: { readonly id: string; readonly name: string }): ToolResult {
  const message = `"${call.name}" had been started when the process ended, and its outcome is not known. Check what it did before you repeat it.`;
  return refusal({ ...call, arguments: null }, "unknown", "TOOL_OUTCOME_UNKNOWN", message);
}

function recordHistory(run: RunState, message: Message): void {
  if (message.role !== "tool") {
    run.recorder.record({ type: "message", message });
    return;
  }
  for (const { toolCallId, name, output, isError } of message.content) {
    const status = isError ? "failure" : "success";
    const details = isError ? { code: "TOOL_FAILED" } : undefined;
    const result: ToolResult = {
      toolCallId,
      name,
      output,
      isError,
      status,
      durationMs: 0,
      ...(details && { details }),
    };
    run.recorder.record({ type: "tool-result", result: Object.freeze(result) });
  }
}
