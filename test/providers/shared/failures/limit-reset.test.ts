import { expect, test } from "vitest";
import { readLimitReset } from "../../../../src/providers/shared/failures/provider-error.js";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const resetOf = (headers: Record<string, string>) => readLimitReset((name) => headers[name], NOW);

test.each([
  [
    "the last of Anthropic's spent limits",
    {
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-11-20T12:00:05Z",
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": "2026-11-20T12:00:41Z",
      "anthropic-ratelimit-output-tokens-remaining": "8000",
      "anthropic-ratelimit-output-tokens-reset": "2026-11-20T12:30:00Z",
    },
    41_000,
  ],
  ["OpenAI's duration", { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s" }, 360_500],
  [
    "Cerebras' seconds",
    { "x-ratelimit-remaining-requests-day": "0", "x-ratelimit-reset-requests-day": "33.4" },
    33_400,
  ],
  [
    "OpenRouter's moment in milliseconds",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${NOW + 9_000}` },
    9_000,
  ],
  ["nothing, where a limit is not counted", { "x-ratelimit-reset": "12" }, undefined],
  ["the draft's seconds", { "ratelimit-remaining": "0", "ratelimit-reset": "30" }, 30_000],
  ["a moment that has passed", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${NOW - 1}` }, 0],
  ["nothing, when nothing is spent", { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "30" }, undefined],
  ["nothing, when nothing is understood", { "ratelimit-remaining": "0", "ratelimit-reset": "soon" }, undefined],
  ["nothing, without headers", {}, undefined],
])("a limit's reset is %s", (_what, headers, expected) => {
  expect(resetOf(headers as Record<string, string>)).toBe(expected);
});
