// The state of a session as JSON that a host keeps: where the session is, and what it waits for. The transcript stays in the store.
import type { Answer, PendingRequest } from "../contracts/approval.js";
import { ConfigurationError, SessionError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { SessionStore } from "../contracts/session.js";
import { isObject } from "../json/is-object.js";
import type { HarnessContinueState, HarnessResumeState, HarnessSchema } from "./harness-v1.js";
import { readTurn } from "./stored-turn.js";

export const HARNESS_ID = "loopwright";

/** The `data` of a state. */
export interface SessionState {
  readonly v: 1;
  readonly sessionId: string;
  /** The name of the store, where the harness has given it one. */
  readonly store?: string;
  /** The questions that the turn waits for; the session has the rest of each. */
  readonly questions: readonly Pick<PendingRequest, "id" | "kind" | "toolCallId" | "tool">[];
  /** Answers to some of them, and messages of the user, that no run has recorded yet. */
  readonly answers?: readonly Answer[];
  readonly messages?: readonly string[];
}

/** A suspended turn, as a session's state holds it. */
export interface UnfinishedTurn {
  readonly questions: readonly PendingRequest[];
  readonly answers: readonly Answer[];
  readonly messages: readonly string[];
}

export const NOTHING_OPEN: UnfinishedTurn = { questions: [], answers: [], messages: [] };

export function stateData(sessionId: string, store: string | undefined, open: UnfinishedTurn): JsonValue {
  const { answers, messages } = open;
  const questions = open.questions.map(({ id, kind, toolCallId, tool }) => ({ id, kind, toolCallId, tool }));
  const state: SessionState = {
    v: 1,
    sessionId,
    ...(store !== undefined && { store }),
    questions,
    ...(answers.length > 0 && { answers }),
    ...(messages.length > 0 && { messages }),
  };
  return state as unknown as JsonValue;
}

export function resumeState(harnessId: string, data: JsonValue): HarnessResumeState {
  return { type: "resume-session", harnessId, specificationVersion: "harness-v1", data };
}

export function continueState(harnessId: string, data: JsonValue): HarnessContinueState {
  return { type: "continue-turn", harnessId, specificationVersion: "harness-v1", data };
}

/** @throws ConfigurationError `OPTION_INVALID` for what is no state, or one of another session or store */
export function readState(data: unknown, sessionId: string, store: string | undefined): SessionState {
  if (!isState(data)) throw wrong("is not one that this harness has returned");
  if (data.sessionId !== sessionId) throw wrong(`is of session "${data.sessionId}"; this one is "${sessionId}"`);
  if (data.store !== undefined && data.store !== store) {
    throw wrong(
      `is of the store "${data.store}"; this harness has ${store === undefined ? "none with a name" : `"${store}"`}`,
    );
  }
  return data;
}

function wrong(what: string): ConfigurationError {
  const message = `The state that the session is started with ${what}. Pass a state as doDetach(), doStop() or doSuspendTurn() returned it.`;
  return new ConfigurationError("OPTION_INVALID", { message, details: { option: "resumeFrom" } });
}

function isState(data: unknown): data is SessionState {
  return isObject(data) && data.v === 1 && typeof data.sessionId === "string" && Array.isArray(data.questions);
}

export const STATE_SCHEMA: HarnessSchema = {
  "~standard": {
    version: 1,
    vendor: "loopwright",
    validate: (value) =>
      isState(value) ? { value } : { issues: [{ message: "This is no state of a loopwright session." }] },
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  },
};

/**
 * The state of a session whose process has ended without returning one, as by `kill -9`: for `createSession({ resumeFrom })` of the
 * AI SDK. It has `continueFrom` when the newest turn had not come to its end. Read from the store alone.
 *
 * @throws SessionError `SESSION_NOT_FOUND`
 */
export async function harnessStateOf(
  sessions: SessionStore,
  sessionId: string,
  options: { readonly harnessId?: string | undefined; readonly store?: string | undefined } = {},
): Promise<HarnessResumeState> {
  const { harnessId = HARNESS_ID, store } = options;
  const turn = await readTurn(sessions, sessionId);
  if (turn.isEmpty) {
    const message = `The store has no session "${sessionId}". Check the id, or start the session without a state.`;
    throw new SessionError("SESSION_NOT_FOUND", { message });
  }
  const data = stateData(sessionId, store, { ...NOTHING_OPEN, questions: turn.questions });
  const state = resumeState(harnessId, data);
  return turn.isUnfinished ? { ...state, continueFrom: continueState(harnessId, data) } : state;
}
