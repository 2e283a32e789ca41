import { expect, test } from "vitest";
import { limitIn } from "../../src/compaction/limit-in.js";

test.each<[string, number | null]>([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8_192],
  ["prompt is too long: 215014 tokens > 200000 maximum", 200_000],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096],
  ["Your request exceeded model token limit: 131072", 131_072],
  ["the input token count is 40000 but model only supports up to 32,768.", 32_768],
  ["Range of input length should be [1, 129024]", 129_024],
  ["prompt too long; exceeded max context length by 512 tokens", null],
  ["Input is too long for requested model.", null],
  ["", null],
])("%s tells %s", (message, window) => {
  expect(limitIn(message)).toBe(window);
});
