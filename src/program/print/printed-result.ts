import type { JsonValue } from "../../contracts/json.js";
import type { RunResult, RunStatus } from "../../contracts/run.js";
import type { Usage } from "../../contracts/usage.js";
import type { AgentProblem, UntrustedPart } from "../../presets/agent-problems.js";
import { EXIT } from "../exit-codes.js";
import type { HeldBack } from "./unattended.js";

/** The output of `--output-format json`, and the last line of `stream-json`. */
export interface PrintedResult {
  readonly type: "result";
  readonly status: RunStatus;
  readonly exitCode: number;
  /** The final answer. */
  readonly text: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly model: string;
  readonly turns: number;
  readonly usage: Usage;
  /** Unit: US dollars; `null` when the model's price is not known. */
  readonly costUsd: number | null;
  readonly durationMs: number;
  /** Calls that were not run because nobody could approve them, and questions that were declined. */
  readonly heldBack: readonly HeldBack[];
  /** The settings, skills, agents and servers that could not be used. */
  readonly problems: readonly AgentProblem[];
  /** The project's requests that were refused, because it is not trusted. */
  readonly untrusted: readonly UntrustedPart[];
  readonly error?: { readonly [field: string]: JsonValue } | undefined;
}

type About = Pick<PrintedResult, "model" | "durationMs" | "heldBack" | "problems" | "untrusted"> & {
  /** After a signal. */
  readonly exitCode: number | undefined;
};

/** The result of a run, for a script. */
export function printedResult(result: RunResult, { exitCode, ...about }: About): PrintedResult {
  const { status, text, sessionId, runId, turns, usage, costUsd, error } = result;
  return {
    type: "result",
    status,
    exitCode: exitCode ?? exitCodeOf(status, about.heldBack),
    text,
    sessionId,
    runId,
    ...about,
    turns,
    usage,
    costUsd,
    ...(error && { error: error.toJSON() }),
  };
}

function exitCodeOf(status: RunStatus, heldBack: readonly HeldBack[]): number {
  if (status !== "completed") return status === "needs-approval" ? EXIT.needsApproval : EXIT.failed;
  return heldBack.length > 0 ? EXIT.needsApproval : EXIT.done;
}
