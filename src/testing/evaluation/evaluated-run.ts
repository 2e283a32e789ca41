// An agent's result, of any kind, as a run that can be scored.

import { ConfigurationError, SessionError } from "../../contracts/errors.js";
import type { Message } from "../../contracts/message.js";
import type { RunResult, RunStatus } from "../../contracts/run.js";
import type { SessionEntry } from "../../contracts/session.js";
import { AgentEngine } from "../../engine/engine.js";
import { addUsage, NO_USAGE } from "../../engine/run/usage-meter.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { textOfMessage } from "../../engine/transcript/message-shape.js";
import { Transcript } from "../../engine/transcript/transcript.js";
import { isSessionEntry, type SessionExport } from "../../sessions/export-session.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { describeValue } from "../../text/describe-value.js";
import { isContainer } from "../cassette/first-difference.js";
import type { RunReplay } from "../cassette/replay-run.js";
import { collect } from "../contract-case.js";
import type { EvaluatedCall, EvaluatedRun, EvaluationCase, PromptRunner } from "./evaluation.js";
import { isUsage } from "./score-run.js";

type AnyObject = { readonly [key: string]: unknown };

/** The needs of a case's run besides the agent. */
export interface RunRequest {
  readonly evaluationCase: EvaluationCase;
  readonly signal: AbortSignal;
  readonly context: unknown;
}

/** Runs what has to be run, and reads what has been. `startedAt` is of `performance.now()`. */
export async function evaluatedRun(given: unknown, request: RunRequest, startedAt: number): Promise<EvaluatedRun> {
  const elapsed = () => performance.now() - startedAt;
  if (!isContainer(given)) return ofValue(given, elapsed());
  if (isRunResult(given)) return ofResult(given, elapsed());
  if ("result" in given && "idle" in given) return evaluatedRun(await given.result, request, startedAt);
  if (isRunner(given)) return ofResult(await runCase(given, request), elapsed());
  if (isRunner(given.engine)) return ofOwnEngine(given.engine, given.close, given, request, startedAt);
  if (isReplay(given)) return ofReplay(given, request, startedAt);
  if (isExport(given)) return ofEntries(given.entries);
  if (isEntryList(given)) return ofEntries(given);
  if (Symbol.asyncIterator in given) return ofEntries(await collect(given as unknown as AsyncIterable<SessionEntry>));
  return ofValue(given, elapsed());
}

export function isRunner(value: unknown): value is PromptRunner {
  return isContainer(value) && typeof value.run === "function";
}

/** @throws ConfigurationError `OPTION_INVALID` for a case without a prompt */
export function promptOf({ name, input, prompt }: EvaluationCase): Parameters<PromptRunner["run"]>[0] {
  const given = input ?? prompt;
  if (given !== undefined) return given;
  throw new ConfigurationError("OPTION_INVALID", {
    message: `The case "${name}" has no "input". Give it the prompt that the engine is to run.`,
    details: { option: "cases", case: name },
  });
}

function runCase(engine: PromptRunner, { evaluationCase, signal, context }: RunRequest): Promise<RunResult> {
  return engine.run(promptOf(evaluationCase), { signal, ...(context !== undefined && { context }) });
}

async function ofOwnEngine(
  engine: PromptRunner,
  close: unknown,
  owner: object,
  request: RunRequest,
  startedAt: number,
): Promise<EvaluatedRun> {
  try {
    return ofResult(await runCase(engine, request), performance.now() - startedAt);
  } finally {
    if (typeof close === "function") await close.call(owner);
  }
}

/** A replay that leaves its recording has no answer of its own: the divergence is what went wrong. */
async function ofReplay(replay: RunReplay, request: RunRequest, startedAt: number): Promise<EvaluatedRun> {
  const result = await runCase(new AgentEngine(replay.options), request);
  const { error } = replay.verify();
  if (error) throw error;
  return ofResult(result, performance.now() - startedAt);
}

