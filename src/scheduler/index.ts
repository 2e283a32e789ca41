export type {
  Decomposer,
  Merger,
  PlanDecision,
  PlanningRequest,
  SchedulerLimits,
  SchedulerOptions,
  SchedulerResumeOptions,
  SchedulerRunOptions,
  SkillChoice,
  TaskResult,
  Verification,
  Verifier,
} from "./options.js";
export type { Criterion, Plan, PlannedTask } from "./plan/plan.js";
export type { SchedulerReport } from "./report/report.js";
export type { ReplanReport, ReportData, TaskReport, TaskState } from "./report/report-data.js";
export { createScheduler, type Scheduler, type SchedulerRun } from "./scheduler.js";
export type {
  SchedulerEvent,
  SchedulerEventBase,
  SchedulerEventPayloads,
  SchedulerEventType,
  SchedulerState,
} from "./scheduler-events.js";
