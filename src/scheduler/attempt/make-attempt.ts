// One attempt at a task, in the session `${plan}.${task}.${attempt}`: a tool call, a sub-agent in a work tree of its own,
// or an agent's run.
import type { PendingRequest } from "../../contracts/approval.js";
import type { ErrorCode } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import { outcomeOf, type ToolCall, type ToolResult } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import { unknownPolicy } from "../../engine/calls/tool-result.js";
import { strongDigest } from "../../json/digest.js";
import { clip } from "../../text/cut.js";
import { overrunOf } from "../bounds.js";
import type { TaskResult } from "../options.js";
import { fillReferences } from "../plan/task-references.js";
import type { TaskProgress } from "../progress.js";
import { NOTHING_SPENT, type Spent } from "../spent.js";
import type { Work } from "../work.js";
import { type ActivityWatch, changedFile } from "./activity.js";
import { type AgentEnd, runAgent } from "./agent-session.js";
import { attemptSession, attemptsOf, plannedIn } from "./attempt-session.js";
import { detailOf, finalTextOf, makeCall, wasCutOff } from "./call-session.js";
import { shareKnownFile } from "./known-files.js";
import { plannedPrompt } from "./task-prompt.js";

/** The tool that gives a piece of work to a sub-agent. */
export const SUBAGENT_TOOL = "task";
/** The part of a result that later tasks, and the session, keep. */
const MAX_OUTPUT_CHARS = 100_000;
const MAX_FACTS = 50;
const MAX_FACT_CHARS = 1_000;

export type AttemptEnd =
  | { readonly kind: "result"; readonly result: TaskResult; readonly facts: readonly string[]; readonly spent: Spent }
  | { readonly kind: "failed"; readonly reason: string; readonly mayRetry: boolean; readonly spent: Spent }
  /** It was cut off, and may be begun again: nothing has come of it, or it does no harm to do it twice. */
  | { readonly kind: "cut-off"; readonly reason: string; readonly spent: Spent }
  /** It had begun when it was cut off: only its criterion decides whether it is done. */
  | {
      readonly kind: "unknown";
      readonly result: TaskResult;
      /** `ask`: it may be made again once the host has said so. */
      readonly policy: "ask" | "fail";
      readonly digest: string;
      readonly spent: Spent;
    }
  | { readonly kind: "waiting"; readonly requests: readonly PendingRequest[]; readonly spent: Spent };

/** Failures that the same call can only repeat. */
const POINTLESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "TOOL_UNKNOWN",
  "TOOL_INPUT_INVALID",
  "TOOL_INPUT_MALFORMED",
  "PATH_OUTSIDE",
  "PATH_PROTECTED",
  "PATH_INVALID",
  "SUBAGENT_UNKNOWN",
  "SUBAGENT_DEPTH",
  "AUTH",
  "BAD_REQUEST",
]);

export interface Attempt {
  readonly progress: TaskProgress;
  /** The tasks it depends on. */
  readonly inputs: readonly TaskProgress[];
  /** An earlier process may have begun it. */
  readonly mayExist: boolean;
}

/** @throws the signal's reason once the run is aborted */
export async function makeAttempt(work: Work, watch: ActivityWatch, attempt: Attempt): Promise<AttemptEnd> {
  const { task } = attempt.progress;
  if (task.tool) return callTool(work, attempt, task.tool);
  const subagent = task.subagent === undefined ? undefined : work.subagents.get(task.subagent);
  if (subagent?.isolation === "worktree") return workInTree(work, attempt, subagent.name);
  return watch.during(attemptSession(work, attempt.progress), async (activity) => {
    const end = await runAgent(
      work,
      {
        sessionId: attemptSession(work, attempt.progress),
        prompt: plannedPrompt(work, attempt.progress, attempt.inputs),
        subagent,
        answers: work.answers,
        mayExist: attempt.mayExist,
        from: sessionsBefore(work, attempt),
      },
      activity,
    );
    work.signal.throwIfAborted();
    const { usage, costUsd } = end;
    const spent = { usage, costUsd, durationMs: 0, tools: [...activity.tools], files: [...activity.files] };
    return endOfAgent(work, attempt.progress, end, spent, [...activity.facts]);
  });
}

