// One attempt of a run, as DBOS gives it to a worker. The session is the log: an attempt that follows a crash, an answer or a
// stopped worker resumes it, and the engine's journal says which calls may be repeated.
import { randomUUID } from "node:crypto";
import type { Answer } from "../contracts/approval.js";
import type { ContentPart } from "../contracts/content.js";
import { isHarnessError } from "../contracts/errors.js";
import type { RunResult } from "../contracts/run.js";
import type { SessionStore } from "../contracts/session.js";
import type { AgentRun } from "../engine/agent-run.js";
import type { AgentEngine } from "../engine/engine.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import { isLostConnection } from "../sessions/postgres/lost-connection.js";
import { describeThrown } from "../text/describe-thrown.js";
import { wait } from "../time/wait.js";
import type { AttemptQueue } from "./attempt-queue.js";
import { FleetEventWriter } from "./event-log.js";
import type { FleetResult } from "./fleet-types.js";
import type { RunRow, RunRows } from "./run-rows.js";

/** Until the lock of a session is free: its holder has died, or is no run of this fleet. */
const BUSY_DELAY_MS = 1_000;
/** The end of the run in front queues this one again. Should that be missed, it looks again by itself. */
const BEHIND_DELAY_MS = 60_000;
/** A store that cannot be written for longer than it tries itself. */
const BROKEN_STORE_DELAY_MS = 2_000;
const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/** The reasons that end an attempt from outside; `broken`: its events cannot be kept for now. */
type Interruption = "cancelled" | "stopped" | "lost" | "broken";

/** The end of an attempt: it stands still with a result, or is to be run again. */
type Outcome = { readonly result: FleetResult } | { readonly againInMs: number; readonly isBehind?: boolean };

export interface AttemptContext {
  readonly rows: RunRows;
  readonly queue: AttemptQueue;
  readonly worker: string;
  engineOf(row: RunRow): Promise<AgentEngine>;
  contextFor(sessionId: string): Promise<unknown>;
}

export class FleetAttempt {
  readonly #owner = randomUUID();
  #run: AgentRun | undefined;
  #interruption: Interruption | undefined;

  constructor(
    readonly id: string,
    private readonly number: number,
    private readonly context: AttemptContext,
  ) {}

  /** Ends it; what became of it is in the row. */
  interrupt(how: Interruption): void {
    this.#interruption ??= how;
    this.#run?.abort(how === "cancelled" ? "the run was cancelled" : `the run is ${how} on this worker`);
  }

