// The types of a hub, as a web server uses it.
import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { RunResult } from "../../contracts/run.js";
import type { AgentRun } from "../../engine/agent-run.js";
import type { AgentEngine } from "../../engine/engine.js";
import type { ResumeOptions, RunOptions } from "../../engine/options/options.js";
import type { EventPosition } from "../event-id.js";
import type { PromptOfRequest } from "../requests/prompt-content.js";
import type { UserUsageOptions } from "../usage/user-usage.js";
import type { RunSubscription } from "./subscription.js";

/** Options of `createRunHub()`. */
export interface RunHubOptions {
  /** Its runs are those of the hub. */
  readonly engine: AgentEngine;
  /** Events kept of each run, for subscribers that come late or come back. Default: 10,000. */
  readonly maxEvents?: number | undefined;
  /** Runs that have ended and are still kept. Default: 100. */
  readonly maxEndedRuns?: number | undefined;
  /**
   * The fate of a message to a session that has a run under way: `queue` waits for its end, as up to 20 messages may, `steer` gives it to the
   * run at its next turn, whose work from there on is the answer, `refuse` rejects it with `SESSION_BUSY`. Default: `"queue"`.
   */
  readonly whenBusy?: "queue" | "steer" | "refuse" | undefined;
  /**
   * Counts and limits what the `user` of `send` and `answer` uses over many runs. A run that has used up what was left ends as
   * `budget-exceeded` with the error `USAGE_LIMIT`, and one that nothing is left for is refused with it: `details.resetsAt` says when
   * the limit is full again. Default: nothing is counted.
   */
  readonly usage?: UserUsageOptions | undefined;
  /**
   * The `context` of a session whose questions are answered, where `answer()` is not given one: no session holds it. What it throws
   * rejects `answer()`.
   */
  readonly contextFor?: ((sessionId: string) => unknown) | undefined;
}

/** Options of a hub's `subscribe()`. */
export interface SubscribeOptions {
  /**
   * The session of the run, which is sent when the hub does not know the run, as after a restart of the server. A run of another session
   * is one that it does not know. Default: any session's run is served, so pass it where a client names the run.
   */
  readonly sessionId?: string | undefined;
}

/** Options of a hub's `send()`: those of the run. */
export interface HubSendOptions<T = unknown> extends Omit<RunOptions<T>, "after" | "history"> {
  /** The user whose usage the run counts as, with the hub's `usage`. Default: nobody. */
  readonly user?: string | undefined;
}

/** Options of a hub's `answer()`. */
export interface HubAnswerOptions extends ResumeOptions {
  /** The user whose usage the run counts as, with the hub's `usage`. Default: nobody. */
  readonly user?: string | undefined;
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
  /**
   * Starts a run, as `engine.stream` does. It goes on whether or not anybody subscribes.
   *
   * The `input` of a `useChat` request that edits a message or asks for it again takes that message's place. Where more than its place
   * would change, the run is refused with `OPTION_INVALID`: use `send`, which also knows the places of AG-UI's messages.
   */
  start<T = unknown>(input: string | readonly ContentPart[], options?: RunOptions<T>): HubRun<T>;
  /**
   * Starts the run that a request asks for: brings its answers, or its prompt to the place in the session where the page shows it. A
   * page that has edited, deleted or asked again begins a branch there; what it no longer shows stays in the session.
   *
   * Messages for one session take effect one after the other, also while it has a run under way: see `whenBusy`. The session is
   * `options.sessionId`, by default the one that the request names.
   *
   * Resolves when the run has started. Rejects if it is refused, as `start` and `answer` are, with `CHAT_DIFFERS` for a page that shows
   * what the session does not have or answers what no longer waits, and with `RUN_ABORTED` for a message that waited at a stop.
   */
  send<T = unknown>(prompt: PromptOfRequest, options?: HubSendOptions<T>): Promise<HubRun<T>>;
  /**
   * Ends the run under way in a session as `aborted`, and drops the messages that wait for its end. Resolves once the session is free;
   * `false`: nothing was under way.
   */
  stop(sessionId: string, reason?: string): Promise<boolean>;
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
   * `context`, tools or a schema object that are missing now, with `CHAT_DIFFERS` if none of the questions waits any more, and with
   * `SESSION_NOT_FOUND` for a question that no known run has asked, unless `sessionId` is given.
   */
  answer(answers: Answer | readonly Answer[], options?: HubAnswerOptions): Promise<HubRun>;
  /**
   * The run under way in a session, from its beginning to what the user says next with `steer`, and for `useChat` from that of the message
   * it goes on with: for a client that was reloaded. `undefined` when no run is under way.
   */
  findRunning(sessionId: string): RunSubscription | undefined;
  /** Sends the model of a run a message at its next turn. `false`: the run has ended, and the message was not taken. */
  steer(runId: string, text: string): boolean;
  /** Ends a run as `aborted`. `false`: the hub has no such run, or it has ended. */
  abort(runId: string, reason?: string): boolean;
}
