import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { withoutControls } from "../../text/terminal-text.js";
import { httpReason } from "./http-reason.js";

/** The most that is quoted of a server's error. Unit: characters. */
const MAX_QUOTED_CHARS = 1_000;

/** Something about a server, or a call of it, that another attempt would not change. */
export function mcpFailed(server: string, message: string, cause?: unknown, details: JsonValue = {}): ToolError {
  return new ToolError("MCP_FAILED", {
    message: `The MCP server "${server}" ${message}`,
    details: { ...(details as object), server },
    cause,
  });
}

/** The server cannot be reached now, or could not be by one call. */
export function mcpDisconnected(server: string, why: string, cause?: unknown, what?: string): ToolError {
  return new ToolError("MCP_DISCONNECTED", {
    message: `The MCP server "${server}" ${what ?? "is not connected"}: ${why}`,
    // A request that was sent may have been carried out.
    details: { server, outcome: what === undefined ? "not-started" : "unknown" },
    retryable: true,
    cause,
  });
}

/** The reason that a server or the SDK gives: one line without control characters, cut, with a full stop. */
export function reasonOf(thrown: unknown): string {
  return asSentence(httpReason(thrown) ?? describeThrown(thrown));
}

/** A text of a server's for a sentence of ours: one line without control characters, cut, with a full stop. */
export function asSentence(text: string): string {
  const line = clip(withoutControls(text).replace(/\s+/g, " ").trim(), MAX_QUOTED_CHARS);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Marks the error that a request gets whose response cannot come any more. */
export const NOT_ANSWERED = Object.freeze({ isAnswered: false });

/** Detail of a call that the server has taken: what it has done is not known, also where its answer cannot be read. */
export const UNKNOWN = Object.freeze({ outcome: "unknown" });

/** The errors that another attempt would meet again: a program that is not there, a user who does not sign in. */
export class CannotConnect extends Error {}

/** Whether there is no use in trying again by itself. */
export function isFinal(thrown: unknown): boolean {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof CannotConnect) return true;
    if (isHarnessError(at, "PEER_MISSING") || isHarnessError(at, "PEER_UNSUPPORTED")) return true;
  }
  return false;
}
