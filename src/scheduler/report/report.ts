import type { HarnessError } from "../../contracts/errors.js";
import { clip } from "../../text/cut.js";
import { asOneLine } from "../../text/one-line.js";
import type { ReportData, TaskReport, TaskState } from "./report-data.js";
import { reportAsMarkdown } from "./report-markdown.js";

/** The outcome of a goal. */
export interface SchedulerReport extends ReportData {
  /** The reason why it failed, where it is not a task that did: `PLAN_INVALID`, `SESSION_WRITE`, … */
  readonly error?: HarnessError | undefined;
  /** For people: a summary, a table of the tasks, and what went wrong. */
  toMarkdown(): string;
  /** The graph of the tasks and their states, as a Mermaid flowchart. */
  toMermaid(): string;
}

export function createReport(data: ReportData, error?: HarnessError): SchedulerReport {
  const report = { ...data, ...(error && { error }) };
  const methods = {
    toMarkdown: { value: () => reportAsMarkdown(report) },
    toMermaid: { value: () => reportAsMermaid(data.tasks) },
  };
  return Object.freeze(Object.defineProperties(report, methods)) as SchedulerReport;
}

const MAX_LABEL_CHARS = 60;
const COLOURS: { readonly [Status in TaskState]?: string } = {
  done: "fill:#d9f2d9,stroke:#2e7d32",
  failed: "fill:#f9d6d5,stroke:#c62828",
  skipped: "fill:#eeeeee,stroke:#9e9e9e",
  "needs-approval": "fill:#fff3cd,stroke:#b58900",
};

/** The graph of the tasks as a Mermaid flowchart. Nothing in a title can leave its label. */
function reportAsMermaid(tasks: readonly TaskReport[]): string {
  const names = new Map(tasks.map(({ id }, index) => [id, `t${index}`]));
  const lines = ["flowchart TD"];
  for (const { id, title, status } of tasks) lines.push(`  ${names.get(id)}["${label(title)}<br/>${status}"]`);
  for (const { id, dependsOn } of tasks) {
    for (const before of dependsOn) if (names.has(before)) lines.push(`  ${names.get(before)} --> ${names.get(id)}`);
  }
  for (const [status, style] of Object.entries(COLOURS)) {
    const members = tasks.filter((task) => task.status === status).map(({ id }) => names.get(id));
    if (members.length === 0) continue;
    lines.push(`  classDef ${status} ${style}`, `  class ${members.join(",")} ${status}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Everything that could mean something to Mermaid or to HTML becomes an entity. */
function label(title: string): string {
  return clip(asOneLine(title), MAX_LABEL_CHARS).replace(/[^\p{L}\p{N} .,…_()/-]/gu, (character) => {
    return `#${character.codePointAt(0)};`;
  });
}
