// Sessions, and engines, that are used in a way they cannot be.
import { ConfigurationError, isHarnessError, SessionError } from "../../contracts/errors.js";
import type { RunState } from "../run/run-state.js";

/** @throws SessionError `SESSION_NOT_FOUND` */
export function requireEntries(run: RunState): void {
  if (run.transcript.lastEntryId !== null) return;
  throw new SessionError("SESSION_NOT_FOUND", {
    message: `There is no session "${run.transcriptId}" to resume. Check the id, or start it with run().`,
  });
}

export function sessionBusy(sessionId: string): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `Session "${sessionId}" has a run under way. Wait for its result, steer it, or use another session.`,
  });
}

export function sessionHeld(sessionId: string): SessionError {
  const message = `The session store has not answered a write of an earlier run of session "${sessionId}", which was given up and may still land. The session is free once the store's append() and unlock have settled; give them a time limit of their own, or use another session.`;
  return new SessionError("SESSION_BUSY", { message, retryable: true });
}

export function engineClosed(): ConfigurationError {
  return new ConfigurationError("ENGINE_CLOSED", { message: "The engine is closed. Make a new one." });
}

const MISUSES: ReadonlySet<string> = new Set(["SESSION_BUSY", "SESSION_NOT_FOUND", "CHAT_DIFFERS"]);

/** Whether an error is for the caller to fix, rather than how a run went. */
export function isMisuse(error: unknown): boolean {
  if (!isHarnessError(error)) return false;
  if (error instanceof ConfigurationError) return true;
  return error instanceof SessionError && MISUSES.has(error.code);
}
