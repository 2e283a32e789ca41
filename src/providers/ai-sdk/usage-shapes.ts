import type { FinishReason, Usage } from "../../contracts/usage.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { countedUsage, tokenCount } from "../shared/counted-usage.js";

/**
 * The tokens of one call; `undefined` unless input and output were both counted. Versions 3 and 4 count by kind; version 2
 * has plain numbers: its providers for Anthropic and Bedrock leave out of the input what was cached, those for Google leave
 * out of the output what was thought, and the total holds it.
 */
export function aiSdkUsage(usage: unknown, metadata: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  if (isObject(usage.inputTokens) && isObject(usage.outputTokens)) return byKind(usage.inputTokens, usage.outputTokens);
  const { anthropic, bedrock } = isObject(metadata) ? metadata : {};
  const cacheRead = tokenCount(usage.cachedInputTokens);
  const cacheWrite = isObject(anthropic)
    ? tokenCount(anthropic.cacheCreationInputTokens)
    : isObject(bedrock) && isObject(bedrock.usage)
      ? tokenCount(bedrock.usage.cacheWriteInputTokens)
      : undefined;
  const input = tokenCount(usage.inputTokens);
  const isBeside = isObject(anthropic) || isObject(bedrock) || (cacheRead ?? 0) > (input ?? 0);
  const total = input === undefined ? undefined : input + (isBeside ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0);
  const output = tokenCount(usage.outputTokens);
  const reasoning = tokenCount(usage.reasoningTokens);
  const rest = (tokenCount(usage.totalTokens) ?? 0) - (input ?? 0) - (output ?? 0);
  const said = reasoning !== undefined && rest >= reasoning ? (output ?? 0) + reasoning : output;
  return countedUsage(total, said, { cacheRead, cacheWrite, reasoning });
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
  return countedUsage(total, said, { cacheRead, cacheWrite, reasoning });
}

const MEANINGS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content-filter",
  "tool-calls": "tool-calls",
};

/** The name of a finish reason: version 2 has the name itself, later ones an object. */
export function finishName(reason: unknown): string {
  return String(isObject(reason) ? reason.unified : reason);
}

/**
 * Whether a provider says that it does not know how the answer ended: its stream may have been cut off. Version 4 has a
 * name for it; earlier versions use the one for reasons that are not known, which is most often this.
 */
export function isCutOff(reason: unknown): boolean {
  if (!isObject(reason)) return reason === "unknown" || reason === undefined;
  return reason.unified === "interrupted" || (reason.unified === "other" && reason.raw === undefined);
}

/** The finish reason of this name in our terms. */
export function finishReasonOfName(name: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}
