import type { EngineEvent } from "../../src/contracts/event.js";
import type { SessionEntry } from "../../src/contracts/session.js";
import { outcomeOf } from "../../src/contracts/tool-call.js";
import { isMediaPart, toolCallsOf } from "../../src/engine/transcript/message-shape.js";
import { Transcript } from "../../src/engine/transcript/transcript.js";
import { validateTranscript } from "../../src/engine/transcript/validate-transcript.js";
import { HOOK_TIMEOUT_MS } from "./random-host.js";
import type { Played } from "./random-run.js";
import { nameOfCalled } from "./random-tools.js";
import { claimsConflict, type Execution } from "./world.js";

/** What a run did that no run may do. Empty: it kept every law that can be seen from outside. */
export function brokenLaws(played: Played): string[] {
  return [
    ...endsProperly(played),
    ...leavesNothingBehind(played),
    ...recordsFaithfully(played),
    ...answersEveryCall(played),
    ...ownsUpToStarts(played.entries),
    ...announcesProperly(
      played.events.filter(({ agentPath }) => agentPath.length === 0),
      played,
    ),
    ...keepsOrder(played),
    ...keepsMedia(played),
    ...played.world.violations,
  ];
}

function endsProperly({
  result,
  entries,
  rejection,
  stuck,
  settledAt,
  idleAt,
  settledAtOnce,
  scenario,
}: Played): string[] {
  const problems: string[] = [];
  if (rejection !== undefined) problems.push(`result rejected: ${String(rejection)}`);
  if (settledAt === null) problems.push("result never settled");
  if (stuck) problems.push("nothing was left to happen, but the run had not ended");
  if (idleAt === null) problems.push("idle never came");
  // A hook that nobody waits for may first use up its own time.
  const longestRest = (scenario.host.limits.abandonMs ?? 0) + HOOK_TIMEOUT_MS + 1;
  if (settledAt !== null && idleAt !== null && idleAt - settledAt > longestRest) {
    problems.push(`idle came ${idleAt - settledAt} ms after the result`);
  }
  if (settledAtOnce === false && scenario.host.storeDelayMs === 0) problems.push("the result waited after the abort");
  if (result?.error?.code === "INTERNAL") problems.push(`the engine failed: ${result.error.message}`);
  // Questions of sub-agents in the background go on waiting, however the run ends.
  const others = result?.status === "needs-approval" ? 0 : rebuilt(entries).background.waiting.length;
  if (result && (result.status === "needs-approval") !== result.pending.length > others) {
    problems.push(`status ${result.status} with ${result.pending.length} pending requests`);
  }
  return problems;
}

/** What the model has made is in its messages, all of it and once, unless its call began again or failed for good. */
function keepsMedia({ events, entries, result }: Played): string[] {
  if (result?.error?.code === "SESSION_WRITE") return [];
  const seen = new Set(events.map(({ runId }) => runId));
  return [...new Set(entries.map(({ runId }) => runId))].flatMap((runId) => {
    const { whole, open } = mediaEmitted(events.filter((event) => event.runId === runId));
    const kept = mediaKept(entries.filter((entry) => entry.runId === runId));
    const isKept = kept.join() === whole.join() || kept.join() === [...whole, ...open].join();
    if (isKept || !seen.has(runId)) return [];
    return [`${kept.length} images are kept of ${whole.length}, and of ${open.length} of a call that did not end`];
  });
}

/** Of model calls that came to an end, and of the last one if it did not. */
function mediaEmitted(events: readonly EngineEvent[]): { readonly whole: string[]; readonly open: string[] } {
  const whole: string[] = [];
  let open: string[] = [];
  for (const event of events) {
    if (event.type === "model-call-start" || event.type === "model-restart") open = [];
    if (event.type === "media") open.push(JSON.stringify(event.part));
    if (event.type === "model-call-end") whole.push(...open.splice(0));
  }
  return { whole, open };
}

function mediaKept(entries: readonly SessionEntry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "assistant") return [];
    return entry.message.content.filter((part) => isMediaPart(part)).map((part) => JSON.stringify(part));
  });
}

function leavesNothingBehind({ engineTimersLeft, signalListenersLeft }: Played): string[] {
  const problems: string[] = [];
  if (engineTimersLeft > 0) problems.push(`${engineTimersLeft} timers were left after idle`);
  if (signalListenersLeft > 0) problems.push(`${signalListenersLeft} listeners were left on the run's signal`);
  return problems;
}

/** Rebuilds a transcript as a later process would. */
export function rebuilt(entries: readonly SessionEntry[]): Transcript {
  const transcript = new Transcript();
  for (const entry of entries) transcript.apply(entry);
  return transcript;
}

function recordsFaithfully({ entries, recorded, result }: Played): string[] {
  const problems: string[] = [];
  const now = entries.map((entry) => JSON.stringify(entry));
  const fresh = now.slice(now.length - recorded.length);
  const changed = fresh.findIndex((text, index) => text !== recorded[index]);
  if (changed >= 0)
    problems.push(`an entry changed after it was recorded: ${recorded[changed]} became ${fresh[changed]}`);
  const ids = new Set<string>();
  let parent: string | null = null;
  for (const entry of entries) {
    if (ids.has(entry.id)) problems.push(`entry id "${entry.id}" is used twice`);
    if (entry.parent !== parent) problems.push(`the parent of "${entry.id}" is "${entry.parent}", not "${parent}"`);
    ids.add(entry.id);
    parent = entry.id;
  }
  const texts: string[] = now.map((text) => JSON.stringify(JSON.parse(text)));
  const kept = rebuilt(texts.map((text) => JSON.parse(text) as SessionEntry)).messages;
  if (result && JSON.stringify(kept) !== JSON.stringify(result.messages())) {
    problems.push("the session rebuilds to other messages than the run had");
  }
  if (result && entries.at(-1)?.type !== "run-end") problems.push("the last entry is not a run-end");
  return problems;
}

