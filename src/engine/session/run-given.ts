// What a run was given of its own beside its prompt: recorded as it begins, so that a resume goes on with the same.
import { ConfigurationError } from "../../contracts/errors.js";
import type { JsonSchema } from "../../contracts/json.js";
import type { RunGiven, UnstoredOption } from "../../contracts/session.js";
import { checkOptions, oneOf, tableOf } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { isPlainJsonSchema } from "../../schema/recognise-schema.js";
import { LIMITS_TABLE } from "../options/limits.js";
import { MODES } from "../options/option-tables.js";
import type { RunOptions } from "../options/options.js";
import type { RunState } from "../run/run-state.js";

/** What a session never holds: a host puts users and tokens into a context, and code cannot be kept. */
const UNSTORED: readonly UnstoredOption[] = ["context", "tools", "extraTools"];

/** What is recorded of a run's options. `undefined`: nothing. */
export function givenOf(options: RunOptions): RunGiven | undefined {
  const limits = Object.entries(options.limits ?? {}).filter(([, value]) => Number.isFinite(value));
  const { mode, output } = options;
  const isKept = output !== undefined && isPlainJsonSchema(output);
  const unstored: UnstoredOption[] = UNSTORED.filter((name) => options[name] !== undefined);
  if (output !== undefined && !isKept) unstored.push("output");
  const given: RunGiven = {
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(mode !== undefined && { mode }),
    ...(isKept && { output: copyJson(output, true) as JsonSchema }),
    ...(unstored.length > 0 && { unstored }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}

const KEPT = { limits: tableOf(LIMITS_TABLE), mode: oneOf(...MODES) };

/** A resume's options, and of those that it leaves out what the session has. @throws ConfigurationError `OPTION_INVALID` */
export function withKept(options: RunOptions, { limits, mode, output }: RunGiven): RunOptions {
  checkOptions("the session's run-start", { limits, mode }, KEPT);
  return {
    ...options,
    limits: { ...limits, ...options.limits },
    ...(mode !== undefined && options.mode === undefined && { mode }),
    ...(output !== undefined && options.output === undefined && { output: output as never }),
  };
}

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

/** Where answers have to be signed, whoever can write the session must not widen what runs without a question. */
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
