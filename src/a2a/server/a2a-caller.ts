import type { RunOptions } from "../../engine/options/options.js";

/** The one who has sent a message, and where to. */
export interface A2aCaller {
  /** As `authenticate` has returned it; `null` where nobody is asked for a name. */
  readonly user: string | null;
  /** The session that others see: the conversation of the message. */
  readonly contextId: string;
  readonly request: Request;
}

/** The options that a run may be given for its caller. */
export type A2aRunOptions = Omit<RunOptions, "sessionId" | "history" | "signal" | "subagent">;
