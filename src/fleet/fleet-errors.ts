// The refusals of a fleet, in words that say what to do.
import { ConfigurationError, RunError, SessionError } from "../contracts/errors.js";
import { clip } from "../text/cut.js";

const MAX_SHOWN = 100;

export function sessionOfAnother(session: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Session "${clip(session, MAX_SHOWN)}" is in use by another tenant. Pass another sessionId: they are unique over the whole fleet.`,
    details: { option: "sessionId" },
  });
}

export function wrongCron(cron: string, cause: Error): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Option "cron" of fleet.schedule() is "${clip(cron, MAX_SHOWN)}": ${cause.message}. Pass the five or six fields of cron, such as "0 9 * * 1-5".`,
    details: { option: "cron" },
    cause,
  });
}

export function noSuchQuestion(id: string): SessionError {
  return new SessionError("SESSION_NOT_FOUND", {
    message: `No run of this fleet waits with question "${clip(id, MAX_SHOWN)}". It was answered, or its run has ended. createPostgresApprovals() lists the questions that are open, and fleet.list() the runs.`,
    details: { id: clip(id, MAX_SHOWN) },
  });
}

export function questionWithdrawn(id: string): SessionError {
  return new SessionError("SESSION_NOT_FOUND", {
    message: `Nothing waits for question "${clip(id, MAX_SHOWN)}" any more: the run that asked it was cancelled. Start another run in its session to go on there.`,
    details: { id: clip(id, MAX_SHOWN), cancelled: true },
  });
}

export function noSuchRun(id: string): RunError {
  return new RunError("EVENTS_GONE", {
    message: `This fleet has no run "${clip(String(id), MAX_SHOWN)}". Check the id; a run that was deleted has left its session alone.`,
  });
}

export function closedWhileWaiting(): ConfigurationError {
  return new ConfigurationError("ENGINE_CLOSED", {
    message: "The fleet was closed while a result was waited for. Read it again.",
  });
}

export function fleetClosed(): ConfigurationError {
  return new ConfigurationError("ENGINE_CLOSED", {
    message: "This fleet was closed, so it takes no more work. Make another one with createFleet().",
  });
}
