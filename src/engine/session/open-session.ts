// Opening a session for a run: lock, read, unlock.
import { ConfigurationError, isHarnessError, SessionError } from "../../contracts/errors.js";
import type { Release, SessionEntry } from "../../contracts/session.js";
import { optionError } from "../../json/check-options.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { ignoreFailure, isThenable } from "../../time/is-promise.js";
import type { RunOptions } from "../options/options.js";
import { OPENING_PATIENCE_MS, patienceOf } from "../run/abandoned-work.js";
import { StuckError } from "../run/run-lifetime.js";
import type { RunState } from "../run/run-state.js";
import { branchOf } from "../transcript/branch.js";
import { REWIND } from "../transcript/rewind.js";
import { isMisuse, requireEntries } from "./session-misuse.js";

/** The place of a prompt: behind this entry, before all of them, or by default behind the newest. */
export interface PromptPlace {
  readonly after?: RunOptions["after"];
}

/** A session that belongs to one run until it is closed. */
export interface OpenSession {
  close(): Promise<void>;
}

/**
 * Locks the session and rebuilds its transcript. One that cannot be read stops the run, and is not written. `null`: the run was ended
 * while the store did not answer.
 *
 * @throws SessionError `SESSION_BUSY`
 */
export async function openSession(run: RunState, prompt?: PromptPlace): Promise<OpenSession | null> {
  let release: Release | undefined;
  const close = () => unlock(run, release);
  try {
    release = await lock(run);
    await readSession(run, prompt);
  } catch (cause) {
    if (isMisuse(cause)) {
      await close();
      throw cause;
    }
    run.recorder.refuse(unreadable(run, cause));
    if (cause instanceof StuckError) {
      await close();
      return null;
    }
  }
  return { close };
}

async function lock({ config, lifetime, recordId }: RunState): Promise<Release> {
  const locking = config.store.lock(recordId);
  try {
    return await lifetime.unlessStuck(locking, "The session store's lock()", OPENING_PATIENCE_MS);
  } catch (error) {
    // A lock that comes after all must not stay.
    void Promise.resolve(locking)
      .then((release) => release?.())
      .catch(() => {});
    throw error;
  }
}

/**
 * Rebuilds the transcript from the store. In a session that was rewound to a prompt a new prompt takes its place.
 *
 * @throws SessionError `SESSION_READ`, `SESSION_CORRUPT`, …
 */
async function readSession(run: RunState, prompt?: PromptPlace): Promise<void> {
  try {
    const reading = readAll(run.config.store.read(run.recordId));
    const entries = await run.lifetime.unlessStuck(reading, "The session store's read()", OPENING_PATIENCE_MS);
    if (entries.some(({ runId }) => runId === run.recorder.runId)) throw usedTwice(run);
    for (const entry of branchToExtend(run, entries, prompt)) run.transcript.apply(entry);
  } catch (cause) {
    throw isMisuse(cause) ? cause : unreadable(run, cause);
  }
}

/** Reads a session that no run uses, with the prompt that its requests begin with. @throws SessionError `SESSION_NOT_FOUND` */
export async function readAsSent(run: RunState): Promise<void> {
  await readSession(run);
  requireEntries(run);
  const { prompt, transcript } = run;
  prompt.system = transcript.epoch?.system ?? prompt.system;
  prompt.tools = transcript.epoch?.tools ?? prompt.tools;
}

/** Everything that a store's `read()` yields. @throws TypeError for a promise, and whatever the store throws */
export async function readAll(source: AsyncIterable<SessionEntry>): Promise<SessionEntry[]> {
  if (isThenable(source)) {
    ignoreFailure(source);
    throw new TypeError(
      "the store's read() returned a promise where an async iterable is due; remove `async`, or make it `async *`",
    );
  }
  const entries: SessionEntry[] = [];
  for await (const entry of source) entries.push(entry);
  return entries;
}

function unreadable(run: RunState, cause: unknown): SessionError {
  if (isHarnessError(cause) && cause instanceof SessionError) return cause;
  const message = `Session "${run.recordId}" could not be read: ${describeThrown(cause)}`;
  return new SessionError("SESSION_READ", { message, cause });
}

/**
 * A store that cannot unlock changes nothing about how the run went. While a write that was given up may still land, the session
 * stays locked: entries of another run would come before it, and be lost with the branch that it begins.
 */
async function unlock(run: RunState, release: Release | undefined): Promise<void> {
  const { givenUp } = run.recorder;
  if (givenUp) {
    run.held = settled(settled(givenUp).then(release));
    return;
  }
  if (!release) return;
  let releasing: Promise<void> | undefined;
  try {
    releasing = release();
    await run.lifetime.unlessStuck(releasing, "The session store's unlock", patienceOf(run.limits), true);
  } catch (error) {
    if (error instanceof StuckError) run.held = settled(releasing);
    run.notice("SESSION_WRITE", `Session "${run.recordId}" could not be unlocked: ${describeThrown(error)}`);
  }
}

async function settled(effect: PromiseLike<unknown> | undefined): Promise<void> {
  await Promise.allSettled([effect]);
}

function usedTwice({ id, transcriptId }: RunState): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `AgentEngine: runtime.newId() returned "${id}", which session "${transcriptId}" already has as a run. Never return an id twice.`,
    details: { option: "runtime.newId" },
  });
}

/** @throws ConfigurationError `OPTION_INVALID` for a place that the session does not have */
function branchToExtend(
  { transcriptId }: RunState,
  entries: readonly SessionEntry[],
  prompt: PromptPlace | undefined,
): readonly SessionEntry[] {
  const after = typeof prompt?.after === "function" ? prompt.after(entries) : prompt?.after;
  if (after === undefined && entries.length === 0) return entries;
  if (after === undefined) return prompt ? withoutRewoundPrompt(branchOf(entries)) : branchOf(entries);
  if (after === null) return [];
  if (entries.some(({ id }) => id === after)) return branchOf(entries, after);
  throw optionError("engine.run()", "after", after, `the id of an entry of session "${transcriptId}"`);
}

function withoutRewoundPrompt(branch: readonly SessionEntry[]): readonly SessionEntry[] {
  const last = branch.at(-1);
  if (last?.type !== "custom" || last.name !== REWIND) return branch;
  const { before } = Object(last.data) as { before?: string | null };
  if (before === undefined) return branch;
  return before === null ? [] : branch.slice(0, branch.findIndex(({ id }) => id === before) + 1);
}
