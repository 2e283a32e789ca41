/** The tokens of an answer. */
export interface OutputTokens {
  readonly outputTokens: number;
  readonly reasoningTokens: number | undefined;
}

/**
 * Reasoning is part of the output, unless the figures show that it was counted beside it. Kimi counts a token more of
 * reasoning than of output: the total says which it is.
 */
export function readOutput(
  output: number,
  reasoning: number | undefined,
  total: number | undefined,
  inputTokens: number,
): OutputTokens {
  const uncounted = total === undefined || total < inputTokens + output ? undefined : total - inputTokens - output;
  if (reasoning === undefined) {
    return { outputTokens: output + (uncounted ?? 0), reasoningTokens: uncounted || undefined };
  }
  return { outputTokens: withReasoning(output, reasoning, uncounted), reasoningTokens: reasoning };
}

/** `uncounted`: what the total holds beside input and output, when there is one that can be true. */
function withReasoning(output: number, reasoning: number, uncounted: number | undefined): number {
  if (reasoning > 0 && uncounted === reasoning) return output + reasoning;
  if (reasoning <= output) return output;
  return uncounted === undefined ? output + reasoning : Math.max(output + uncounted, reasoning);
}
