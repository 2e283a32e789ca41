// One agent's run in a session of its own. Entered again after a crash or with an answer, the run goes on; what it had used
// until then is read from its session, so that nothing is counted twice and nothing is lost.
import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { RunResult } from "../../contracts/run.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { Usage } from "../../contracts/usage.js";
import { madeFrom } from "../../engine/made-from.js";
import type { RunOptions } from "../../engine/options/options.js";
import { addUsage } from "../../engine/run/usage-meter.js";
import { toolCallsOf } from "../../engine/transcript/message-shape.js";
import { HOST_AUTHOR } from "../../engine/transcript/transcript.js";
import { limitsOfRun } from "../bounds.js";
import { useSkill } from "../skill-choice.js";
import { NOTHING_SPENT } from "../spent.js";
import type { Work } from "../work.js";
import type { Activity } from "./activity.js";

export interface AgentJob {
  readonly sessionId: string;
  readonly prompt: string;
  /** Default: the engine's own agent. */
  readonly subagent?: SubagentDefinition | undefined;
  readonly limits?: RunOptions["limits"];
  readonly answers: readonly Answer[];
  /** An earlier process may have begun it. */
  readonly mayExist: boolean;
  /** The sessions that the prompt was made from. Default: it is the host's. */
  readonly from?: readonly string[] | undefined;
}

export interface AgentEnd {
  readonly result: RunResult;
  readonly requests: readonly PendingRequest[];
  /** The usage of the whole session. */
  readonly usage: Usage;
  readonly costUsd: number | null;
}

/** Runs an agent to its end, or goes on with the run its session has. */
export async function runAgent(work: Work, job: AgentJob, activity?: Activity): Promise<AgentEnd> {
  const { engine, signal, context } = work;
  const { sessionId, prompt, subagent, limits, answers, mayExist, from = [] } = job;
  const past = mayExist ? await readPast(work, job, activity) : NO_PAST;
  useSkill(work, sessionId);
  const bounds = { ...limits, ...limitsOfRun(work, past) };
  const options = { signal, context, ...(subagent && { subagent }), limits: bounds };
  const result = past.hasBegun
    ? await engine.resume(sessionId, { ...options, answers }).result
    : await engine.run(prompt, await madeFrom(work.parts.config, from, { ...options, sessionId }));
  const usage = addUsage(past.usage, result.usage);
  const costUsd = past.costUsd === null || costOf(result) === null ? null : past.costUsd + costOf(result)!;
  // No record will say it: a resume reads it from the session again.
  if (signal.aborted) work.journal.progress.count(usage, costUsd);
  return { result, requests: result.pending, usage, costUsd };
}

/** A run without a model call has cost nothing, whatever is known of prices. */
function costOf({ costUsd, usage }: RunResult): number | null {
  return usage.inputTokens + usage.outputTokens === 0 ? 0 : costUsd;
}

interface Past {
  readonly hasBegun: boolean;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

const NO_PAST: Past = { hasBegun: false, usage: NOTHING_SPENT.usage, costUsd: 0 };

async function readPast(work: Work, job: AgentJob, activity: Activity | undefined): Promise<Past> {
  let hasBegun = false;
  let before = NOTHING_SPENT.usage;
  let run = NOTHING_SPENT.usage;
  let costUsd: number | null = 0;
  const calls = new Map<string, { readonly name: string; readonly arguments: Parameters<Activity["note"]>[1] }>();
  for await (const entry of work.parts.config.store.read(job.sessionId)) {
    if (entry.type === "message") hasBegun = true;
    const usage = usageOf(entry);
    if (usage) {
      run = addUsage(run, usage);
      const price = priceOf(work, job, entry, usage);
      costUsd = costUsd === null || price === null ? null : costUsd + price;
    }
    if (entry.type === "message" && entry.message.role === "assistant")
      for (const call of toolCallsOf(entry.message)) calls.set(call.id, call);
    if (entry.type === "tool-result" && !entry.result.isError) {
      const call = calls.get(entry.result.toolCallId);
      if (call) activity?.note(call.name, call.arguments);
    }
    if (entry.type === "run-start") {
      // A run that was cut off has no sum of its own.
      before = addUsage(before, run);
      run = NOTHING_SPENT.usage;
    }
    if (entry.type !== "run-end") continue;
    // Sub-agents are in the run's own sum, and their prices are not known here.
    if (entry.usage.inputTokens !== run.inputTokens || entry.usage.outputTokens !== run.outputTokens) costUsd = null;
    before = addUsage(before, entry.usage);
    run = NOTHING_SPENT.usage;
  }
  return { hasBegun, usage: addUsage(before, run), costUsd };
}

function usageOf(entry: SessionEntry): Usage | undefined {
  if (entry.type !== "message" || entry.message.role !== "assistant") return undefined;
  return entry.message.provider === HOST_AUTHOR.provider ? undefined : entry.message.usage;
}

function priceOf({ parts }: Work, { subagent }: AgentJob, entry: SessionEntry, usage: Usage): number | null {
  if (entry.type !== "message" || entry.message.role !== "assistant") return 0;
  const { provider, model } = entry.message;
  const prices = parts.config.prices ?? (subagent?.model ?? parts.config.provider).prices;
  try {
    return prices?.({ provider, model }, usage) ?? null;
  } catch {
    return null; // A price table that throws knows no price.
  }
}
