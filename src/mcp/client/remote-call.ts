// One request to a server on behalf of a tool call: progress, cancellation, time, and errors that say whose fault it is.
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ToolContext } from "../../contracts/tool.js";
import { isWithinValues } from "../../json/copy.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { followSignal } from "../../time/follow-signal.js";
import type { ClientSdk } from "../mcp-sdk.js";
import { isLost, isNobodyThere, isRefusal, isUnreadable } from "./http-reason.js";
import { UNREAD, type Unread } from "./listing.js";
import { asSentence, isFinal, mcpDisconnected, mcpFailed, NOT_ANSWERED, reasonOf, UNKNOWN } from "./mcp-errors.js";
import type { OpenCalls } from "./open-calls.js";
import { startClock } from "./pausable-timeout.js";
import { sendAfterPages } from "./required-pages.js";
import type { Link } from "./server-session.js";

/** A server that is connected, as far as calls need it. */
export interface CallTarget {
  readonly server: string;
  readonly sdk: ClientSdk;
  readonly link: Link;
  readonly calls: OpenCalls;
  readonly limits: CallLimits;
  /** Opens another session in place of one that the server does not know any more. @throws ToolError when that fails */
  renew(forgotten: Link): Promise<Link>;
  /** Whether another session is opened by itself. */
  isComingBack(): boolean;
}

/** The time limits of a call: without a report of progress, and in all. Unit: milliseconds. */
interface CallLimits {
  readonly timeoutMs: number;
  readonly maxCallMs: number;
}

/** The part of its caller that a call needs; a host that calls by itself has no more. */
export type RequestContext = Pick<ToolContext, "signal" | "progress"> & Partial<ToolContext>;

/**
 * Sends a request and resolves with its result, unread.
 *
 * @throws ToolError `TOOL_TIMEOUT`, `MCP_DISCONNECTED`, `MCP_FAILED`
 */
