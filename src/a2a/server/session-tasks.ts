// The tasks of a session, read from its entries: so a task is the same for every server that shares the store, and after a restart.
import type { Artifact, Message, Task, TaskState, TaskStatus } from "@a2a-js/sdk";
import type { PendingRequest } from "../../contracts/approval.js";
import type { RunStatus } from "../../contracts/run.js";
import type { SessionEntry } from "../../contracts/session.js";
import { findJson } from "../../engine/options/output-schema.js";
import { isMediaPart, isPrompt, textOfMessage, toolCallsOf } from "../../engine/transcript/message-shape.js";
import type { A2aServerSdk } from "../a2a-sdk.js";
import { artifact, dataPart, filePart, message, textPart } from "../message-parts.js";
import { questionParts } from "./questions.js";
import type { TaskAddress } from "./task-address.js";

/** A task as others see it, and what is needed to go on with it. */
export interface SessionTask {
  readonly address: TaskAddress;
  readonly task: Task;
  /** Its open questions. */
  readonly pending: readonly PendingRequest[];
  /** Whether a run of this process works for it. */
  readonly isRunning: boolean;
  /** Whether it goes on with a message: an answer, or anything where its process has stopped. */
  readonly isWaiting: boolean;
}

/** Facts about a session that its entries do not hold. */
export interface SessionUse {
  readonly contextId: string;
  readonly sessionId: string;
  /** The run under way in this process. */
  readonly runningId: string | undefined;
  /** Whether another process uses the session. */
  readonly isBusy: boolean;
  /** Whether every run of the engine has a structured answer. */
  readonly isStructured: boolean;
}

/** Every task, oldest first. */
export function tasksOfSession(sdk: A2aServerSdk, entries: readonly SessionEntry[], use: SessionUse): SessionTask[] {
  const chains = chainsOf(entries);
  return chains.map((chain, index) => taskOfChain(sdk, chain, index === chains.length - 1, use));
}

/** The entries of one task by run: a run without a prompt goes on with the one before, if that is not over. */
type Chain = Map<string, SessionEntry[]>;

function chainsOf(entries: readonly SessionEntry[]): Chain[] {
  const runs: Chain = new Map();
  for (const entry of entries) {
    const run = runs.get(entry.runId);
    if (run) run.push(entry);
    else runs.set(entry.runId, [entry]);
  }
  const chains: Chain[] = [];
  let isOpen = false;
  for (const [runId, run] of runs) {
    const isPrompted = run.some((entry) => entry.type === "message" && isPrompt(entry.message));
    if (isPrompted || !isOpen) chains.push(new Map());
    chains.at(-1)!.set(runId, run);
    const status = endOf(run);
    isOpen = status === undefined || status === "needs-approval";
  }
  return chains;
}

function endOf(run: readonly SessionEntry[]): RunStatus | undefined {
  const end = run.findLast((entry) => entry.type === "run-end");
  return end?.status;
}

function taskOfChain(sdk: A2aServerSdk, chain: Chain, isNewest: boolean, use: SessionUse): SessionTask {
  const [runId, newestId] = [[...chain.keys()][0]!, [...chain.keys()].at(-1)!];
  const entries = [...chain.values()].flat();
  const { contextId, sessionId } = use;
  const address = { id: `${contextId}.${runId}`, contextId, sessionId, runId };
  const end = endOf(chain.get(newestId)!);
  // A run that has just ended may still be one that the hub has under way.
  const isRunning = newestId === use.runningId && end === undefined;
  const state = isRunning ? sdk.TaskState.TASK_STATE_WORKING : stateOf(sdk.TaskState, end, isNewest, use.isBusy);
  const isWaiting = state === sdk.TaskState.TASK_STATE_INPUT_REQUIRED;
  const pending = isWaiting && end ? openQuestions(entries) : [];
  const ids = { contextId, taskId: address.id };
  const parts = isWaiting
    ? questionParts(pending)
    : state === sdk.TaskState.TASK_STATE_FAILED
      ? [textPart(`The run ended as "${end}".`)]
      : [];
  const at = entries.at(-1)!;
  const status: TaskStatus = {
    state,
    message:
      parts.length > 0 ? message({ ...ids, messageId: `${at.id}.status` }, sdk.Role.ROLE_AGENT, parts) : undefined,
    timestamp: new Date(at.at).toISOString(),
  };
  const isDone = state === sdk.TaskState.TASK_STATE_COMPLETED;
  const artifacts = artifactsOf(entries, isDone, use.isStructured);
  const task = { id: address.id, contextId, status, artifacts, metadata: undefined };
  return { address, task: { ...task, history: historyOf(sdk, entries, ids) }, pending, isRunning, isWaiting };
}

