// One call to the summarizer: whatever it does, it ends, with a summary or with a reason to go on without one.

import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import type { FinishReason, Usage } from "../../contracts/usage.js";
import { isRetrying } from "../../engine/model/retry.js";
import { withRetry } from "../../engine/model/with-retry.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import type { TokenCounter } from "../token-count.js";

export interface SummaryCall {
  readonly provider: ProviderAdapter;
  readonly system: string;
  readonly maxOutputTokens: number;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  readonly count: TokenCounter;
  spend?(usage: Usage, model: { readonly provider: string; readonly model: string }): number | null;
}

const REFUSAL = /^\W*(?:i['’]?m sorry|sorry|i (?:can(?:no|['’])t|am unable|won['’]t)|as an ai\b|unfortunately,? i)/i;
/** A refusal is short; a summary that happens to begin with such words is not. Unit: characters. */
const REFUSAL_CHARS = 400;
/** More than any answer has; a stream that never waits would keep every timer waiting. Unit: characters. */
export const MAX_ANSWER_CHARS = 2_000_000;

/** The summary alone. @throws Error that says what the model did instead */
export async function askForSummary(call: SummaryCall, prompt: string): Promise<string> {
  if (call.signal.aborted) throw new Error("the run was ended");
  const controller = new AbortController();
  const events = open(call, prompt, controller.signal);
  try {
    return await readInTime(events, call, read(call, prompt, events));
  } finally {
    controller.abort(new Error("The summary is no longer needed."));
  }
}

/** The result of `reading` from a model's events, which are closed after it. @throws Error when the run is ended or the time is over before */
export async function readInTime<T>(
  events: AsyncIterator<ProviderEvent>,
  { signal, deadline }: Pick<SummaryCall, "signal" | "deadline">,
  reading: Promise<T>,
): Promise<T> {
  let giveUp: (why: string) => void = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = (why) => reject(new Error(why));
  });
  const onAbort = () => giveUp("the run was ended");
  signal.addEventListener("abort", onAbort, { once: true });
  const leftMs = Math.min(Math.max(1, deadline - performance.now()), LONGEST_TIMER_MS);
  const timer = setTimeout(() => giveUp("it took too long"), leftMs);
  try {
    return await Promise.race([reading, givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    // A provider may hang in its cleanup; nobody waits for it.
    void Promise.resolve(events.return?.()).catch(() => {});
  }
}

function open(call: SummaryCall, prompt: string, signal: AbortSignal): AsyncIterator<ProviderEvent> {
  const provider = isRetrying(call.provider) ? call.provider : withRetry(call.provider);
  const request: ProviderRequest = {
    system: [{ id: "system", text: call.system }],
    tools: [],
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    maxOutputTokens: call.maxOutputTokens,
    signal,
    sessionId: call.sessionId,
  };
  return provider.stream(request)[Symbol.asyncIterator]();
}

async function read(call: SummaryCall, prompt: string, events: AsyncIterator<ProviderEvent>): Promise<string> {
  let text = "";
  let calledTools = false;
  let isMetered = false;
  try {
    for (let step = await events.next(); !step.done; step = await events.next()) {
      const event = step.value;
      if (text.length > MAX_ANSWER_CHARS) throw new Error("it kept writing past its limit");
      if (event.type === "text-delta") text += event.text;
      else if (event.type.startsWith("tool-call")) calledTools = true;
      else if (event.type === "restart") {
        text = "";
        calledTools = false;
      } else if (event.type === "message-end") {
        isMetered = true;
        spend(call, prompt, text, event.usage);
        return summaryIn(text, event.finishReason, calledTools);
      }
    }
  } finally {
    if (!isMetered && text !== "") spend(call, prompt, text, undefined);
  }
  throw new Error("its stream ended without a message-end");
}

function spend(call: SummaryCall, prompt: string, text: string, reported: Usage | undefined): void {
  const inputTokens = call.count(call.system) + call.count(prompt);
  const usage = reported ?? { inputTokens, outputTokens: call.count(text), estimated: true };
  call.spend?.(usage, { provider: call.provider.id, model: call.provider.model });
}

function summaryIn(text: string, finishReason: FinishReason, calledTools: boolean): string {
  if (calledTools) throw new Error("it called a tool instead of writing");
  if (finishReason === "content-filter" || finishReason === "error") throw new Error(`it ended with "${finishReason}"`);
  const written = withoutAnalysis(text);
  const tagged = tagIn(written);
  if (tagged === undefined && finishReason === "length") throw new Error("it ran out of output before the summary");
  const summary = (tagged ?? written.replace(/<analysis>[\s\S]*/i, "")).trim();
  if (summary === "") throw new Error("it wrote nothing");
  if (summary.length < REFUSAL_CHARS && REFUSAL.test(summary)) throw new Error("it refused");
  return summary;
}

/** The analysis may quote anything, also another summary. One that never ends may be all there is. */
function withoutAnalysis(text: string): string {
  const start = text.search(/<analysis>/i);
  const length = start < 0 ? -1 : text.slice(start).search(/<\/analysis>/i);
  return length < 0 ? text : text.slice(0, start) + text.slice(start + length + "</analysis>".length);
}

/** From the first `<summary>` to the last `</summary>`, or to the end. */
function tagIn(text: string): string | undefined {
  const start = text.search(/<summary>/i);
  if (start < 0) return undefined;
  const content = text.slice(start + "<summary>".length);
  const end = [...content.matchAll(/<\/summary>/gi)].at(-1);
  return content.slice(0, end?.index);
}
