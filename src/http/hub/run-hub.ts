import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import { RunError, SessionError } from "../../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { AgentRun } from "../../engine/agent-run.js";
import type { AgentEngine } from "../../engine/engine.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import type { Limits } from "../../engine/options/limits.js";
import type { RunOptions } from "../../engine/options/options.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  oneOf,
  optionOf,
  required,
  tableOf,
  type WithDefaults,
} from "../../json/check-options.js";
import { type EventPosition, HIGHEST_SEQ, positionIn } from "../event-id.js";
import { entryBefore, isBehindAll, isPlaced, placePrompt } from "../messages/find-place.js";
import { begunMessage } from "../messages/to-ui-messages.js";
import { findPrompt, type PromptOfRequest } from "../requests/prompt-content.js";
import type { RunStreamEvent } from "../run-source.js";
import { USAGE_TABLE, UserRun } from "../usage/user-usage.js";
import type { HubAnswerOptions, HubRun, HubSendOptions, RunHub, RunHubOptions, SubscribeOptions } from "./hub-types.js";
import { RunLog } from "./run-log.js";
import { SessionArrivals } from "./session-arrivals.js";
import { LogReader, type RunSubscription } from "./subscription.js";
import { checkAnswers } from "./waiting-questions.js";

const OPTIONS = {
  engine: required(optionOf((value) => ENGINE_PARTS.has(Object(value)), "an AgentEngine")),
  maxEvents: byDefault(10_000, numberFrom(1, "events")),
  maxEndedRuns: byDefault(100, numberFrom(0, "runs")),
  usage: tableOf(USAGE_TABLE),
  whenBusy: byDefault("queue", oneOf("queue", "steer", "refuse")),
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
  readonly counted: UserRun | undefined;
  /** The ids of the questions it has asked. */
  readonly questions: Set<string>;
  /** Resolves when its last event is in the log. */
  followed: Promise<void>;
}

class Hub implements RunHub {
  readonly #engine: AgentEngine;
  readonly #sessions: SessionStore;
  /** By run id; those that have ended in the order in which they did. */
  readonly #running = new Map<string, KnownRun>();
  readonly #ended = new Map<string, KnownRun>();
  readonly #arrivals = new SessionArrivals();

  constructor(private readonly options: WithDefaults<RunHubOptions, typeof OPTIONS>) {
    this.#engine = options.engine;
    this.#sessions = ENGINE_PARTS.get(options.engine)!.config.store;
  }

  start<T>(input: string | readonly ContentPart[], options: RunOptions<T> = {}): HubRun<T> {
    const again = findPrompt(input);
    const place = again && { after: (entries: readonly SessionEntry[]) => entryBefore(again, entries) };
    return this.#keep(this.#engine.stream<T>(input, { ...place, ...options }));
  }

  subscribe(runId: string, from?: EventPosition, options: SubscribeOptions = {}): RunSubscription {
    checkOptions("hub.subscribe()", options, { sessionId: SESSION_ID });
    const position = positionIn(runId, from, "hub.subscribe()");
    const { sessionId } = options;
    const known = this.#find(runId);
    if (known && (sessionId ?? known.log.sessionId) === known.log.sessionId)
      return this.#subscription(known.log, position, known.run);
    if (sessionId === undefined) throw eventsGone(runId);
    const log = new RunLog(runId, sessionId, 1);
    log.droppedSeq = HIGHEST_SEQ;
    log.lastSeq = HIGHEST_SEQ;
    log.close();
    return this.#subscription(log, position);
  }

