import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import { RunError, SessionError } from "../../contracts/errors.js";
import type { RunResult } from "../../contracts/run.js";
import type { SessionStore } from "../../contracts/session.js";
import type { AgentRun } from "../../engine/agent-run.js";
import type { AgentEngine } from "../../engine/engine.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import type { ResumeOptions, RunOptions } from "../../engine/options/options.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  optionOf,
  required,
  type WithDefaults,
} from "../../json/check-options.js";
import { type EventPosition, HIGHEST_SEQ, positionIn } from "../event-id.js";
import type { RunStreamEvent } from "../run-source.js";
import { RunLog } from "./run-log.js";
import { LogReader, type RunSubscription } from "./subscription.js";

/** Options of `createRunHub()`. */
export interface RunHubOptions {
  /** Its runs are those of the hub. */
  readonly engine: AgentEngine;
  /** Events kept of each run, for subscribers that come late or come back. Default: 10,000. */
  readonly maxEvents?: number | undefined;
  /** Runs that have ended and are still kept. Default: 100. */
  readonly maxEndedRuns?: number | undefined;
  /**
   * The `context` of a session whose questions are answered, where `answer()` is not given one: no session holds it. What it throws
   * rejects `answer()`.
   */
  readonly contextFor?: ((sessionId: string) => unknown) | undefined;
}

/** Options of a hub's `subscribe()`. */
export interface SubscribeOptions {
  /** The session to send when the hub does not know the run, as after a restart of the server. */
  readonly sessionId?: string | undefined;
}

/** Options of a hub's `answer()`. */
export interface HubAnswerOptions extends ResumeOptions {
  /** The session that asks. Default: the one of a run the hub knows. Needed after a restart of the server. */
  readonly sessionId?: string | undefined;
}

/** A run of a hub. Iterating it subscribes from its beginning; leaving the iteration does not end it. */
export interface HubRun<T = unknown>
  extends Omit<RunSubscription, "abort" | "result">,
    Pick<AgentRun<T>, "idle" | "state" | "steer" | "followUp" | "abort"> {
  readonly result: Promise<RunResult<T>>;
  /**
   * Resolves when the run is under way or has ended. Rejects if it is refused, as for wrong options or with `SESSION_BUSY`: wait
   * for it before you stream, and a refusal is a status of its own (`toErrorResponse`) instead of a stream that breaks.
   */
  readonly started: Promise<void>;
}

/** The state that a web server keeps between requests: the runs under way, and the events of each. */
export interface RunHub {
  /** Starts a run, as `engine.stream` does. It goes on whether or not anybody subscribes. */
  start<T = unknown>(input: string | readonly ContentPart[], options?: RunOptions<T>): HubRun<T>;
  /**
   * The events of a run after the one the client has last, by number or id. A position that is no longer kept yields
   * `reset` and the session, then the run.
   *
   * @throws RunError `EVENTS_GONE` for a run the hub does not know, unless its `sessionId` is given
   */
  subscribe(runId: string, from?: EventPosition, options?: SubscribeOptions): RunSubscription;
  /**
   * Continues a session with answers to its questions, once no run of this hub uses it. Several calls for one session take
   * effect one after the other.
   *
   * Resolves when the run has started. Rejects if it is refused, as with `OPTION_MISSING` when the run that has asked was given a
   * `context`, tools or a schema object that are missing now, and with `SESSION_NOT_FOUND` for a question that no known run has
   * asked, unless `sessionId` is given.
   */
  answer(answers: Answer | readonly Answer[], options?: HubAnswerOptions): Promise<HubRun>;
  /** The run under way in a session, from its beginning: for a client that was reloaded. `undefined` when no run is under way. */
  findRunning(sessionId: string): RunSubscription | undefined;
  /** Sends the model of a run a message at its next turn. `false`: the run has ended, and the message was not taken. */
  steer(runId: string, text: string): boolean;
  /** Ends a run as `aborted`. `false`: the hub has no such run, or it has ended. */
  abort(runId: string, reason?: string): boolean;
}

const OPTIONS = {
  engine: required(optionOf((value) => ENGINE_PARTS.has(Object(value)), "an AgentEngine")),
  maxEvents: byDefault(10_000, numberFrom(1, "events")),
  maxEndedRuns: byDefault(100, numberFrom(0, "runs")),
  contextFor: FUNCTION,
} satisfies OptionTable<RunHubOptions>;

const SESSION_ID = optionOf((value) => typeof value === "string" && value !== "", "the id of a session");

/**
 * Keeps the runs of an engine between requests, in this process: clients subscribe, leave, and come back to where they were.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createRunHub(options: RunHubOptions): RunHub {
  const hub = new Hub(checkOptions("createRunHub()", options, OPTIONS));
  ENGINE_PARTS.set(hub, ENGINE_PARTS.get(options.engine)!);
  return hub;
}

interface KnownRun {
  readonly log: RunLog;
  readonly run: AgentRun;
  /** The ids of the questions it has asked. */
  readonly questions: Set<string>;
  /** Resolves when its last event is in the log. */
  followed: Promise<void>;
}

class Hub implements RunHub {
  readonly #engine: AgentEngine;
  readonly #sessions: SessionStore;
  readonly #maxEvents: number;
  readonly #maxEndedRuns: number;
  readonly #contextFor: RunHubOptions["contextFor"];
  /** By run id; those that have ended in the order in which they did. */
  readonly #running = new Map<string, KnownRun>();
  readonly #ended = new Map<string, KnownRun>();
  /** The answers of a session that are being brought to it. */
  readonly #answering = new Map<string, Promise<unknown>>();

