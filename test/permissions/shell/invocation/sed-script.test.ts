import { expect, test } from "vitest";
import { onlyEditsOutput } from "../../../../src/permissions/shell/invocation/sed-script.js";

test.each([
  "s/[^/]*$//",
  "s|[^/]*$||",
  "s/[[:alpha:]/]x/y/g",
  "s/[]/]/x/",
  "$!N;P;D",
  "/^## \\[1/,/^## \\[/p",
  "2,4{p;=}",
  "s/x/[/",
])("only edits: %s", (script) => {
  expect(onlyEditsOutput(script)).toBe(true);
});

test.each([
  "s/[/]/;s/w out\n/x/p",
  "/[/p;#]/w out",
  "/[^/;p]/e touch x",
  "s/[\\]/]/w out",
  "s/a/b/w out",
  "s/a\n/b/",
  "1,/[/p]/w out",
  "w out",
])("may do more: %j", (script) => {
  expect(onlyEditsOutput(script)).toBe(false);
});