/** The sessions that an attempt follows from: of the plan, of the tasks it depends on, and of what has failed before. */
function sessionsBefore(work: Work, { progress, inputs }: Attempt): string[] {
  const earlier = attemptsOf(work, progress).slice(0, -2);
  return [...plannedIn(work), ...inputs.map((before) => attemptSession(work, before)), ...earlier];
}

function endOfAgent(
  work: Work,
  progress: TaskProgress,
  end: AgentEnd,
  spent: Spent,
  facts: readonly string[],
): AttemptEnd {
  const { status, text, error } = end.result;
  if (status === "needs-approval") return { kind: "waiting", requests: end.requests, spent };
  if (status === "completed")
    return { kind: "result", result: resultOf(progress, text), facts: bounded([...facts, ...factsIn(text)]), spent };
  const said = text.trim() === "" ? "" : ` Its last words: ${clip(text, 2_000)}`;
  const reason = `The agent ended as "${status}"${error ? `: ${error.message}` : "."}${said}`;
  // It got what the plan had left: that it was too little is not its failure.
  const isBounded = status === "budget-exceeded" || status === "deadline";
  if (isBounded && overrunOf(work, end)) return { kind: "cut-off", reason, spent };
  return { kind: "failed", reason, mayRetry: !(error && POINTLESS.has(error.code)), spent };
}

async function callTool(work: Work, attempt: Attempt, tool: { name: string; input: JsonValue }): Promise<AttemptEnd> {
  const { progress, mayExist } = attempt;
  const { tasks } = work.journal.progress;
  const input = fillReferences(tool.input, (id) => tasks.get(id)?.output ?? "");
  const call: ToolCall = { id: `task-${progress.task.id}`, name: tool.name, arguments: input };
  await shareKnownFile(work, progress, { name: tool.name, input });
  const mayHaveRun = work.journal.progress.unknownCalls.has(digestOf(call));
  const end = await makeCall(
    work,
    attemptSession(work, progress),
    call,
    mayExist,
    sessionsBefore(work, attempt),
    mayHaveRun,
  );
  if (end.kind === "waiting") return { ...end, spent: NOTHING_SPENT };
  work.signal.throwIfAborted();
  const { result } = end;
  const file = result.isError ? undefined : changedFile(work.parts.tools.get(tool.name), end.call.arguments);
  const spent = { ...spentOn(work, result), files: file === undefined ? [] : [file] };
  if (hasNoEnd(result)) return cutOff(work, progress, { result, call }, spent);
  if (result.isError) return failureOf(work, progress, result, spent);
  return { kind: "result", result: resultOf(progress, finalTextOf(result), result.details), facts: [], spent };
}

/** Through the tool `task`, which makes the work tree, and brings what was changed there into the files. */
async function workInTree(work: Work, attempt: Attempt, name: string): Promise<AttemptEnd> {
  const { progress, inputs, mayExist } = attempt;
  const { title } = progress.task;
  const input = { description: clip(title, 200), prompt: plannedPrompt(work, progress, inputs), subagent_type: name };
  const call: ToolCall = {
    id: `task-${progress.task.id}`,
    name: SUBAGENT_TOOL,
    arguments: { ...input, isolation: "worktree" },
  };
  const end = await makeCall(work, attemptSession(work, progress), call, mayExist, sessionsBefore(work, attempt));
  if (end.kind === "waiting") return { ...end, spent: NOTHING_SPENT };
  work.signal.throwIfAborted();
  const { result } = end;
  const { status, worktree } = Object(result.details) as {
    readonly status?: string;
    readonly worktree?: { readonly merged?: boolean; readonly files?: readonly string[]; readonly code?: string };
  };
  const files = worktree?.merged === true ? (worktree.files ?? []) : [];
  const spent = { ...spentOn(work, result), files };
  if (hasNoEnd(result)) return cutOff(work, progress, { result, call }, spent);
  if (result.isError) return failureOf(work, progress, result, spent);
  const text = finalTextOf(result);
  if (status !== "completed" || worktree?.code !== undefined)
    return { kind: "failed", reason: clip(text, 4_000), mayRetry: true, spent };
  return { kind: "result", result: resultOf(progress, text, result.details), facts: factsIn(text), spent };
}

