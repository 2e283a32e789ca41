import type { FinishReason, Usage } from "../../contracts/usage.js";
import { isRecord } from "../shared/is-record.js";
import { tokenCount } from "../shared/token-count.js";

type Fields = { readonly [field: string]: unknown };

/**
 * The tokens of one call; `undefined` unless input and output were both counted. Versions 3 and 4 count by kind; version 2
 * has plain numbers: its providers for Anthropic and Bedrock leave out of the input what was cached, those for Google leave
 * out of the output what was thought, and the total holds it.
 */
export function aiSdkUsage(usage: unknown, metadata: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  if (isRecord(usage.inputTokens) && isRecord(usage.outputTokens)) return byKind(usage.inputTokens, usage.outputTokens);
  const { anthropic, bedrock } = isRecord(metadata) ? metadata : {};
  const cacheRead = tokenCount(usage.cachedInputTokens);
  const cacheWrite = isRecord(anthropic)
    ? tokenCount(anthropic.cacheCreationInputTokens)
    : isRecord(bedrock) && isRecord(bedrock.usage)
      ? tokenCount(bedrock.usage.cacheWriteInputTokens)
      : undefined;
  const input = tokenCount(usage.inputTokens);
  const isBeside = isRecord(anthropic) || isRecord(bedrock) || (cacheRead ?? 0) > (input ?? 0);
  const total = input === undefined ? undefined : input + (isBeside ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0);
  const output = tokenCount(usage.outputTokens);
  const reasoning = tokenCount(usage.reasoningTokens);
  const rest = (tokenCount(usage.totalTokens) ?? 0) - (input ?? 0) - (output ?? 0);
  const said = reasoning !== undefined && rest >= reasoning ? (output ?? 0) + reasoning : output;
  return asUsage(total, said, cacheRead, cacheWrite, reasoning);
}

function byKind(input: Fields, output: Fields): Usage | undefined {
  const cacheRead = tokenCount(input.cacheRead);
  const cacheWrite = tokenCount(input.cacheWrite);
  const noCache = tokenCount(input.noCache);
  const total =
    tokenCount(input.total) ?? (noCache === undefined ? undefined : noCache + (cacheRead ?? 0) + (cacheWrite ?? 0));
  const reasoning = tokenCount(output.reasoning);
  const text = tokenCount(output.text);
  const said = tokenCount(output.total) ?? (text === undefined ? undefined : text + (reasoning ?? 0));
  return asUsage(total, said, cacheRead, cacheWrite, reasoning);
}

function asUsage(
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  cacheRead: number | undefined,
  cacheWrite: number | undefined,
  reasoning: number | undefined,
): Usage | undefined {
  if (!inputTokens || outputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens,
    ...(cacheRead !== undefined && { cacheReadTokens: Math.min(cacheRead, inputTokens) }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: Math.min(cacheWrite, inputTokens) }),
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, outputTokens) }),
  };
}

const MEANINGS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content-filter",
  "tool-calls": "tool-calls",
};

/** The name of a finish reason: version 2 has the name itself, later ones an object. */
export function finishName(reason: unknown): string {
  return String(isRecord(reason) ? reason.unified : reason);
}

/**
 * Whether a provider says that it does not know how the answer ended: its stream may have been cut off. Version 4 has a
 * name for it; earlier versions use the one for reasons that are not known, which is most often this.
 */
export function isCutOff(reason: unknown): boolean {
  if (!isRecord(reason)) return reason === "unknown" || reason === undefined;
  return reason.unified === "interrupted" || (reason.unified === "other" && reason.raw === undefined);
}

/** The finish reason of this name in our terms. */
export function finishReasonOfName(name: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}
