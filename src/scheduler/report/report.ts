import type { HarnessError } from "../../contracts/errors.js";
import type { ReportData } from "./report-data.js";
import { reportAsMarkdown } from "./report-markdown.js";
import { reportAsMermaid } from "./report-mermaid.js";

/** The outcome of a goal. */
export interface SchedulerReport extends ReportData {
  /** Why it failed, where it is not a task that did: `PLAN_INVALID`, `SESSION_WRITE`, … */
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