/** Whether nobody knows how a call ended; one that was refused is not made again in any case. */
function hasNoEnd(result: ToolResult): boolean {
  return result.status !== "denied" && (outcomeOf(result) === "unknown" || wasCutOff(result));
}

/** A call without an end of its own. Its tool says whether it may be made again; a plan can only be stricter than that. */
function cutOff(
  { parts }: Work,
  progress: TaskProgress,
  { result, call }: { readonly result: ToolResult; readonly call: ToolCall },
  spent: Spent,
): AttemptEnd {
  const reason = finalTextOf(result);
  if (outcomeOf(result) === "not-started") return { kind: "cut-off", reason, spent };
  const policy = progress.task.replayable === false ? "fail" : unknownPolicy(parts.tools.get(result.name));
  if (policy !== "retry")
    return { kind: "unknown", result: resultOf(progress, reason), policy, digest: digestOf(call), spent };
  // An attempt that ended with its process is begun again; a call that used up its own time has failed once more.
  if (wasCutOff(result)) return { kind: "cut-off", reason, spent };
  return { kind: "failed", reason: clip(reason, 4_000), mayRetry: true, spent };
}

/** The key by which two calls are the same. */
function digestOf({ name, arguments: input }: ToolCall): string {
  return strongDigest([name, input]);
}

function failureOf({ parts }: Work, { task }: TaskProgress, result: ToolResult, spent: Spent): AttemptEnd {
  const code = detailOf(result.details, "code") as ErrorCode;
  const reason = `"${result.name}" ${result.status === "denied" ? "was not allowed" : "failed"}: ${clip(finalTextOf(result), 4_000)}`;
  const isAllowed =
    outcomeOf(result) === "not-started" || mayBeMadeAgain(parts.tools.get(result.name), task.replayable);
  return { kind: "failed", reason, mayRetry: isAllowed && result.status !== "denied" && !POINTLESS.has(code), spent };
}

/** Whether a call that has come to its end may be made again for its task: the tool's word counts before the plan's. */
export function mayBeMadeAgain(tool: BaseTool | undefined, planned: boolean | undefined): boolean {
  if (tool?.permission !== "execute" || tool.spawns) return true;
  if (tool.replayable !== undefined || tool.onUnknown !== undefined) return unknownPolicy(tool) === "retry";
  return planned === true;
}

/** A tool that works with agents says what they have used. */
function spentOn({ parts }: Work, { name, details, durationMs }: ToolResult): Spent {
  const spent = { ...NOTHING_SPENT, durationMs, tools: [name] };
  if (!parts.tools.get(name)?.spawns) return spent;
  const { usage, costUsd } = Object(details) as { readonly usage?: Usage; readonly costUsd?: number | null };
  return usage ? { ...spent, usage, costUsd: costUsd ?? null } : spent;
}

function resultOf({ task, attempts }: TaskProgress, output: string, details?: JsonValue): TaskResult {
  const result = { taskId: task.id, attempt: attempts, output: clip(output, MAX_OUTPUT_CHARS) };
  return Object.freeze(details === undefined ? result : { ...result, details });
}

/** The lines in which an agent says what it has found out. */
function factsIn(text: string): string[] {
  return bounded([...text.matchAll(/^[ \t]*(?:[-*][ \t]+)?Fact:[ \t]*(\S.*)$/gim)].map(([, fact]) => fact!.trim()));
}

function bounded(facts: readonly string[]): string[] {
  return facts.slice(0, MAX_FACTS).map((fact) => clip(fact, MAX_FACT_CHARS));
}
