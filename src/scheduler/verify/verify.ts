// Nothing counts because it was said: a result is accepted when its criterion holds.
import type { JsonObject } from "../../contracts/json.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { attemptSession, plannedIn } from "../attempt/attempt-session.js";
import { detailOf, finalTextOf, makeCall, wasCutOff } from "../attempt/call-session.js";
import { type PartContext, withinTime } from "../host-part.js";
import type { TaskResult, Verification } from "../options.js";
import type { Criterion } from "../plan/plan.js";
import type { TaskProgress } from "../progress.js";
import { NOTHING_SPENT } from "../spent.js";
import { SHELL_TOOL, type Work } from "../work.js";
import { checkFile } from "./check-file.js";
import { type Check, holds, refused, waiting } from "./check-result.js";
import { askJudge } from "./judge.js";

const MAX_OUTPUT_CHARS = 2_000;
const MAX_EVIDENCE = 20;
/** A test suite may take a while. */
const COMMAND_TIMEOUT_MS = 600_000;

/** @throws the signal's reason once the run is aborted */
export async function verifyResult(
  work: Work,
  progress: TaskProgress,
  result: TaskResult,
  mayExist: boolean,
): Promise<Check> {
  const { verifier } = work.options;
  if (!verifier) return checkCriterion(work, progress, result, mayExist);
  let own: Check | undefined;
  const said = await attempt(work, "verifier", ({ signal, pause }) => {
    const verify = async () => {
      own ??= await pause(() => checkCriterion(work, progress, result, mayExist));
      return { passed: own.passed, reason: own.reason, evidence: own.evidence };
    };
    return verifier(progress.task, result, { goal: work.goal, signal, verify });
  });
  if (own?.requests) return own;
  return { ...readVerdict(said), facts: own?.facts ?? [], spent: own?.spent ?? NOTHING_SPENT };
}

/** Whether a criterion looks at the world rather than at the result, so that it can be checked without one. */
export function looksAtTheWorld({ kind }: Criterion): boolean {
  return kind === "command" || kind === "file";
}

/** A function of the host that throws has accepted nothing. */
async function attempt<T>(
  work: Work,
  part: string,
  check: (about: PartContext) => T | Promise<T>,
): Promise<T | { passed: false; reason: string }> {
  try {
    return await withinTime(work, part, check);
  } catch (error) {
    work.signal.throwIfAborted();
    return { passed: false, reason: `Its check failed: ${describeThrown(error)}` };
  }
}

function readVerdict(said: unknown): Verification {
  const { passed, reason, evidence } = (typeof said === "object" && said !== null ? said : {}) as Partial<Verification>;
  const isAccepted = said === true || passed === true;
  const seen = Array.isArray(evidence) ? evidence.filter((one) => typeof one === "string").slice(0, MAX_EVIDENCE) : [];
  const standard = isAccepted ? "The application accepted it." : "The application did not accept it.";
  return { passed: isAccepted, reason: typeof reason === "string" ? clip(reason, 4_000) : standard, evidence: seen };
}

async function checkCriterion(
  work: Work,
  progress: TaskProgress,
  result: TaskResult,
  mayExist: boolean,
): Promise<Check> {
  const { criterion } = progress.task;
  switch (criterion.kind) {
    case "command":
      return checkCommand(work, progress, criterion, mayExist);
    case "file":
      return checkFile(work, progress, criterion, mayExist);
    case "predicate":
      return checkPredicate(work, result, criterion);
    case "judge":
      return askJudge(work, progress, result, criterion, mayExist);
  }
}

/** A check may be made again, so one that a crash has cut off is made again, in a session of its own. */
async function checkCommand(
  work: Work,
  progress: TaskProgress,
  { command }: Extract<Criterion, { kind: "command" }>,
  mayExist: boolean,
): Promise<Check> {
  const { properties } = work.parts.tools.get(SHELL_TOOL)!.definition().inputSchema as { properties?: object };
  const takesTimeout = properties !== undefined && "timeout_ms" in properties;
  const input: JsonObject = takesTimeout ? { command, timeout_ms: COMMAND_TIMEOUT_MS } : { command };
  const call = { id: "verify", name: SHELL_TOOL, arguments: input };
  const session = `${attemptSession(work, progress)}.verify`;
  let end = await makeCall(work, session, call, mayExist, plannedIn(work));
  for (let again = 2; end.kind === "result" && wasCutOff(end.result); again++) {
    work.signal.throwIfAborted();
    end = await makeCall(work, `${session}-${again}`, call, mayExist, plannedIn(work));
  }
  if (end.kind === "waiting") return waiting(end.requests);
  work.signal.throwIfAborted();
  const { isError, details } = end.result;
  const exitCode = detailOf(details, "exitCode");
  const passed = !isError && (exitCode === undefined || exitCode === 0);
  const output = clip(finalTextOf(end.result), MAX_OUTPUT_CHARS);
  const spent = { ...NOTHING_SPENT, durationMs: end.result.durationMs };
  if (passed) return { ...holds("Its command succeeded.", `\`${command}\` ended with exit code 0`), spent };
  const how = isError ? "could not be run" : `ended with exit code ${String(exitCode)}`;
  return { ...refused(`The check \`${command}\` ${how}:\n${output}`), spent };
}

async function checkPredicate(
  work: Work,
  result: TaskResult,
  { name }: Extract<Criterion, { kind: "predicate" }>,
): Promise<Check> {
  const predicate = work.options.predicates?.[name];
  if (!predicate) return refused(`The predicate "${name}" no longer exists.`);
  const said = await attempt(work, `predicate "${name}"`, () => predicate(result));
  if (said === true) return { ...holds("Its predicate is true.", `the predicate "${name}" accepts it`), facts: [] };
  const { reason } = Object(said) as { readonly reason?: string };
  return refused(reason ?? `The predicate "${name}" does not accept the result.`);
}
