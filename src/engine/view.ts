// Keeping the view within the model's window: asks the context policy, records and applies what it answers.
import type { CompactionReport, ContextBudget, View, ViewEdit } from "../contracts/context.js";
import { type ProviderError, RunError } from "../contracts/errors.js";
import { beginEpoch } from "./prompt.js";
import type { RunState } from "./run-state.js";
import { describeThrown } from "./tool-result.js";

/** Kept free for the answer when neither limits nor provider say how long it may be. Unit: tokens. */
const DEFAULT_RESERVED_OUTPUT_TOKENS = 4_096;
/** Recoveries in a row: more than any policy has rungs. */
const MAX_RECOVERIES = 8;

/** Shrinks the view before a model call, if the policy finds it too large. Returns what was done. */
export async function prepareView(run: RunState): Promise<readonly CompactionReport[]> {
  const { compaction } = run.config;
  if (!compaction) return [];
  const requested = run.compactionRequest;
  run.compactionRequest = null;
  const edits = await ask(run, () => compaction.prepare(viewOf(run), budgetOf(run, requested)));
  const applied = await apply(run, edits, requested ? "manual" : "auto", requested?.focus);
  return applied ? edits.map(({ report }) => report) : [];
}

/** Shrinks the view after the provider said that it is too long. `false`: there is nothing left to try. */
export async function recoverView(run: RunState, error: ProviderError): Promise<boolean> {
  const { compaction } = run.config;
  if (!compaction || run.recoveries >= MAX_RECOVERIES) return false;
  run.recoveries++;
  return apply(run, await ask(run, () => compaction.recover(viewOf(run), error)), "auto");
}

/** The policy's edits; none once the run is ended from outside. */
async function ask(run: RunState, policy: () => Promise<readonly ViewEdit[]>): Promise<readonly ViewEdit[]> {
  let edits: readonly ViewEdit[] | undefined;
  try {
    edits = await run.unlessStopped(policy(), "The context policy");
  } catch (cause) {
    const message = `The context policy failed: ${describeThrown(cause)}`;
    throw new RunError("COMPACTION_FAILED", { message, cause });
  }
  if (run.ending) return [];
  if (Array.isArray(edits)) return edits;
  throw new RunError("COMPACTION_FAILED", { message: "The context policy answered no array of edits; [] means none." });
}

async function apply(
  run: RunState,
  edits: readonly ViewEdit[],
  trigger: "manual" | "auto",
  focus?: string,
): Promise<boolean> {
  if (edits.length === 0 || run.ending) return false;
  const outcome = await run.fire("PreCompact", { trigger, customInstructions: focus ?? null }, trigger);
  if (outcome?.blocked || run.ending) return false;
  for (const { stage, from, to, replacement, report } of edits) {
    run.recorder.record({ type: "view-edit", stage, from, to, replacement, report });
    run.emit("compaction", { report });
  }
  beginEpoch(run, "compaction");
  await run.fire("PostCompact", { trigger, compactSummary: summaryOf(edits) }, trigger);
  return true;
}

function summaryOf(edits: readonly ViewEdit[]): string {
  return edits
    .map(({ stage, report }) => `${stage}: ${report.beforeTokens} to ${report.afterTokens} tokens`)
    .join("; ");
}

function viewOf(run: RunState): View {
  return {
    messages: run.transcript.view,
    entryIds: run.transcript.viewEntryIds,
    system: run.system,
    tools: run.tools,
    ...(run.lastUsage && { lastUsage: run.lastUsage }),
    sessionId: run.sessionId,
    signal: run.signal,
  };
}

function budgetOf(run: RunState, requested: { readonly focus?: string } | null): ContextBudget {
  const { contextWindow = null, maxOutputTokens } = run.provider;
  const reservedOutputTokens = run.limits.maxOutputTokens ?? maxOutputTokens ?? DEFAULT_RESERVED_OUTPUT_TOKENS;
  return { contextWindow, reservedOutputTokens, ...(requested && { requested }) };
}
