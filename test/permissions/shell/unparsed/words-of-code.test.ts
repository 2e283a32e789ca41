import { expect, test } from "vitest";
import { withoutSyntax } from "../../../../src/permissions/shell/unparsed/words-of-code.js";

test.each([
  ["git 'push' \"-f\"", "git push -f"],
  ["gi\\t pu''sh", "git push"],
  ["a; b && c | d", "a\n b \n c \n d"],
  ["echo $(rm x)", "echo \nrm x"],
  ["$'\\x72m' x", "rm x"],
  ["a \\\n b", "a b"],
])("%j becomes %j", (script, text) => {
  expect(withoutSyntax(script).replace(/\n+/g, "\n").replace(/\n$/, "")).toBe(text);
});
