import { expect, test } from "vitest";
import { said } from "../family.js";

test.each([
  ["cp a b", ["read /project/a", "create /project/b", "create /project/b/a"]],
  ["cp -r a b", ["read /project/a/**", "create /project/b", "create /project/b/a"]],
  ["mv a b", ["delete /project/a/**", "create /project/b", "create /project/b/a"]],
  ["rm -rf a", ["delete /project/a/**"]],
  ["mkdir -p a/b", ["create /project/a/b"]],
])("%s", (line, expected) => {
  expect(said(line)).toEqual(expected);
});

test("a copy that is a link is a doubt", () => {
  for (const option of ["-s", "-l", "--symbolic-link", "--link", "-rs"])
    expect(said(`cp ${option} a b`)).toContain("option");
});
