import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PendingRequest } from "../../../../src/contracts/approval.js";
import { approvalQuestion } from "../../../../src/program/terminal/questions/approval-question.js";
import { previewDiff } from "../../../../src/program/terminal/questions/preview-diff.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { indented } from "../../../../src/program/terminal/transcript/block.js";
import { createWorkspace } from "../../../../src/workspace/index.js";
import { temporaryDirectory } from "../../../sessions/kit.js";

const theme = createTheme({ NO_COLOR: "1" });
const LARGE = 2 * 1024 * 1024;

test.each([
  ["behind a line of 3,000 characters", `const a = 1;\n${"x".repeat(3_000)}\nEVIL()\n`],
  ["behind 2,500 spaces", `const b = 2;${" ".repeat(2_500)}EVIL()\n`],
  ["after 400 lines", `${"line\n".repeat(400)}EVIL()\n`],
  ["behind 10,000 words in one line", `${"and words ".repeat(10_000)}EVIL()\n`],
  ["at the end of what is too large to compare", `${"line\n".repeat(LARGE / 4)}EVIL()\n`],
])("all of an edit can be read before it is approved: also what comes %s", async (_, content) => {
  const root = temporaryDirectory();
  writeFileSync(join(root, "x.js"), "const old = 0;\n");
  const workspace = await createWorkspace({ root });
  const about = { v: 1, id: "1", kind: "approval", sessionId: "s", agentPath: [], toolCallId: "c" } as const;
  const request: PendingRequest = {
    ...{ ...about, tool: "write_file", input: { path: "x.js", content } },
    ...{ digest: "d", reason: "Why.", suggestions: [] },
  };

  const { body } = approvalQuestion(request, theme, { diff: await previewDiff(workspace, request, theme) });
  const shown = body.flatMap((line) => indented(line, 80, "  "));

  expect(shown.filter((line) => line.includes("EVIL()"))).toHaveLength(1);
  expect(shown.join("\n")).not.toMatch(/diff cut|more lines/);
  await workspace.close();
});