function answersEveryCall({ result, entries }: Played): string[] {
  if (!result) return [];
  const allowOpen = result.status === "needs-approval";
  const issues = validateTranscript(result.messages(), { allowOpen }).map(({ message }) => `transcript: ${message}`);
  const uncoded = entries.filter(
    (entry) =>
      entry.type === "tool-result" &&
      entry.result.isError &&
      typeof (entry.result.details as { code?: unknown } | undefined)?.code !== "string",
  );
  return [...issues, ...uncoded.map(({ id }) => `the error result "${id}" has no code`)];
}

/**
 * No call that may have done something is said not to have been started. The run itself knows whether it entered the tool after the
 * record of the start; a later one does not, and a question from the middle of a call shows that it did.
 */
export function ownsUpToStarts(entries: readonly SessionEntry[]): string[] {
  const started = new Set<string>();
  const begun = new Set<string>();
  return entries.flatMap((entry) => {
    if (entry.type === "tool-start") started.add(entry.toolCallId);
    if (entry.type === "run-start") for (const id of started) begun.add(id);
    if (entry.type === "pending" && entry.via !== undefined) begun.add(entry.via);
    if (entry.type === "pending" && entry.state !== undefined) begun.add(entry.request.toolCallId);
    if (entry.type !== "tool-result" || !begun.has(entry.result.toolCallId)) return [];
    const { toolCallId, output } = entry.result;
    return outcomeOf(entry.result) === "not-started" ? [`"${toolCallId}" was begun, and is not: ${output}`] : [];
  });
}

/** Every announced call comes to its end, once, unless it was voided or waits for the host. */
function announcesProperly(events: readonly EngineEvent[], { result, entries }: Played): string[] {
  const problems: string[] = [];
  const started = new Set<string>();
  let voidable = new Set<string>();
  for (const event of events) {
    if (event.type === "run-start") started.clear(); // What waited for the host is announced again.
    if (event.type === "model-call-start") voidable = new Set();
    if (event.type === "model-restart") {
      for (const id of voidable) started.delete(id);
      voidable = new Set();
    }
    if (event.type === "tool-call-start") {
      if (started.has(event.call.id)) problems.push(`call "${event.call.id}" was announced twice`);
      started.add(event.call.id);
      voidable.add(event.call.id);
    }
    if (event.type === "tool-call-end") started.delete(event.result.toolCallId);
  }
  const inTranscript = rebuilt(entries);
  const open = new Set(inTranscript.open?.calls.map(({ id }) => id));
  for (const id of started) {
    const isVoid = !inTranscript.callIds.has(id);
    if (!open.has(id) && !isVoid) problems.push(`call "${id}" was announced but its end was not`);
  }
  const ends = events.filter(({ type }) => type === "run-end").length;
  const starts = events.filter(({ type }) => type === "run-start").length;
  // A session that is finished answers a resume with its result and does nothing; a run that could not begin has an end.
  if (result && (ends < starts || ends > Math.max(1, starts))) problems.push(`${starts} runs began, ${ends} ended`);
  return problems;
}

/** Whether an execution belongs to a voided call, whose id another one has by now. */
function isVoid({ abandonedAt, context }: Execution, entries: readonly SessionEntry[]): boolean {
  if (abandonedAt === null) return false;
  for (const entry of entries) {
    if (entry.type !== "tool-result" || entry.result.toolCallId !== context.toolCallId) continue;
    const { status, output, durationMs } = entry.result;
    if (status === "timeout") return durationMs === 0; // Its checks timed out; it was never entered.
    return status !== "aborted" || String(output).includes("before it had started");
  }
  return true;
}

/** A call never overtakes an earlier one of its message that it conflicts with. */
function keepsOrder({ world, result, entries }: Played): string[] {
  const problems: string[] = [];
  // Of a call that was voided and asked for again, the newer one counts.
  const first = new Map<string, Execution>();
  for (const execution of world.executions) {
    const known = first.get(execution.context.toolCallId);
    if (isVoid(execution, entries)) continue;
    if (known?.context !== execution.context) first.set(execution.context.toolCallId, execution);
  }
  for (const message of result?.messages() ?? []) {
    if (message.role !== "assistant") continue;
    // A voided call's id may be that of a later call of another tool by now.
    const ran = toolCallsOf(message).flatMap((call) => {
      const ran = first.get(call.id);
      return ran?.tool === nameOfCalled(call) ? ran : [];
    });
    for (const [index, later] of ran.entries()) {
      for (const earlier of ran.slice(0, index)) {
        if (!claimsConflict(earlier.claims, later.claims)) continue;
        // A replayable call that timed out lets go at once; adopted afterwards, it is answered under another id later.
        if (earlier.replayable && earlier.abandonedAt !== null) continue;
        const settled = world.answered.get(earlier.context.toolCallId)?.step ?? Number.POSITIVE_INFINITY;
        // A call that was adopted is announced again after its end; the end of its work counts.
        const ended = earlier.wish.act.startsWith("suspend") ? settled : (earlier.endedAt ?? settled);
        if (later.startedAt > Math.min(settled, earlier.replayable ? ended : settled)) continue;
        problems.push(`call "${later.context.toolCallId}" overtook "${earlier.context.toolCallId}"`);
      }
    }
  }
  return problems;
}
