import { expect, test } from "vitest";
import { analyze } from "../../kit.js";
import { said } from "../family.js";

test.each([
  ["git diff src/../../x", "read /x"],
  ["git blame --conten=../x a", "read /x"],
  ["git ls-files --exclude-from ../x", "read /x"],
  ["git -C pkg blame a", "read /project/pkg/a"],
  ["git show HEAD:../x", "read /x"],
  ["git diff --no-index /dev/null .", "read /project/**"],
])("%s: %s", (line, expected) => {
  expect(said(line)).toContain(expected);
});

test.each([
  "git rebase --ex ls",
  "git rebase --exe=ls",
  "git -c core.pager=x log",
  "git grep -O x",
  "git clone --upload-p x y",
])("runs another program: %s", (line) => {
  expect(said(line)).toContain("option");
});

test("it says where it would have to stand to only read", () => {
  const at = (line: string) => analyze(line).commands.at(-1)!;
  expect(at("git status")).toMatchObject({ readOnly: true, readOnlyIn: null });
  expect(at("cd pkg && git log")).toMatchObject({ readOnly: false, readOnlyIn: ["/project/pkg"] });
  expect(at("git -C pkg log")).toMatchObject({ readOnly: false, readOnlyIn: ["/project/pkg"] });
  expect(at("git -C pkg push")).toMatchObject({ readOnly: false, readOnlyIn: null });
  expect(at("git --git-dir=x log")).toMatchObject({ readOnly: false, readOnlyIn: null });
});