  constructor({ engine, maxEvents, maxEndedRuns, contextFor }: WithDefaults<RunHubOptions, typeof OPTIONS>) {
    this.#engine = engine;
    this.#sessions = ENGINE_PARTS.get(engine)!.config.store;
    this.#maxEvents = maxEvents;
    this.#maxEndedRuns = maxEndedRuns;
    this.#contextFor = contextFor;
  }

  start<T>(input: string | readonly ContentPart[], options: RunOptions<T> = {}): HubRun<T> {
    return this.#keep(this.#engine.stream<T>(input, options));
  }

  subscribe(runId: string, from?: EventPosition, options: SubscribeOptions = {}): RunSubscription {
    checkOptions("hub.subscribe()", options, { sessionId: SESSION_ID });
    const position = positionIn(runId, from, "hub.subscribe()");
    const known = this.#find(runId);
    if (known) return this.#subscription(known.log, position);
    if (options.sessionId === undefined) throw eventsGone(runId);
    const log = new RunLog(runId, options.sessionId, 1);
    log.droppedSeq = HIGHEST_SEQ;
    log.lastSeq = HIGHEST_SEQ;
    log.close();
    return this.#subscription(log, position);
  }

  async answer(answers: Answer | readonly Answer[], { sessionId, ...options }: HubAnswerOptions = {}): Promise<HubRun> {
    const list = Array.isArray(answers) ? (answers as readonly Answer[]) : [answers as Answer];
    const id = sessionId ?? this.#sessionOf(list);
    const before = this.#answering.get(id);
    const turn = (async () => {
      await before?.catch(() => {});
      await this.#sessionIsFree(id);
      const { context = await this.#contextFor?.(id) } = options;
      const run = this.#keep(this.#engine.resume(id, { ...options, context, answers: list }));
      await run.started;
      return run;
    })();
    this.#answering.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#answering.get(id) === turn) this.#answering.delete(id);
    }
  }

  findRunning(sessionId: string): RunSubscription | undefined {
    const known = this.#runningIn(sessionId);
    return known && this.#subscription(known.log, 0);
  }

  steer(runId: string, text: string): boolean {
    return this.#running.get(runId)?.run.steer(text) ?? false;
  }

  abort(runId: string, reason?: string): boolean {
    const known = this.#running.get(runId);
    known?.run.abort(reason);
    return known !== undefined;
  }

  #find(runId: string): KnownRun | undefined {
    return this.#running.get(runId) ?? this.#ended.get(runId);
  }

  #keep<T>(run: AgentRun<T>): HubRun<T> {
    const log = new RunLog(run.id, run.sessionId, this.#maxEvents);
    const known: KnownRun = { log, run, questions: new Set(), followed: Promise.resolve() };
    // A run that was refused has no id: it has a result that rejects, and nothing to come back to.
    if (run.id !== "") this.#running.set(run.id, known);
    run.result.catch(() => {});
    const started = new Promise<void>((resolve, reject) => {
      log.onChange(() => (log.error === undefined ? resolve() : reject(log.error)));
    });
    started.catch(() => {});
    known.followed = this.#follow(known);
    return this.#hubRun(run, log, started);
  }

  async #follow({ log, run, questions }: KnownRun): Promise<void> {
    try {
      for await (const event of run) {
        if (event.type === "approval-requested") questions.add(event.request.id);
        log.add(event);
      }
      log.close();
    } catch (error) {
      log.close(error);
    }
    const known = this.#running.get(run.id);
    if (!known) return;
    this.#running.delete(run.id);
    this.#ended.set(run.id, known);
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= this.#maxEndedRuns) break;
      this.#ended.delete(oldest);
    }
  }

  #subscription(log: RunLog, from: number): RunSubscription {
    const sessions = this.#sessions;
    return {
      id: log.runId,
      sessionId: log.sessionId,
      isShared: true,
      get isExhausted() {
        return log.hasEnded && log.error === undefined && from >= log.lastSeq && log.lastSeq > 0;
      },
      result: this.#find(log.runId)?.run.result,
      abort: (reason) => void this.abort(log.runId, reason),
      [Symbol.asyncIterator]: () => new LogReader(log, from, sessions),
    };
  }

  #hubRun<T>(run: AgentRun<T>, log: RunLog, started: Promise<void>): HubRun<T> {
    const sessions = this.#sessions;
    return {
      id: run.id,
      sessionId: run.sessionId,
      isShared: true,
      result: run.result,
      started,
      idle: run.idle,
      get state() {
        return run.state;
      },
      steer: (text) => run.steer(text),
      followUp: (text) => run.followUp(text),
      abort: (reason) => run.abort(reason),
      [Symbol.asyncIterator]: (): AsyncIterator<RunStreamEvent, undefined> => new LogReader(log, 0, sessions),
    };
  }

  #sessionOf(answers: readonly Answer[]): string {
    const ids = new Set(answers.map((answer) => Object(answer).id));
    for (const { log, questions } of [...this.#running.values(), ...this.#ended.values()]) {
      if ([...questions].some((id) => ids.has(id))) return log.sessionId;
    }
    throw new SessionError("SESSION_NOT_FOUND", {
      message:
        "No run that this hub knows has asked this question. Pass the session that did: hub.answer(answers, { sessionId }).",
    });
  }

  #runningIn(sessionId: string): KnownRun | undefined {
    return [...this.#running.values()].find(({ log }) => log.sessionId === sessionId);
  }

  /** Resolves when no run of this hub uses the session. */
  async #sessionIsFree(id: string): Promise<void> {
    for (let busy = this.#runningIn(id); busy; busy = this.#runningIn(id)) await busy.followed;
  }
}

function eventsGone(runId: string): RunError {
  return new RunError("EVENTS_GONE", {
    message: `This hub does not know run "${runId}". It may have ended long ago, or before the server started: pass { sessionId } to get the session.`,
    details: { runId },
  });
}
