import { expect, test } from "vitest";
import { isHazardous } from "../../../../src/permissions/shell/words/environment.js";
import { analyze } from "../kit.js";

test("settings of loaders, shells and tools are hazards, harmless pairs are not", () => {
  for (const name of ["PATH", "LD_PRELOAD", "BASH_ENV", "GIT_PAGER", "NODE_OPTIONS", "npm_config_shell"]) {
    expect([name, isHazardous(name, "x")]).toEqual([name, true]);
  }
  for (const [name, value] of [
    ["CI", "true"],
    ["FORCE_COLOR", "1"],
    ["NODE_OPTIONS", "--max-old-space-size=4096"],
    ["NODE_OPTIONS", "--no-warnings --enable-source-maps"],
    ["GIT_PAGER", "cat"],
    ["MAKEFLAGS", "-j4"],
  ] as const) {
    expect([name, value, isHazardous(name, value)]).toEqual([name, value, false]);
  }
  expect(isHazardous("NODE_OPTIONS", "--max-old-space-size=1 --require x")).toBe(true);
  expect(isHazardous("NODE_OPTIONS", null)).toBe(true);
});

test.each([
  "BASH_ENV=x; bash -c ls",
  ": \u0024{BASH_ENV:=x}; bash -c ls",
  ": \u0024{BASH_ENV=x}; bash -c ls",
  "for BASH_ENV in x; do bash -c ls; done",
  "read BASH_ENV; bash -c ls",
  "printf -v BASH_ENV x; bash -c ls",
  "export BASH_ENV=x; bash -c ls",
  "declare -x BASH_ENV=x; bash -c ls",
  "((PATH=1)); ls",
  "exec {PATH}<f; ls",
])("a hazard counts for every command, however it is set: %s", (line) => {
  expect(
    analyze(line)
      .commands.at(-1)!
      .doubts.map(({ kind }) => kind),
  ).toContain("environment");
});

test("whichever shell $SHELL is, it is one", () => {
  expect(analyze("$SHELL -c 'rm -rf /'").commands.map(({ text }) => text)).toContain("rm -rf /");
});
