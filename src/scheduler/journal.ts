// The scheduler's own session: locked while it works, read once, and written before anything follows from what happened.
import { SessionError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { Release, SessionEntry, SessionRecord } from "../contracts/session.js";
import type { EngineConfig } from "../engine/options/options.js";
import { Recorder } from "../engine/transcript/recorder.js";
import { Transcript } from "../engine/transcript/transcript.js";
import { Progress } from "./progress.js";
import { PLAN_ENTRY, type PlanRecord, REPORT_ENTRY, TASK_ENTRY, type TaskRecord } from "./records.js";
import type { ReportData } from "./report/report-data.js";

/** Writes what happens, and knows what has happened. */
export class Journal {
  readonly progress = new Progress();
  /** The newest report. */
  report: ReportData | null = null;
  /** Entries before the newest report do not count as after it. */
  isReported = false;

  private constructor(
    readonly transcript: Transcript,
    private readonly recorder: Recorder,
    private readonly release: Release,
  ) {}

  /** @throws SessionError `SESSION_BUSY`, `SESSION_READ`, … */
  static async open({ store, runtime }: EngineConfig, sessionId: string): Promise<Journal> {
    const release = await store.lock(sessionId);
    try {
      const transcript = new Transcript();
      const recorder = new Recorder(transcript, store, sessionId, runtime.newId(), runtime);
      const journal = new Journal(transcript, recorder, release);
      for await (const entry of store.read(sessionId)) journal.#read(entry);
      return journal;
    } catch (error) {
      await release();
      throw error;
    }
  }

  get isEmpty(): boolean {
    return this.transcript.lastEntryId === null;
  }

  #read(entry: SessionEntry): void {
    this.transcript.apply(entry);
    if (entry.type === "custom") this.#apply(entry.name, entry.data);
  }

  #apply(name: string, data: JsonValue): void {
    if (name === PLAN_ENTRY) this.progress.applyPlan(data as unknown as PlanRecord);
    else if (name === TASK_ENTRY) this.progress.applyTask(data as unknown as TaskRecord);
    else if (name === REPORT_ENTRY) this.report = data as unknown as ReportData;
    else return;
    this.isReported = name === REPORT_ENTRY;
  }

  plan(record: PlanRecord): Promise<void> {
    return this.#write(PLAN_ENTRY, record as unknown as JsonValue);
  }

  task(record: TaskRecord): Promise<void> {
    return this.#write(TASK_ENTRY, record as unknown as JsonValue);
  }

  /** Goes with the next write: nothing depends on it. */
  begin(task: string, attempt: number): void {
    const data = { v: 1, kind: "started", task, attempt } as const;
    this.recorder.record({ type: "custom", name: TASK_ENTRY, data });
    this.#apply(TASK_ENTRY, data);
  }

  async keepReport(report: ReportData): Promise<void> {
    await this.#write(REPORT_ENTRY, report as unknown as JsonValue);
  }

  /** Records that belong together, also such as a question about a plan. @throws SessionError `SESSION_WRITE` */
  async record(...records: readonly SessionRecord[]): Promise<void> {
    for (const record of records) {
      this.recorder.record(record);
      if (record.type === "custom") this.#apply(record.name, record.data);
    }
    if (!(await this.recorder.commit())) throw this.recorder.failure!;
  }

  #write(name: string, data: JsonValue): Promise<void> {
    return this.record({ type: "custom", name, data });
  }

  close(): Promise<void> {
    return this.release();
  }
}

export function unknownScheduler(sessionId: string): SessionError {
  return new SessionError("SESSION_NOT_FOUND", {
    message: `Session "${sessionId}" has no plan to resume. Start one with scheduler.run(goal, { sessionId }).`,
  });
}
