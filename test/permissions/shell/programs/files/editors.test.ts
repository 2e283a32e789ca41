import { expect, test } from "vitest";
import { said } from "../family.js";

test.each([
  ["sed -n 1,5p a", ["reads", "read /project/a"]],
  ["sed -i s/a/b/ a", ["edit", "modify /project/a"]],
  ["sed --in-place=../o/* s/a/b/ a", ["option", "create /o/*", "modify /project/a"]],
  ["sed --in-place='../o/*' s/a/b/ a", ["option", "create /o/*", "modify /project/a"]],
  ["sed 'w f' a", ["code", "read /project/a"]],
  ["awk '{print $1}' a", ["reads", "read /project/a"]],
  ["awk '{print > \"f\"}' a", ["code", "read /project/a"]],
  ["awk -f p a", ["code", "script", "read /project/p", "read /project/p", "read /project/a"]],
])("%s", (line, expected) => {
  expect([...said(line)].sort()).toEqual([...expected].sort());
});
