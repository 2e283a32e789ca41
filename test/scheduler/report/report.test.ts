import { expect, test } from "vitest";
import { createReport } from "../../../src/scheduler/report/report.js";
import type { ReportData, TaskReport } from "../../../src/scheduler/report/report-data.js";

const reported = (id: string, more: Partial<TaskReport> = {}): TaskReport => ({
  id,
  title: `Task ${id}`,
  status: "done",
  attempts: 1,
  dependsOn: [],
  criterion: { kind: "command", command: "true" },
  output: "out",
  reason: "It holds.",
  evidence: ["seen"],
  tools: [],
  files: [],
  facts: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  costUsd: 0,
  durationMs: 5,
  ...more,
});

const data = (more: Partial<ReportData> = {}): ReportData => ({
  status: "failed",
  goal: "Do it",
  sessionId: "p",
  summary: "Half of it.",
  tasks: [reported("a", { tool: "list_dir" }), reported("b", { status: "failed", dependsOn: ["a"], reason: "broken" })],
  replans: [],
  skill: "doing",
  files: ["src/a.ts"],
  facts: ["it rains"],
  pending: [],
  usage: { inputTokens: 10, outputTokens: 5 },
  costUsd: 0.5,
  durationMs: 1_234,
  ...more,
});

test("a report reads as Markdown", () => {
  expect(createReport(data()).toMarkdown()).toMatchInlineSnapshot(`
    "# Failed: Do it

    1 of 2 tasks done, 2 attempts, 10 tokens in, 5 out, $0.5000, 1.2 s

    Skill: doing

    ## Result

    \`\`\`text
    Half of it.
    \`\`\`

    ## Tasks

    | Task | Title | State | Attempts | Done by | Evidence |
    | --- | --- | --- | --- | --- | --- |
    | a | Task a | done | 1 | list_dir | seen |
    | b | Task b | failed | 1 | agent | seen |

    ## Open

    - b: broken

    ## Files changed

    - src/a.ts

    ## Facts learned

    - it rains
    "
  `);
});

test("a report draws its graph", () => {
  expect(createReport(data()).toMermaid()).toMatchInlineSnapshot(`
    "flowchart TD
      t0["Task a<br/>done"]
      t1["Task b<br/>failed"]
      t0 --> t1
      classDef done fill:#d9f2d9,stroke:#2e7d32
      class t0 done
      classDef failed fill:#f9d6d5,stroke:#c62828
      class t1 failed
    "
  `);
});

test("nothing a model writes leaves its place in the table, the block or the picture", () => {
  const evil = 'x" --> y\n| a | b |\n```\n<script>alert(1)</script> [l](javascript:x) `c` #quot;';
  const report = createReport(
    data({ goal: evil, summary: evil, facts: [evil], tasks: [reported("a", { title: evil, evidence: [evil] })] }),
  );

  const markdown = report.toMarkdown();
  const lines = markdown.split("\n");
  expect(lines.filter((line) => /^# /.test(line))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("````"))).toHaveLength(2);
  const row = lines.filter((line) => line.startsWith("| a ")).at(-1);
  expect(row!.replace(/\\\|/g, "").split("|")).toHaveLength(8);
  const outside = markdown.replace(/````text[\s\S]*````/, "");
  expect(outside).not.toMatch(/(?<!\\)<script|(?<!\\)\[l\]|(?<!\\)`c`/);
  const picture = report.toMermaid().split("\n");
  expect(picture).toHaveLength(5);
  expect(picture[1]).toMatch(/^ {2}t0\["[^"<>[\]|`]*<br\/>done"\]$/);
});

test("a report is plain data beside its two methods", () => {
  const report = createReport(data());

  expect(JSON.parse(JSON.stringify(report))).toEqual(data());
  expect(Object.isFrozen(report)).toBe(true);
});
