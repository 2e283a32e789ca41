// The start of a conversation, and the additions to one of its prompts.
import type { MediaPart } from "../../../contracts/content.js";
import type { PermissionMode } from "../../../contracts/permission.js";
import type { ProviderAdapter } from "../../../contracts/provider.js";
import type { Limits } from "../../../engine/options/limits.js";
import type { SessionBudget } from "../../sessions/session-budget.js";
import type { SessionModes } from "../../sessions/session-modes.js";

/** The additions to a prompt. */
export interface PromptExtras {
  /** Rules for calls that are not asked about until its run is over. */
  readonly allow?: readonly string[] | undefined;
  readonly images?: readonly MediaPart[] | undefined;
}

/** The start of a conversation. */
export interface SessionStart {
  readonly provider: ProviderAdapter;
  /** Default: that of the agent's settings, or `default`. */
  readonly mode?: PermissionMode | undefined;
  readonly modes?: Pick<SessionModes, "keep"> | undefined;
  readonly sessionId: string;
  /** The limits of each run. */
  readonly limits?: Limits | undefined;
  readonly budget?: SessionBudget | undefined;
  /** Rules that are allowed in every session. */
  readonly savedRules?: readonly string[] | undefined;
}
