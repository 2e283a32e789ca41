import { randomBytes } from "node:crypto";
import type { CommandRequest, CommandRunner } from "../../../contracts/workspace.js";
import { quotedForShell } from "../../../text/quoted-for-shell.js";
import { followSignal } from "../../../time/follow-signal.js";
import { settlesWithin } from "../../../time/settles-within.js";
import { runWhole, type WholeAnswer } from "../../over/whole-answer.js";
import { NOBODY_THERE } from "../../shell/local-shell.js";
import { asked, assertSession, type SandboxSessionLike } from "./sandbox-session.js";

/** For a session to end a command that was aborted. Unit: milliseconds. */
const END_MS = 5_000;

/**
 * The commands of a sandbox session of the AI SDK, by its `run`: their output comes when they have ended, first what standard output
 * says. What they leave running is the session's. An abort or a timeout is passed on to the session, and waited for 5 seconds at most.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a session without `run`
 */
export function sessionShell(session: Pick<SandboxSessionLike, "run">): CommandRunner {
  assertSession("sessionShell()", session, ["run"]);
  return { run: (request) => runWhole(request, (signal) => runInSession(session, request, signal)) };
}

async function runInSession(
  session: Pick<SandboxSessionLike, "run">,
  { command, cwd, env }: CommandRequest,
  abortSignal: AbortSignal,
): Promise<WholeAnswer> {
  const word = randomBytes(16).toString("hex");
  // Not every shell knows traps; in one that does not, a command that calls `exit` does not say where it was.
  const script = `exec 3>&1
loopwright_where() { printf '\\001%s%s\\001%s\\001' ${word} "$(pwd -P)" "\${OLDPWD-}" >&3; }
LOOPWRIGHT_END=
trap loopwright_where EXIT 2>/dev/null || LOOPWRIGHT_END=loopwright_where
eval ${quotedForShell(command)}
LOOPWRIGHT_CODE=$?
$LOOPWRIGHT_END
exit $LOOPWRIGHT_CODE`;
  const variables = { ...NOBODY_THERE, ...env };
  const running = asked(session.run({ command: script, workingDirectory: cwd, env: variables, abortSignal }));
  const { exitCode, stdout, stderr } = await endedBy(running, abortSignal);
  const [before, record] = stdout.split(`\u0001${word}`);
  const [then, previousCwd, ...after] = record?.split("\u0001") ?? [];
  const encoder = new TextEncoder();
  return {
    exitCode,
    stdout: encoder.encode(before + after.join("\u0001")),
    stderr: encoder.encode(stderr),
    cwd: then,
    previousCwd,
  };
}

/** The answer of a command, unless the session does not end it in time once it is to. */
async function endedBy<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: () => void = () => {};
  const aborted = new Promise<void>((resolve) => {
    leave = followSignal(signal, resolve);
  });
  await Promise.race([running, aborted]).finally(leave);
  if (signal.aborted && !(await settlesWithin(running, END_MS))) throw signal.reason;
  return running;
}
