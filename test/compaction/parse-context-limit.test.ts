import { expect, test } from "vitest";
import { parseContextLimit } from "../../src/compaction/pipeline.js";

test.each<[string, number | null]>([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8_192],
  ["prompt is too long: 215014 tokens > 200000 maximum", 200_000],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096],
  ["Your request exceeded model token limit: 131072", 131_072],
  ["the input token count is 40000 but model only supports up to 32,768.", 32_768],
  ["Range of input length should be [1, 129024]", 129_024],
  ["prompt too long; exceeded max context length by 512 tokens", null],
  ["input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length", 200_000],
  ["Too many input tokens. Max input tokens: 128000, request input token count: 131072", 128_000],
  ["Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32_768],
  ["Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4090 `inputs` tokens", 4_096],
  ["too many tokens: total number of tokens in the prompt exceeds the limit of 4081: received 5000.", 4_081],
  ["input is too long, the max length is 131072", 131_072],
  ["invalid params, context window exceeds limit (2013)", null],
  ["Input is too long for requested model.", null],
  ["", null],
])("%s tells %s", (message, window) => {
  expect(parseContextLimit(message)).toBe(window);
});
