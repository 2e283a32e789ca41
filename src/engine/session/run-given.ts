// A run's own options beside its prompt: a resume goes on with the same, or is refused.
import { ConfigurationError } from "../../contracts/errors.js";
import type { RunGiven, UnstoredOption } from "../../contracts/session.js";
import type { RunState } from "../run/run-state.js";

/** The resumed run is given again what the session has of it. Nothing of the run has begun. */
export function adoptGiven(run: RunState): void {
  const { given: kept } = run.transcript;
  const { withGiven } = run.setup;
  if (kept && withGiven) run.adopt(withGiven(kept));
}

/** @throws ConfigurationError `OPTION_MISSING` for a resume that lacks what its run was given and no session holds */
export function requireGiven(run: RunState): void {
  const { given: kept } = run.transcript;
  const missing: string[] = missingOf(run, kept);
  if (kept?.mode && isLaxModeOfKey(run, kept)) missing.push("mode");
  if (missing.length > 0) throw optionMissing(run, "The run", missing);
}

/** The same for sub-agents that an earlier run has left in the background, and that go on in this one. */
export function requireGivenForBackground(run: RunState): void {
  const { given, background } = run.transcript;
  if (background.open.length === 0) return;
  const missing = missingOf(run, given).filter((name) => name !== "output");
  if (missing.length > 0) throw optionMissing(run, "A run whose sub-agents are still in the background", missing);
}

function missingOf({ setup }: RunState, kept: RunGiven | null): UnstoredOption[] {
  const { given: own } = setup;
  return (kept?.unstored ?? []).filter((name) => !own?.unstored?.includes(name) && !(name === "output" && own?.output));
}

/** A host that signs answers does not let those who can write the session widen what runs without a question. */
function isLaxModeOfKey({ config, setup }: RunState, { mode }: RunGiven): boolean {
  if (config.approvals.key === undefined || mode === config.mode || mode !== setup.mode) return false;
  return (mode === "acceptEdits" || mode === "bypassPermissions") && !setup.isModeStated;
}

function optionMissing({ transcriptId }: RunState, who: string, missing: readonly string[]): ConfigurationError {
  const names = missing.join(", ");
  const message = `${who} of session "${transcriptId}" was given options that no session holds, and that are missing now: ${names}. Pass them again to resume(), run() or hub.answer(), as { ${names} }; a hub and a fleet also take contextFor(sessionId).`;
  return new ConfigurationError("OPTION_MISSING", {
    message,
    details: { option: missing[0]!, missing: [...missing], sessionId: transcriptId },
  });
}
