import type { SuspendRequest } from "../../contracts/approval.js";
import { RunAbortedError } from "../../contracts/errors.js";
import type { HookPayloads, ToolNotice } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolContext } from "../../contracts/tool.js";
import { followSignal } from "../../time/follow-signal.js";

/** The error that `suspend` of a fake context throws. */
export class FakeSuspension extends Error {
  readonly request: SuspendRequest;
  readonly state: JsonValue | undefined;

  constructor(request: SuspendRequest, state?: JsonValue) {
    super(`The tool suspended its call: ${request.reason}`);
    this.name = "FakeSuspension";
    this.request = request;
    this.state = state;
  }
}

/** A tool context outside a run. It keeps what the tool reported, for the test to look at. */
export interface FakeToolContext extends ToolContext {
  /** Aborts `signal` with a `RunAbortedError`, as an engine would. */
  abort(reason?: string): void;
  /** Every `progress` update, in order. */
  readonly updates: readonly JsonValue[];
  /** Every `suspend`, in order, also one whose throw the tool caught. */
  readonly suspensions: readonly FakeSuspension[];
  /** Every `notify`, in order. */
  readonly notices: readonly { readonly point: ToolNotice; readonly payload: HookPayloads[ToolNotice] }[];
  /** The focus of every `requestCompaction`, in order. */
  readonly compactionRequests: readonly (string | undefined)[];
}

/**
 * The context of a tool call for testing a tool alone: a live signal, recorded progress, and ids of its own.
 *
 * `overrides` win over every default; a `signal` among them aborts the context's signal, too.
 */
export function fakeToolContext(overrides: Partial<ToolContext> = {}): FakeToolContext {
  const controller = new AbortController();
  const updates: JsonValue[] = [];
  const suspensions: FakeSuspension[] = [];
  const notices: { point: ToolNotice; payload: HookPayloads[ToolNotice] }[] = [];
  const compactionRequests: (string | undefined)[] = [];
  const sessionId = overrides.sessionId ?? "session-1";
  const { signal } = overrides;
  // Not AbortSignal.any: in Node 24, one of two that share a source takes over the reason that comes later.
  if (signal) followSignal(signal, () => controller.abort(signal.reason));
  return {
    toolCallId: "call_1",
    runId: "run-1",
    turn: 1,
    agentPath: [],
    sessionId,
    transcriptId: sessionId,
    app: undefined,
    progress: (update) => void updates.push(update),
    notify: (point, payload) => void notices.push({ point, payload }),
    requestCompaction: (focus) => void compactionRequests.push(focus),
    suspend(request, state) {
      const suspension = new FakeSuspension(request, state);
      suspensions.push(suspension);
      throw suspension;
    },
    ...overrides,
    signal: controller.signal,
    abort: (reason = "the test asked for it") => controller.abort(new RunAbortedError(reason)),
    updates,
    suspensions,
    notices,
    compactionRequests,
  };
}
