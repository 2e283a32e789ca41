// The tool calls of one message: they arrive while the model streams, start when nothing they conflict with is left,
// and each gets exactly one result.
import { RunError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { SpawnSubagent } from "../../contracts/subagent.js";
import type { RootCall } from "../../contracts/tool.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { canonicalJson } from "../../json/copy.js";
import type { RunState } from "../run/run-state.js";
import { runToolCall } from "./call-pipeline.js";
import { type BatchProgress, isReplayable, RunCallHost } from "./call-scheduler.js";
import { compactionOf, notifierOf, spawnerFor, tellOfTimeout } from "./call-services.js";
import { aborted } from "./execute-call.js";
import { CallRun, type CallScope } from "./pending-call.js";

/**
 * The calls of one message.
 *
 * Invariant: the message is done when every call is answered, waits for the host, or waits behind one that does.
 */
export class CallBatch implements CallScope, BatchProgress {
  readonly calls: CallRun[] = [];
  readonly runId: string;
  readonly turn: number;
  readonly agentPath: readonly string[];
  readonly sessionId: string;
  readonly transcriptId: string;
  readonly rootCall: RootCall | undefined;
  readonly app: unknown;
  readonly artifacts: ArtifactStore | undefined;
  readonly #host: RunCallHost;
  /** Calls of a voided stream, which an identical call in the new one adopts. */
  #orphans: CallRun[] | null = null;
  /** Pipelines at work: not waiting for another call, nor for the host. */
  #working = 0;
  /** How many calls are neither answered nor wait for the host. */
  #openCount = 0;
  #committed = false;
  #onCommitted: (() => void)[] | null = null;
  #onDone: (() => void) | null = null;

  constructor(private readonly run: RunState) {
    this.runId = run.id;
    this.turn = run.turn;
    this.agentPath = run.agentPath;
    this.sessionId = run.sessionId;
    this.transcriptId = run.transcriptId;
    this.rootCall = run.setup.rootCall;
    this.app = run.setup.app;
    this.artifacts = run.config.artifacts;
    this.#host = new RunCallHost(run, this);
    run.claims.begin(() => this.#check());
  }

  // ── arriving ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes a place in the message's order. Until the call is complete, later ones wait. */
  announce(call: ToolCall): CallRun {
    const arriving = new CallRun(call, this);
    this.calls.push(arriving);
    this.#openCount++;
    this.run.claims.enter(arriving);
    return arriving;
  }

  /**
   * The call is complete. A replayable one starts while the model still streams. Returns the call that stands in its
   * place from now on.
   */
  complete(arriving: CallRun, call: ToolCall): CallRun {
    const adopted = this.#adopt(arriving, call);
    if (adopted) {
      this.calls[arriving.order] = adopted;
      this.#close(arriving);
      adopted.open = !adopted.over;
      if (adopted.open) this.#openCount++;
      return adopted;
    }
    arriving.call = call;
    arriving.args = call.arguments;
    const tool = this.run.registry.get(call.name);
    if (this.run.config.eagerTools && tool && call.malformed === undefined && isReplayable(tool)) this.#start(arriving);
    return arriving;
  }

  /** The stream starts again: what runs is kept for an identical call, the rest is forgotten. */
  restart(): void {
    this.#orphans = [...(this.#orphans ?? []), ...this.calls.filter(({ pipeline }) => pipeline !== undefined)];
    for (const call of this.calls) if (!call.pipeline) this.run.claims.release(call);
    this.#forgetCalls();
    this.run.claims.begin(() => this.#check());
  }

  /** Calls whose arguments never came to an end are not kept in an interrupted message. */
  dropIncomplete(complete: ReadonlySet<CallRun>): void {
    for (const call of this.calls.filter((one) => !complete.has(one))) {
      this.calls.splice(this.calls.indexOf(call), 1);
      this.#close(call);
      call.cancel(this.run.stopError);
    }
  }

  #forgetCalls(): void {
    for (const call of this.calls) this.#close(call);
    this.calls.length = 0;
  }

  #close(call: CallRun): void {
    if (!call.open) return;
    call.open = false;
    this.#openCount--;
  }

  /** The stream is over: what it has not asked for again is cancelled. */
  dropOrphans(): void {
    if (!this.#orphans) return;
    for (const orphan of this.#orphans) {
      orphan.cancel(new RunError("RUN_ABORTED", { message: "The model did not ask for this call again." }));
    }
    this.#orphans = null;
  }

  /** The model call failed for good: nothing of its message is kept. */
  discard(): void {
    for (const call of this.calls) call.cancel(this.run.stopError);
    this.#forgetCalls();
    this.dropOrphans();
  }

  #adopt(arriving: CallRun, call: ToolCall): CallRun | undefined {
    if (!this.#orphans?.length) return undefined;
    const wanted = canonicalJson([call.name, call.arguments]);
    const at = this.#orphans.findIndex(({ call: old }) => canonicalJson([old.name, old.arguments]) === wanted);
    if (at < 0 || call.malformed !== undefined) return undefined;
    const adopted = this.#orphans[at]!;
    if (!this.run.claims.replace(arriving, adopted)) return undefined;
    this.#orphans.splice(at, 1);
    adopted.rename(call);
    this.run.emit("tool-call-start", { call });
    if (adopted.result) this.run.emit("tool-call-end", { result: adopted.result });
    return adopted;
  }

  // ── running ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs what is left, now that the message is recorded. Resolves when the message is done. */
  finish(): Promise<void> {
    const { calls } = this;
    this.#committed = true;
    for (let at = 0; at < calls.length; at++) if (calls[at]!.result) this.#record(calls[at]!);
    if (this.#onCommitted) this.#releaseCommitted(this.#onCommitted);
    this.run.underWay = this;
    if (this.run.ending) this.interrupt();
    for (let at = 0; at < calls.length; at++) if (!calls[at]!.pipeline && !calls[at]!.over) this.#start(calls[at]!);
    return new Promise((resolve) => {
      this.#onDone = resolve;
      this.#check();
    });
  }

  #releaseCommitted(waiting: readonly (() => void)[]): void {
    this.#onCommitted = null;
    for (const release of waiting) release();
  }

  /** Answers every open call `aborted`. */
  interrupt(): void {
    const reason = this.run.stopError;
    for (const call of this.calls) {
      const durationMs = call.startedAt > 0 ? Math.max(0, this.#host.now() - call.startedAt) : 0;
      call.interrupt(aborted(call, reason, durationMs), reason);
    }
  }

  #start(call: CallRun): void {
    this.works(call);
    this.run.emit("tool-call-start", { call: call.call });
    if (call.over) {
      this.rests(call); // A listener has ended the run.
      return;
    }
    call.pipeline = runToolCall(call, this.#host).then(() => this.#ended(call));
  }

  /** The pipeline has returned: nothing of the call runs any more. */
  #ended(call: CallRun): void {
    if (!call.pending) this.run.claims.release(call);
    this.rests(call);
  }

  works(call: CallRun): void {
    call.working = true;
    this.#working++;
  }

  rests(call: CallRun): void {
    if (call.working) this.#working--;
    call.working = false;
    this.#check();
  }

  /** A tool of an earlier message that has not ended yet will let go of what the waiting calls need. */
  #isDone(): boolean {
    return this.#openCount === 0 || (this.#working === 0 && !this.run.claims.hasLeftovers);
  }

  #check(): void {
    const resolve = this.#onDone;
    if (!resolve || !this.#isDone()) return;
    this.#onDone = null;
    this.run.underWay = null;
    this.#assertNobodyForgotten();
    // The next run on this session starts these calls again. From the last to the first, so that none proceeds now.
    for (let at = this.calls.length - 1; at >= 0; at--) {
      const call = this.calls[at]!;
      if (!call.result) this.run.claims.release(call);
    }
    resolve();
  }

  async whenCommitted(call: CallRun): Promise<void> {
    if (this.#committed) return;
    await call.unlessOver(
      new Promise<void>((resolve) => {
        this.#onCommitted = [...(this.#onCommitted ?? []), resolve];
      }),
    );
  }

  #assertNobodyForgotten(): void {
    if (this.#openCount === 0 || this.run.ending || this.calls.some(({ pending }) => pending)) return;
    const forgotten = this.calls.filter((call) => !call.over);
    if (forgotten.length === 0) return;
    const message = `${forgotten.length} tool calls waited for nothing. This is a fault of the engine; please report it.`;
    this.run.stop("failed", new RunError("INTERNAL", { message }));
    this.interrupt();
  }

  // ── what calls tell (CallScope) ───────────────────────────────────────────────────────────────────────────────

  onProgress(call: CallRun, update: JsonValue): void {
    if (this.#orphans?.includes(call)) return;
    this.run.emit("tool-progress", { toolCallId: call.call.id, update });
  }

  onSettled(call: CallRun): void {
    if (this.#orphans?.includes(call)) return;
    this.#close(call);
    const wasStarted = call.working || call.pipeline;
    if (!wasStarted) this.run.emit("tool-call-start", { call: call.call });
    this.run.emit("tool-call-end", { result: call.result! });
    if (this.#committed) this.#record(call);
    if (!wasStarted) this.run.claims.release(call);
    this.#check();
  }

  onSuspended(call: CallRun): void {
    this.#close(call);
    this.#check();
  }

  /** A deaf tool keeps its claims and its slot until it has ended or is given up, so that two writers never meet. */
  onInterrupted(call: CallRun): void {
    if (!call.pipeline) {
      this.run.claims.release(call);
      return;
    }
    if (call.startedAt === 0 || (call.tool && isReplayable(call.tool))) this.#letGo(call);
    const label = `Tool "${call.call.name}" (call ${call.call.id})`;
    const onGone = () => {
      this.#letGo(call);
      this.#host.freeSlot(call);
    };
    this.run.background.watch(call.pipeline, label, onGone, "TOOL_ABANDONED");
    if (call.result?.status === "timeout") tellOfTimeout(this.run, call, this.#host);
  }

  /** Nobody waits for the call any more. */
  #letGo(call: CallRun): void {
    this.run.claims.release(call);
    this.rests(call);
  }

  #record(call: CallRun): void {
    this.run.recorder.record({ type: "tool-result", result: call.result! });
  }

  spawnFor(call: CallRun): SpawnSubagent | undefined {
    return spawnerFor(this.run, call);
  }

  get notify(): CallScope["notify"] {
    return notifierOf(this.run);
  }

  get requestCompaction(): CallScope["requestCompaction"] {
    return compactionOf(this.run);
  }
}
