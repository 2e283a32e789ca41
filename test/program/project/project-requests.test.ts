import { expect, test } from "vitest";
import { projectRequests } from "../../../src/program/project/project-requests.js";
import { directoryWith } from "../kit.js";

test("a project whose commands are all it brings asks for trust", async () => {
  const root = directoryWith({
    ".claude/commands/fix.md": "---\nallowed-tools: Bash(echo *)\n---\nFix $1.\n",
    ".loopwright/commands/check/fast.md": "Check.\n",
  });

  expect(await projectRequests(root)).toEqual([
    { part: "commands", what: "/check:fast" },
    { part: "commands", what: "/fix: allowed-tools: Bash(echo *)" },
  ]);
  expect(await projectRequests(directoryWith())).toEqual([]);
});
