// Keeping the view within the model's window: asks the context policy, records and applies its edits.
import type {
  CompactionPermit,
  CompactionReport,
  ContextBudget,
  ContextUsage,
  ServerCompactor,
  View,
  ViewEdit,
} from "../../contracts/context.js";
import { isHarnessError, type ProviderError, RunError } from "../../contracts/errors.js";
import type { Usage } from "../../contracts/usage.js";
import { optionError } from "../../json/check-options.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { ignoreFailure } from "../../time/is-promise.js";
import type { RunState } from "../run/run-state.js";
import { credibleUsage } from "../run/usage-meter.js";
import { describeMade } from "../transcript/describe-call.js";
import { isMessage } from "../transcript/message-shape.js";
import { heldRecord } from "../transcript/transcript.js";
import { beginEpoch, loadPrompt } from "./model-input.js";

/** Kept free for the model's reply when neither limits nor provider say how long it may be. Unit: tokens. */
const DEFAULT_RESERVED_OUTPUT_TOKENS = 4_096;
/** Shrinks the view before a model call, if the policy finds it too large. */
export async function prepareView(run: RunState, compactor: ServerCompactor | undefined): Promise<void> {
  const { compaction } = run.config;
  if (!compaction) return;
  const attempt = new CompactionAttempt(run, run.inbox.takeCompactionRequest(), compactor);
  const edits = await ask(run, () => compaction.prepare(viewOf(run), attempt.budget));
  await attempt.apply(edits);
  attempt.checkBudgets();
}

/** Compacts because the host asks for it, outside a turn. */
export async function compactNow(
  run: RunState,
  focus: string | undefined,
  compactor: ServerCompactor | undefined,
): Promise<void> {
  await loadPrompt(run);
  run.inbox.compactionRequest = focus === undefined ? {} : { focus };
  await prepareView(run, compactor);
}

/** Shrinks the view after the provider said that it is too long. `false`: there is nothing left to try. */
export async function recoverView(
  run: RunState,
  error: ProviderError,
  compactor: ServerCompactor | undefined,
): Promise<boolean> {
  const { compaction } = run.config;
  if (!compaction || !run.retries.take("overflow-recovery")) return false;
  const attempt = new CompactionAttempt(run, null, compactor);
  const applied = await attempt.apply(await ask(run, () => compaction.recover(viewOf(run), error, attempt.budget)));
  attempt.checkBudgets();
  return applied;
}

/** Tokens of a session's next request by category. @throws ConfigurationError `OPTION_INVALID` without a policy that counts */
export function usageOf(run: RunState): ContextUsage {
  const { compaction } = run.config;
  if (compaction?.usage) return checkedUsage(() => compaction.usage!(viewOf(run), roomOf(run)));
  throw optionError("AgentEngine", "compaction", compaction, "a context policy with usage()");
}

function checkedUsage(read: () => ContextUsage): ContextUsage {
  let problem = "did not return an object with numbers";
  try {
    const usage: unknown = read();
    ignoreFailure(usage);
    if (typeof (usage as Partial<ContextUsage> | null)?.used === "number") return usage as ContextUsage;
  } catch (cause) {
    if (isHarnessError(cause)) throw cause;
    problem = `failed: ${describeThrown(cause)}`;
  }
  throw new RunError("COMPACTION_FAILED", { message: `The context policy's usage() ${problem}.` });
}

/** The policy's edits; `[]` once the run is ended from outside. */
async function ask(
  run: RunState,
  policy: () => readonly ViewEdit[] | Promise<readonly ViewEdit[]>,
): Promise<readonly ViewEdit[]> {
  let edits: readonly ViewEdit[] | undefined;
  try {
    edits = await run.lifetime.unlessStopped(policy(), "The context policy");
  } catch (cause) {
    if (isHarnessError(cause)) throw cause;
    const message = `The context policy failed: ${describeThrown(cause)}`;
    throw new RunError("COMPACTION_FAILED", { message, cause });
  }
  if (run.lifetime.ending) return [];
  if (Array.isArray(edits)) return checkedEdits(run, edits);
  throw new RunError("COMPACTION_FAILED", {
    message: "The context policy did not return an array of edits. Return [] if nothing is to be done.",
  });
}

function checkedEdits(run: RunState, edits: readonly ViewEdit[]): readonly ViewEdit[] {
  const wrong = edits.findIndex((edit) => !isEdit(edit));
  if (wrong >= 0) {
    const message = `The context policy returned an edit (number ${wrong}) that is not { stage, from, to, replacement, report } with valid messages.`;
    throw new RunError("COMPACTION_FAILED", { message });
  }
  if (leavesNothing(run, edits)) {
    throw new RunError("COMPACTION_FAILED", {
      message: "The context policy's edits leave no message to send. Keep at least the newest prompt.",
    });
  }
  return edits;
}

function isEdit(edit: unknown): edit is ViewEdit {
  if (typeof edit !== "object" || edit === null) return false;
  const { stage, from, to, replacement, report } = edit as Partial<ViewEdit>;
  const isNamed = [stage, from, to].every((value) => typeof value === "string");
  const hasReport = typeof report === "object" && report !== null && typeof report.stage === "string";
  return isNamed && hasReport && Array.isArray(replacement) && replacement.every(isMessage);
}