  /** Runs to the end of the attempt, however long the database cannot be reached. */
  async work(): Promise<void> {
    const { rows, worker } = this.context;
    const begun = await this.#untilDone(async () => {
      const row = await rows.begin(this.id, this.number, this.#owner, worker);
      return row && { row, answers: await rows.unusedAnswers(rows.database, this.id) };
    });
    if (!begun) return;
    const { row, answers } = begun;
    const outcome = await this.#untilDone(() => this.#attempt(row, answers));
    if (outcome) await this.#untilDone(() => this.#finish(answers, outcome));
  }

  /** DBOS does not retry work that has ended: so no work ends because a database is away. */
  async #untilDone<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        await wait(BROKEN_STORE_DELAY_MS);
      }
    }
  }

  async #attempt(row: RunRow, answers: readonly Answer[]): Promise<Outcome | null> {
    if (row.is_cancelled) return { result: cancelledResult("") };
    if (this.#interruption) return { againInMs: 0 };
    if (!(await this.context.rows.takeSession(row.session, row.id))) {
      return { againInMs: BEHIND_DELAY_MS, isBehind: true };
    }
    try {
      const engine = await this.context.engineOf(row);
      return await this.#runEngine(engine, row, answers);
    } catch (error) {
      if (isHarnessError(error, "SESSION_BUSY")) return { againInMs: BUSY_DELAY_MS };
      if (isHarnessError(error, "ENGINE_CLOSED")) return { againInMs: 0 };
      if (isHarnessError(error) && error.retryable) return { againInMs: BROKEN_STORE_DELAY_MS };
      if (isLostConnection(error)) throw error;
      return { result: failedResult(error) };
    }
  }

  async #runEngine(engine: AgentEngine, row: RunRow, answers: readonly Answer[]): Promise<Outcome | null> {
    const { session, input, context: json } = row;
    const context: unknown = json === null ? await this.context.contextFor(session) : JSON.parse(json);
    const begin = await this.#begin(ENGINE_PARTS.get(engine)!.config.store, row);
    if (begin === "lost") return null;
    if (begin === "behind") return { againInMs: BUSY_DELAY_MS };
    const prompt = JSON.parse(input) as string | readonly ContentPart[];
    const run =
      begin === "prompt"
        ? engine.stream(prompt, { sessionId: session, context })
        : engine.resume(session, { answers, context });
    this.#run = run;
    if (this.#interruption) this.interrupt(this.#interruption);
    const writer = new FleetEventWriter(this.context.rows, row.id, this.#owner, Number(row.last_seq), (error) =>
      this.interrupt(error === undefined ? "lost" : "broken"),
    );
    for await (const event of run) writer.add(event);
    const result = await run.result;
    await run.idle;
    await writer.flush();
    return this.#outcomeOf(result, ENGINE_PARTS.get(engine)!.closed.aborted);
  }

  #outcomeOf(result: RunResult, isEngineClosed: boolean): Outcome | null {
    const interruption = this.#interruption;
    if (interruption === "lost") return null;
    if (interruption === "broken") return { againInMs: BROKEN_STORE_DELAY_MS };
    if (result.status === "aborted" && interruption === "cancelled") return { result: cancelledResult(result.text) };
    if (result.status === "aborted" && (interruption === "stopped" || isEngineClosed)) return { againInMs: 0 };
    // The session could not be kept: what is in it is whole, and the run continues from there.
    const isStoreBroken = isHarnessError(result.error, "SESSION_WRITE") || isHarnessError(result.error, "SESSION_READ");
    if (result.status === "failed" && isStoreBroken) return { againInMs: BROKEN_STORE_DELAY_MS };
    if (isHarnessError(result.error, "WORKSPACE_LIMIT")) return { againInMs: BUSY_DELAY_MS };
    return { result: resultOf(result) };
  }

  /** Whether the prompt is still to be given, or the run has begun in its session. */
  async #begin(
    store: SessionStore,
    { id, session, begun_after }: RunRow,
  ): Promise<"prompt" | "resume" | "behind" | "lost"> {
    const last =
      begun_after === "" && this.number === 0 ? await firstEntryOf(store, session) : await lastEntryOf(store, session);
    if (begun_after !== null) return begun_after === last ? "prompt" : "resume";
    const { rows } = this.context;
    return rows.database.transaction(async (client) => {
      // The prompt denies what is open in the session: a run that waits with it cannot go on, and one that has its answer goes first.
      const others = await rows.takeBegun(client, session, id);
      if (others.some(({ status }) => status === "queued")) return "behind";
      if (!(await rows.markBegun(client, id, this.#owner, last))) return "lost";
      for (const other of others) await rows.settle(client, other, cancelledResult(""));
      return "prompt";
    });
  }

  /** In one step: the answers are used, and the run stands still or is queued again. */
  async #finish(answers: readonly Answer[], outcome: Outcome): Promise<void> {
    const { rows, queue } = this.context;
    await rows.database.transaction(async (client) => {
      const row = await rows.take(client, this.id, undefined);
      if (row?.owner !== this.#owner) return;
      if ("againInMs" in outcome) {
        // The run in front may have ended in the meantime, and nobody would queue this one again.
        const isBehind = outcome.isBehind === true && !(await rows.isSessionFree(client, row.session, row.id));
        const delayMs = outcome.isBehind && !isBehind ? 0 : outcome.againInMs;
        return queue.again(client, row, { delayMs, isBehind });
      }
      await rows.markUsed(client, this.id, answers);
      // A cancel that was accepted holds, also where the run had ended before it could be told.
      const result: FleetResult = row.is_cancelled
        ? { ...outcome.result, status: "cancelled", pending: [] }
        : outcome.result;
      await queue.settle(client, row, result);
      if (result.status !== "needs-approval") return;
      const asked = new Set(result.pending.map(({ id }) => id));
      const arrived = (await rows.unusedAnswers(client, this.id)).some((answer) => asked.has(answer.id));
      if (arrived) await queue.again(client, row);
    });
  }
}

async function firstEntryOf(store: SessionStore, session: string): Promise<string> {
  for await (const { id } of store.read(session)) return id;
  return "";
}

async function lastEntryOf(store: SessionStore, session: string): Promise<string> {
  let last = "";
  for await (const { id } of store.read(session)) last = id;
  return last;
}

function resultOf({ status, text, output, error, usage, costUsd, pending }: RunResult): FleetResult {
  return {
    status,
    text,
    ...(output !== undefined && { output: output as FleetResult["output"] }),
    ...(error && { error: { code: error.code, message: error.message } }),
    usage,
    costUsd,
    pending,
  };
}

function cancelledResult(text: string): FleetResult {
  return { status: "cancelled", text, usage: NO_USAGE, costUsd: null, pending: [] };
}

/** An engine that could not be made or used: its run ends, so that a mistake in the code is seen and not repeated for ever. */
function failedResult(error: unknown): FleetResult {
  const code = isHarnessError(error) ? error.code : "INTERNAL";
  const result = { text: "", usage: NO_USAGE, costUsd: null, pending: [] };
  return { status: "failed", ...result, error: { code, message: describeThrown(error) } };
}