export async function request(
  target: CallTarget,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<Unread> {
  const { server, calls, limits } = target;
  const { timeoutMs, maxCallMs } = limits;
  let { link } = target;
  const stop = new AbortController();
  const unfollow = followSignal(context.signal, () => stop.abort(context.signal.reason));
  const clock = startClock(timeoutMs, (limitMs) => stop.abort(timeUp(server, limits, limitMs)), maxCallMs);
  const call = { context, pause: clock.pause, leave: (why: unknown) => stop.abort(why) };
  const remove = calls.add(call);
  const report = progressReader(context);
  const onprogress = (progress: Parameters<typeof report>[0]) => {
    clock.extend();
    report(progress);
  };
  let leave = () => {};
  let interrupt = (_: ToolError) => {};
  const over = new Promise<never>((_, reject) => {
    interrupt = reject;
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
  });
  const enter = () => {
    leave = link.enter((reason) => interrupt(interrupted(target, reason)));
  };
  enter();
  const send = () => {
    const options = { signal: stop.signal, timeout: LONGEST_TIMER_MS, onprogress };
    return link.client.request({ method, params } as never, UNREAD, options) as Promise<Unread>;
  };
  const sendOrRenew = async () => {
    try {
      return await send();
    } catch (error) {
      // Such an answer says that the request was not begun.
      if (!link.isForgottenBy(error) || stop.signal.aborted) throw error;
      leave();
      link = await target.renew(link);
      stop.signal.throwIfAborted();
      enter();
      return await send();
    }
  };
  try {
    const asking = { server, askUser: link.askUser, call, signal: stop.signal };
    return await Promise.race([sendAfterPages(asking, sendOrRenew), over]);
  } catch (error) {
    throw explain(server, target.sdk, link, error, stop.signal);
  } finally {
    leave();
    unfollow();
    clock.stop();
    remove();
  }
}

/** A call of the host's own. @throws ToolError when it fails, with the text of the result */
export async function callDirectly(
  target: CallTarget,
  tool: string,
  input: JsonObject,
  signal: AbortSignal,
): Promise<string> {
  if (!isWithinValues(input)) {
    const message = `The input of "${tool}" refers to itself, or has too many values to be sent to "${target.server}".`;
    throw new ToolError("TOOL_INPUT_INVALID", { message });
  }
  const context = { signal, progress: () => {} };
  const { content, isError } = await request(target, "tools/call", { name: tool, arguments: input }, context);
  const parts = (Array.isArray(content) ? content : []).filter(isObject);
  const text = parts.map((part) => (typeof part.text === "string" ? part.text : "")).join("\n");
  if (isError !== true) return text;
  throw mcpFailed(target.server, `failed in its tool "${tool}": ${asSentence(text || "it gave no reason")}`);
}

const HALF_DONE = "Its work may be half done: check before you repeat it.";

function interrupted(target: CallTarget, reason: string): ToolError {
  const next = target.isComingBack() ? " The server is being reconnected." : "";
  const why = `${asSentence(reason)} The call was interrupted; its work may be half done.${next}`;
  return mcpDisconnected(target.server, why, undefined, "is no longer connected");
}

function timeUp(server: string, { timeoutMs, maxCallMs }: CallLimits, limitMs: number): ToolError {
  const isIdle = limitMs === timeoutMs && timeoutMs < maxCallMs;
  const what = isIdle
    ? `did not answer within ${limitMs} ms, nor report progress (timeoutMs)`
    : `was still at work after ${limitMs} ms, the most that a call may take (maxCallMs)`;
  return new ToolError("TOOL_TIMEOUT", {
    message: `The MCP server "${server}" ${what}; the call was cancelled. ${HALF_DONE}`,
    details: { server, timeoutMs: limitMs, ...UNKNOWN },
  });
}

function explain(server: string, sdk: ClientSdk, link: Link, error: unknown, { aborted, reason }: AbortSignal): Error {
  if (aborted) {
    if (isHarnessError(reason, "TOOL_TIMEOUT")) link.check();
    return reason as Error;
  }
  if (isHarnessError(error)) return error;
  if (link.isForgottenBy(error)) {
    const why = `has forgotten its session twice: ${reasonOf(error)} A new session was opened, and the call in it was refused in the same way. If several servers share this URL, each session has to reach the one that began it.`;
    return mcpFailed(server, why, error, { outcome: "not-started" });
  }
  if (sdk.ProtocolError.isInstance(error) && error.data === NOT_ANSWERED) {
    link.check();
    return mcpFailed(server, `did not answer the call: ${reasonOf(error)} ${HALF_DONE}`, error, UNKNOWN);
  }
  if (sdk.ProtocolError.isInstance(error)) {
    return mcpFailed(server, `refused the call: ${reasonOf(error)}`, error, { rpcCode: error.code });
  }
  const { code } = error as { code?: unknown };
  if (sdk.SdkError.isInstance(error) && code === "INVALID_RESULT") {
    return mcpFailed(server, `sent a result that breaks the protocol: ${reasonOf(error)} ${HALF_DONE}`, error, UNKNOWN);
  }
  if (error instanceof RangeError)
    return mcpFailed(server, `sent a result that is nested too deep to be read. ${HALF_DONE}`, error, UNKNOWN);
  // The request did not get through, or its answer did not: the connection has to prove itself.
  link.check(isNobodyThere(error) ? reasonOf(error) : undefined);
  if (isFinal(error) || isRefusal(error)) return mcpFailed(server, `did not take the call: ${reasonOf(error)}`, error);
  if (isUnreadable(error))
    return mcpFailed(server, `gave no usable answer: ${reasonOf(error)} ${HALF_DONE}`, error, UNKNOWN);
  if (isLost(error)) return mcpDisconnected(server, `${reasonOf(error)} ${HALF_DONE}`, error, "gave no usable answer");
  return mcpDisconnected(server, `${reasonOf(error)} Try again in a moment.`, error, "could not be called");
}

/** Reports of one call that are all passed on; then one each `PAUSE_MS`. */
const MAX_AT_ONCE = 200;
const PAUSE_MS = 100;
const MAX_MESSAGE_CHARS = 1_000;

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Passes a server's reports on as the call's progress: `{ progress, total?, message? }`. A flood of them is thinned out. */
function progressReader({ progress }: Pick<ToolContext, "progress">): (report: Progress) => void {
  let count = 0;
  let last = 0;
  return ({ progress: done, total, message }) => {
    const now = performance.now();
    if (++count > MAX_AT_ONCE && now - last < PAUSE_MS) return;
    last = now;
    const update: { [field: string]: JsonValue } = { progress: done };
    if (total !== undefined) update.total = total;
    if (message !== undefined) update.message = clip(message, MAX_MESSAGE_CHARS);
    progress(update);
  };
}