/** Only an edit from the first to the last message, without a replacement, can empty the view. */
function leavesNothing({ transcript }: RunState, edits: readonly ViewEdit[]): boolean {
  const { viewEntryIds } = transcript;
  let left = viewEntryIds.length;
  for (const { from, to, replacement } of edits) {
    const removed = viewEntryIds.lastIndexOf(to) - viewEntryIds.indexOf(from) + 1;
    left += replacement.length - Math.max(0, removed);
  }
  return edits.length > 0 && left <= 0;
}

/** One question to the policy: what it is given, and what becomes of its edits. */
class CompactionAttempt {
  readonly budget: ContextBudget;
  #permit: Promise<CompactionPermit> | undefined;
  #spent = false;

  constructor(
    private readonly run: RunState,
    private readonly requested: { readonly focus?: string } | null,
    compactor: ServerCompactor | undefined,
  ) {
    this.budget = {
      ...roomOf(run),
      ...(requested && { requested }),
      ...(run.config.artifacts && { artifacts: run.config.artifacts }),
      permit: () => this.#askHooks(),
      spend: (usage, model) => this.#spend(usage, model),
      ...(compactor && { compactor }),
    };
  }

  get #trigger(): "manual" | "auto" {
    return this.requested ? "manual" : "auto";
  }

  /** Fires PreCompact, once. */
  #askHooks(): Promise<CompactionPermit> {
    this.#permit ??= this.#firePreCompact();
    return this.#permit;
  }

  async #firePreCompact(): Promise<CompactionPermit> {
    const focus = this.requested?.focus ?? null;
    const outcome = await this.run.hooks.fire(
      "PreCompact",
      { trigger: this.#trigger, customInstructions: focus },
      this.#trigger,
    );
    const wishes = [...(focus === null ? [] : [focus]), ...(outcome?.additionalContext ?? [])];
    const allowed = !outcome?.blocked && !this.run.lifetime.ending;
    return { allowed, instructions: wishes.length > 0 ? wishes.join("\n") : null };
  }

  #spend(reported: Usage, model: { readonly provider: string; readonly model: string }): number | null {
    const { run } = this;
    const usage = credibleUsage(reported);
    if (!usage) return null;
    const costUsd = run.meter.priceOf({ id: model.provider, model: model.model }, usage);
    run.meter.add(usage, costUsd);
    run.emit("usage", { usage: run.meter.usage, costUsd: run.meter.costUsd });
    this.#spent = true;
    return costUsd;
  }

  /** A summary that used up the run's budget is its last model call. */
  checkBudgets(): void {
    if (!this.#spent) return;
    const used = this.run.meter.mostUsed();
    if (used && used.share >= 1) this.run.stop("budget-exceeded");
  }

  async apply(edits: readonly ViewEdit[]): Promise<boolean> {
    const { run } = this;
    if (edits.length === 0 || run.lifetime.ending) return false;
    if (!(await this.#askHooks()).allowed || run.lifetime.ending) return false;
    for (const { stage, from, to, replacement, report } of edits) {
      run.recorder.record({ type: "view-edit", stage, from, to, replacement, report });
    }
    for (const report of reportsOf(edits)) {
      run.compactions.push(report);
      run.emit("compaction", { report });
    }
    beginEpoch(run, "compaction");
    const trigger = this.#trigger;
    await run.hooks.fire("PostCompact", { trigger, compactSummary: summaryOf(edits) }, trigger);
    await this.#greetAgain();
    return true;
  }

  /** Text that hooks added when the session began may be gone from the view: they may add it again. */
  async #greetAgain(): Promise<void> {
    const { run } = this;
    if (run.agentPath.length > 0 || run.lifetime.ending) return;
    const outcome = await run.hooks.fire("SessionStart", { source: "compact", model: run.provider.model }, "compact");
    for (const context of outcome?.additionalContext ?? []) {
      if (run.transcript.open) run.recorder.record(heldRecord({ text: context, origin: "hook" }));
      else run.appendReminder(context, "hook");
    }
  }
}

/** The model's window, and what of it is kept for the reply. */
function roomOf({ provider, limits }: RunState): ContextBudget {
  const { contextWindow = null, maxOutputTokens } = provider;
  const most = contextWindow === null ? DEFAULT_RESERVED_OUTPUT_TOKENS : Math.floor(contextWindow / 4);
  const reservedOutputTokens =
    limits.maxOutputTokens ?? maxOutputTokens ?? Math.min(DEFAULT_RESERVED_OUTPUT_TOKENS, most);
  return { contextWindow, reservedOutputTokens };
}

/** Edits of one stage share their report. */
function reportsOf(edits: readonly ViewEdit[]): readonly CompactionReport[] {
  return [...new Set(edits.map(({ report }) => report))];
}

function summaryOf(edits: readonly ViewEdit[]): string {
  return reportsOf(edits)
    .map(({ stage, beforeTokens, afterTokens }) => `${stage}: ${beforeTokens} to ${afterTokens} tokens`)
    .join("; ");
}

function viewOf(run: RunState): View {
  const lastUsage = run.meter.lastCall ?? run.transcript.lastUsage;
  return {
    messages: run.transcript.view,
    entryIds: run.transcript.viewEntryIds,
    system: run.prompt.system,
    tools: run.prompt.tools,
    ...(lastUsage && { lastUsage }),
    sessionId: run.sessionId,
    signal: run.lifetime.signal,
    describe: (call) => describeMade(call, run.registry),
  };
}