/** Without an end, nobody at work and nothing after it: its process has stopped, and a message lets it go on. */
function stateOf(
  states: typeof TaskState,
  status: RunStatus | undefined,
  isNewest: boolean,
  isBusy: boolean,
): TaskState {
  const isOpen = status === undefined || status === "needs-approval";
  if (isOpen && !isNewest) return states.TASK_STATE_CANCELED;
  if (isOpen && isBusy) return states.TASK_STATE_WORKING;
  if (isOpen) return states.TASK_STATE_INPUT_REQUIRED;
  if (status === "completed") return states.TASK_STATE_COMPLETED;
  return status === "aborted" ? states.TASK_STATE_CANCELED : states.TASK_STATE_FAILED;
}

function openQuestions(entries: readonly SessionEntry[]): PendingRequest[] {
  const open = new Map<string, PendingRequest>();
  for (const entry of entries) {
    if (entry.type === "pending") open.set(entry.request.id, entry.request);
    if (entry.type === "answer") open.delete(entry.answer.id);
    if (entry.type !== "tool-result") continue;
    for (const [id, request] of open) if (request.toolCallId === entry.result.toolCallId) open.delete(id);
  }
  return [...open.values()];
}

/** `answer`: the final text. `output`: the structured answer in it. `file-1` and so on: what the model has drawn. */
function artifactsOf(entries: readonly SessionEntry[], isDone: boolean, isStructured: boolean): Artifact[] {
  const text = isDone ? finalText(entries) : "";
  const hasOutput = isStructured || entries.some((entry) => entry.type === "run-start" && givesOutput(entry.given));
  const output = text !== "" && hasOutput ? findJson(text) : undefined;
  const files = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? entry.message.content.filter(isMediaPart) : [],
  );
  return [
    ...(text === "" ? [] : [artifact("answer", [textPart(text)])]),
    ...(output ? [artifact("output", [dataPart(output.value)])] : []),
    ...files.map((file, index) => artifact(`file-${index + 1}`, [filePart(file)])),
  ];
}

function givesOutput(given: Extract<SessionEntry, { type: "run-start" }>["given"]): boolean {
  return given?.output !== undefined || given?.unstored?.includes("output") === true;
}

/** The newest message, and what it continues where the output limit has cut it. */
function finalText(entries: readonly SessionEntry[]): string {
  let text = "";
  for (const entry of [...entries].reverse()) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { finishReason } = entry.message;
    if (text !== "" && finishReason !== "length" && finishReason !== "pause") break;
    if (toolCallsOf(entry.message).length > 0) break;
    text = textOfMessage(entry.message) + text;
  }
  return text;
}

function historyOf(
  sdk: A2aServerSdk,
  entries: readonly SessionEntry[],
  ids: Pick<Message, "contextId" | "taskId">,
): Message[] {
  return entries.flatMap((entry) => {
    if (entry.type !== "message") return [];
    const said = entry.message;
    const isUsers = said.role === "user" && (isPrompt(said) || said.origin === "steering");
    if (said.role === "user" && !isUsers) return [];
    const parts = said.content.flatMap((part) =>
      part.type === "text" ? [textPart(part.text)] : isMediaPart(part) ? [filePart(part)] : [],
    );
    const role = isUsers ? sdk.Role.ROLE_USER : sdk.Role.ROLE_AGENT;
    return parts.length === 0 ? [] : [message({ ...ids, messageId: entry.id }, role, parts)];
  });
}
