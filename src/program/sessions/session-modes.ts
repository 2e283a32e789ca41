// The permission mode of each session, which outlives the process: a run that goes on has the mode it had, also after a crash.
import type { PermissionMode } from "../../contracts/permission.js";
import { sessionNames } from "./session-names.js";

export interface SessionModes {
  /** The newest mode of a session; `undefined` for one that has none, and for `bypassPermissions`, which has to be asked for again. */
  of(sessionId: string): Promise<PermissionMode | undefined>;
  keep(sessionId: string, mode: PermissionMode): Promise<void>;
}

const COMES_BACK: readonly PermissionMode[] = ["default", "acceptEdits", "plan", "dontAsk"];

/** Modes in a file like that of the names. */
export function sessionModes(file: string): SessionModes {
  const kept = sessionNames(file);
  let written: Promise<void> = Promise.resolve();
  return {
    async of(sessionId) {
      await written.catch(() => {});
      const mode = (await kept.read()).get(sessionId);
      return COMES_BACK.find((each) => each === mode);
    },
    keep(sessionId, mode) {
      written = written.catch(() => {}).then(() => kept.rename(sessionId, mode));
      return written;
    },
  };
}