function ofResult(result: RunResult, durationMs: number): EvaluatedRun {
  const { status, text = "", output, error, usage: given, costUsd = null, turns = 0, sessionId } = result;
  // A runner of another kind may leave something out.
  const usage = isUsage(given) ? given : NO_USAGE;
  const messages = result.messages();
  return {
    ...{ status, text, output, error, usage, costUsd, turns, durationMs, sessionId },
    messages: () => messages,
    toolCalls: callsIn(messages),
  };
}

function ofValue(value: unknown, durationMs: number): EvaluatedRun {
  if (value === undefined || typeof value === "function")
    throw new ConfigurationError("OPTION_INVALID", {
      message: `The agent returned ${value === undefined ? "nothing" : "a function"}. Return an engine, a run's result, a session's entries or an answer.`,
      details: { option: "agent" },
    });
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return {
    ...{ status: "completed", text, usage: NO_USAGE, costUsd: null, turns: 0, durationMs, toolCalls: [] },
    ...(typeof value !== "string" && { output: value }),
    messages: () => [],
  };
}

/** A recorded session, over all of its runs. */
function ofEntries(entries: readonly SessionEntry[]): EvaluatedRun {
  for (const [index, entry] of entries.entries())
    if (!isSessionEntry(entry))
      throw damagedEntry(index, isContainer(entry) ? "it lacks what every entry has" : describeValue(entry));
  const transcript = new Transcript();
  let status: RunStatus = "aborted"; // The status of a session without an end.
  let usage = NO_USAGE;
  const branch = branchOf(entries);
  for (const entry of branch) {
    try {
      transcript.apply(entry);
    } catch (thrown) {
      throw damagedEntry(entries.indexOf(entry), `of type "${entry.type}": ${describeThrown(thrown)}`, thrown);
    }
    if (entry.type === "run-start") status = "aborted";
    if (entry.type !== "run-end") continue;
    status = entry.status;
    if (isUsage(entry.usage)) usage = addUsage(usage, entry.usage);
  }
  const [first, last] = [branch[0], branch.at(-1)];
  if (!first || !last)
    throw new ConfigurationError("OPTION_INVALID", {
      message: "The agent returned a session without entries. Check its id and its store.",
      details: { option: "agent" },
    });
  const replies = transcript.messages.filter((message) => message.role === "assistant");
  const reply = replies.at(-1);
  return {
    ...{ status, usage, costUsd: null, turns: replies.length, durationMs: last.at - first.at },
    text: reply ? textOfMessage(reply) : "",
    messages: () => transcript.messages,
    toolCalls: callsIn(transcript.messages),
  };
}

function damagedEntry(index: number, what: string, cause?: unknown): SessionError {
  const message = `Entry ${index + 1} of the session that the agent returned is damaged (${what}). Export the session again.`;
  return new SessionError("SESSION_CORRUPT", { message, details: { entry: index + 1 }, cause });
}

/** Every call, with the result that answers it. */
function callsIn(messages: readonly Message[]): EvaluatedCall[] {
  const results = new Map(
    messages.flatMap(({ role, content }) =>
      role === "tool" ? content.map((part) => [part.toolCallId, part] as const) : [],
    ),
  );
  return messages.flatMap(({ role, content }) => {
    if (role !== "assistant") return [];
    return content.flatMap((part) => {
      if (part.type !== "tool-call") return [];
      const result = results.get(part.id);
      const { name, arguments: given } = part;
      return { name, arguments: given, isError: result?.isError ?? false, ...(result && { output: result.output }) };
    });
  });
}

function isRunResult(value: AnyObject): value is AnyObject & RunResult {
  return typeof value.status === "string" && typeof value.messages === "function";
}

function isReplay(value: AnyObject): value is AnyObject & RunReplay {
  return typeof value.verify === "function" && isContainer(value.options);
}

function isExport(value: AnyObject): value is AnyObject & SessionExport {
  return value.format === "loopwright-session" && Array.isArray(value.entries);
}

/** A session's entries in a list of their own, as `entries` of an export. */
function isEntryList(value: unknown): value is readonly SessionEntry[] {
  return Array.isArray(value) && value.some(isSessionEntry);
}
