import { expect, test } from "vitest";
import { isReadOnlyCommand } from "../../../src/permissions/index.js";

test.each(["ls -la", "cat a | head", "git status", "grep -rn x src", "for f in a b; do wc -l $f; done"])(
  "only reads: %s",
  (line) => {
    expect(isReadOnlyCommand(line)).toBe(true);
  },
);

test.each(["", "npm test", "cd src", "cat a > b", "cat \u0024{x:-y}", "eval ls", "x=1", "git -C other log", "curl x"])(
  "does more, or is not plain: %s",
  (line) => {
    expect(isReadOnlyCommand(line)).toBe(false);
  },
);
