// The cost of a session so far, worked out from what is kept of it: tokens of its runs, dollars of its model calls and those
// of its sub-agents.
import type { PriceLookup } from "../../../contracts/provider.js";
import type { SessionEntry, SessionStore } from "../../../contracts/session.js";
import type { Usage } from "../../../contracts/usage.js";
import { addUsage, NO_USAGE } from "../../../engine/run/usage-meter.js";
import { subagentSessionId } from "../../../subagents/subagent-id.js";
import { entriesOf } from "./session-history.js";

/** Tokens and dollars. `costUsd` is `null` once a part of it is not known. */
export interface SessionSpend {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
  readonly runs: number;
}

export const NEW_SESSION: SessionSpend = { inputTokens: 0, outputTokens: 0, costUsd: 0, runs: 0 };

/** The spend of all entries, those of abandoned branches included: they were paid for. */
export async function readSpend(
  store: SessionStore,
  sessionId: string,
  entries: readonly SessionEntry[],
  prices: PriceLookup,
): Promise<SessionSpend> {
  const ends = new Map(entries.flatMap((entry) => (entry.type === "run-end" ? [[entry.runId, entry.usage]] : [])));
  const starts = new Set(entries.flatMap((entry) => (entry.type === "run-start" ? [entry.runId] : [])));
  const calls = await modelCallsIn(store, sessionId, entries);
  // The end of a run counts everything in it; a run that a crash has ended has only its calls.
  const counted = [...ends.values(), ...calls.filter(({ runId }) => !ends.has(runId)).map(({ usage }) => usage)];
  const costs = [...calls.map(({ model, usage }) => prices(model, usage)), ...summaryCosts(entries)];
  const { inputTokens, outputTokens } = counted.reduce(addUsage, NO_USAGE);
  return {
    inputTokens,
    outputTokens,
    costUsd: costs.reduce((total, each) => (total === null || each === null ? null : total + each), 0),
    runs: starts.size,
  };
}

interface ModelCall {
  /** The root's run that it is part of. */
  readonly runId: string;
  readonly model: { readonly provider: string; readonly model: string };
  readonly usage: Usage;
}

/** The model calls of an agent and of its sub-agents. */
async function modelCallsIn(
  store: SessionStore,
  sessionId: string,
  entries: readonly SessionEntry[],
): Promise<ModelCall[]> {
  const calls: ModelCall[] = [];
  for (const { runId, ...entry } of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { provider, model, usage, content } = entry.message;
    if (usage) calls.push({ runId, model: { provider, model }, usage });
    for (const part of content) {
      if (part.type !== "tool-call" || part.name !== "task") continue;
      const child = subagentSessionId(sessionId, part.id);
      const inner = await modelCallsIn(store, child, await entriesOf(store, child));
      calls.push(...inner.map((call) => ({ ...call, runId })));
    }
  }
  return calls;
}

/** Edits of one compaction share its report. */
function summaryCosts(entries: readonly SessionEntry[]): (number | null)[] {
  const reports = new Map(
    entries.flatMap((entry) => (entry.type === "view-edit" ? [[JSON.stringify(entry.report), entry.report]] : [])),
  );
  return [...reports.values()].map(({ costUsd }) => costUsd);
}