  async send<T>(prompt: PromptOfRequest, options: HubSendOptions<T> = {}): Promise<HubRun<T>> {
    const { whenBusy } = this.options;
    const { sessionId = prompt.sessionId, user, ...rest } = options;
    if (prompt.answers.length > 0)
      return (await this.answer(prompt.answers, { ...rest, sessionId, user })) as HubRun<T>;
    const start = (input: PromptOfRequest["input"], place: RunOptions<T>) =>
      this.#begin(user, rest.limits, (limits) => this.#engine.stream<T>(input, { ...rest, ...place, limits }));
    if (sessionId === undefined) return start(prompt.input, {});
    return this.#arrivals.message(sessionId, async (check) => {
      const steered = whenBusy === "steer" && (await this.#steer<T>(sessionId, prompt));
      if (steered) return steered;
      check();
      const hasWaited = this.#arrivals.has(sessionId) || this.#runningIn(sessionId) !== undefined;
      return this.#arrivals.inTurn(sessionId, async () => {
        if (whenBusy !== "refuse") await this.#sessionIsFree(sessionId);
        const entries = isPlaced(prompt) ? await this.#entriesOf(sessionId) : [];
        const { input, ...place } = placePrompt(prompt, entries, hasWaited);
        check();
        return start(input, { ...place, sessionId });
      });
    });
  }

  async stop(sessionId: string, reason = "the user stopped it"): Promise<boolean> {
    this.#arrivals.drop(sessionId);
    const known = this.#runningIn(sessionId);
    known?.run.abort(reason);
    await known?.followed;
    return known !== undefined;
  }

  async answer(answers: Answer | readonly Answer[], options: HubAnswerOptions = {}): Promise<HubRun> {
    const { sessionId, user, ...rest } = options;
    const list = Array.isArray(answers) ? (answers as readonly Answer[]) : [answers as Answer];
    const id = sessionId ?? this.#sessionOf(list);
    return this.#arrivals.inTurn(id, async () => {
      await this.#sessionIsFree(id);
      checkAnswers(list, await this.#entriesOf(id));
      const { context = await this.options.contextFor?.(id) } = rest;
      const given = { ...rest, context, answers: list };
      return this.#begin(user, rest.limits, (limits) => this.#engine.resume(id, { ...given, limits }));
    });
  }

  findRunning(sessionId: string): RunSubscription | undefined {
    const known = this.#runningIn(sessionId);
    return known && this.#subscription(known.log, 0, known.run, known.log.end);
  }

  steer(runId: string, text: string): boolean {
    return this.#running.get(runId)?.run.steer(text) ?? false;
  }

  abort(runId: string, reason?: string): boolean {
    const known = this.#running.get(runId);
    known?.run.abort(reason);
    return known !== undefined;
  }

  /** Gives a text to the run under way. `undefined`: no run took it, or the page has gone back. */
  async #steer<T>(sessionId: string, prompt: PromptOfRequest): Promise<HubRun<T> | undefined> {
    const { input, shown, replaces } = prompt;
    if (!this.#runningIn(sessionId) || typeof input !== "string" || replaces !== undefined) return undefined;
    if (shown && !isBehindAll(await this.#entriesOf(sessionId), shown)) return undefined;
    const known = this.#runningIn(sessionId);
    if (!known) return undefined;
    const { log, run } = known;
    const from = log.end;
    if (!log.steer(run.state.turn) || !run.steer(input)) return undefined;
    const at = await log.whenSteered(from);
    if (at === undefined) return undefined;
    return this.#hubRun(run as AgentRun<T>, known, Promise.resolve(), log.at(at).seq - 1);
  }

  async #entriesOf(sessionId: string): Promise<SessionEntry[]> {
    const entries: SessionEntry[] = [];
    for await (const entry of this.#sessions.read(sessionId)) entries.push(entry);
    return entries;
  }

  #find(runId: string): KnownRun | undefined {
    return this.#running.get(runId) ?? this.#ended.get(runId);
  }

  /** Resolves when the run is under way, within what its user has left. */
  async #begin<T>(
    user: string | undefined,
    own: Limits | undefined,
    start: (limits: Limits | undefined) => AgentRun<T>,
  ): Promise<HubRun<T>> {
    const { usage } = this.options;
    const counted = user !== undefined && usage ? await UserRun.begin(user, usage) : undefined;
    const run = this.#keep(start(counted ? counted.within(own) : own), counted);
    await run.started;
    return run;
  }

  #keep<T>(run: AgentRun<T>, counted?: UserRun): HubRun<T> {
    const log = new RunLog(run.id, run.sessionId, this.options.maxEvents);
    const known: KnownRun = { log, run, counted, questions: new Set(), followed: Promise.resolve() };
    // A run that was refused has no id: it has a result that rejects, and nothing to come back to.
    if (run.id !== "") this.#running.set(run.id, known);
    const started = new Promise<void>((resolve, reject) => {
      log.onChange(() => (log.error === undefined ? resolve() : reject(log.error)));
    });
    started.catch(() => {});
    known.followed = this.#follow(known);
    return this.#hubRun(run, known, started);
  }

  async #follow({ log, run, counted, questions }: KnownRun): Promise<void> {
    try {
      for await (const event of run) {
        if (event.type === "approval-requested") questions.add(event.request.id);
        log.add(counted ? await counted.see(event, run) : event);
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
      if (this.#ended.size <= this.options.maxEndedRuns) break;
      this.#ended.delete(oldest);
    }
  }

  /** Without `run`, all there is of it is its session. */
  #subscription(log: RunLog, from: number, run?: AgentRun, mayEndAt?: number): RunSubscription {
    const sessions = this.#sessions;
    const { runId, sessionId } = log;
    return {
      id: runId,
      sessionId,
      begun: async () =>
        log.isResumed
          ? begunMessage(await this.#entriesOf(sessionId), { sessions, sessionId, withoutRun: runId })
          : undefined,
      isShared: true,
      get isExhausted() {
        return log.hasEnded && log.error === undefined && from >= log.lastSeq && log.lastSeq > 0;
      },
      result: run?.result,
      abort: (reason) => run?.abort(reason),
      [Symbol.asyncIterator]: () => new LogReader(log, from, sessions, mayEndAt),
    };
  }

  #hubRun<T>(run: AgentRun<T>, { log, counted }: KnownRun, started: Promise<void>, from = 0): HubRun<T> {
    const sessions = this.#sessions;
    const result = counted ? counted.endOf(run) : run.result;
    result.catch(() => {}); // Who is refused learns it from what began the run.
    return {
      id: run.id,
      sessionId: run.sessionId,
      isShared: true,
      result,
      started,
      idle: run.idle,
      get state() {
        return run.state;
      },
      steer: (text) => run.steer(text),
      followUp: (text) => run.followUp(text),
      abort: (reason) => run.abort(reason),
      // It ends anywhere but at its own beginning.
      [Symbol.asyncIterator]: (): AsyncIterator<RunStreamEvent, undefined> =>
        new LogReader(log, from, sessions, log.after(from) + 1),
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
