import type { PendingRequest } from "../../contracts/approval.js";
import type { HookDispatcher, HookInput, HookOutcome, HookPayloads, HookPoint } from "../../contracts/hook.js";
import type { PermissionUpdate } from "../../contracts/permission.js";
import { brokenHooks } from "./hooks/combine-hooks.js";
import { HookRunner } from "./hooks/hook-runner.js";
import type { RunState } from "./run-state.js";

const NO_HOOKS = Promise.resolve(null);

/** Runs the hooks of one run, and reports what became of them. */
export class RunHooks {
  /** Ends the hooks that nobody waits for. */
  #aside: AbortController | undefined;

  constructor(private readonly run: RunState) {}

  /** Runs a point's hooks; `null` when it has none. They are given up when the run is ended, or with `ownSignal`. */
  fire<P extends HookPoint>(
    point: P,
    payload: HookPayloads[P],
    matchValue?: string,
    ownSignal?: AbortSignal,
  ): Promise<HookOutcome | null> {
    const { hooks } = this.run.config;
    return hooks?.has(point) ? this.#fire(hooks, point, payload, matchValue, ownSignal) : NO_HOOKS;
  }

  async #fire<P extends HookPoint>(
    hooks: HookDispatcher,
    point: P,
    payload: HookPayloads[P],
    matchValue: string | undefined,
    ownSignal: AbortSignal | undefined,
  ): Promise<HookOutcome> {
    const { run } = this;
    const { runtime, modelOptions } = run.config;
    const { signal, unlink } = ownSignal ? { signal: ownSignal, unlink: () => {} } : this.#linkedSignal();
    const startedAt = runtime.now();
    // The payload comes last: what begins with a spread gets a hidden class of its own each time.
    const input = {
      hookEventName: point,
      sessionId: run.sessionId,
      runId: run.id,
      agentPath: run.agentPath,
      ...(run.setup.mode && { permissionMode: run.setup.mode }),
      ...(run.agentPath.length > 0 && { agentType: run.agentPath.at(-1)! }),
      ...(modelOptions.reasoning && { effort: modelOptions.reasoning }),
      ...payload,
    } as unknown as HookInput<P>;
    let outcome: HookOutcome;
    try {
      const leftBehind = (work: Promise<unknown>) => {
        if (!run.lifetime.isDisposed) run.abandoned.watch(work, `A ${point} hook`);
      };
      const running = hooks.run(input, { signal, ...(matchValue !== undefined && { matchValue }), leftBehind });
      // The HookRunner follows the signal itself, and reports what its other hooks have said.
      outcome = await (hooks instanceof HookRunner ? running : unlessAborted(running, signal, leftBehind));
    } catch (error) {
      outcome = brokenHooks(input as HookInput, error);
    } finally {
      unlink();
    }
    this.#report(input as HookInput, outcome, Math.max(0, runtime.now() - startedAt));
    return outcome;
  }

  /** A signal that aborts with the run: on one shared by all, many hooks at once would look like a leak of listeners. */
  #linkedSignal(): { readonly signal: AbortSignal; readonly unlink: () => void } {
    const { run } = this;
    const controller = new AbortController();
    const abort = () => controller.abort(run.lifetime.stopError);
    if (run.lifetime.ending) abort();
    return { signal: controller.signal, unlink: run.lifetime.onStop(abort) };
  }

  #report(input: HookInput, outcome: HookOutcome, durationMs: number): void {
    const { run } = this;
    const blocked = outcome.blocked || outcome.permission === "deny" || !outcome.continue;
    const status = blocked ? "blocked" : outcome.failures.length > 0 ? "failed" : "ok";
    const reason = outcome.reason ?? outcome.permissionReason ?? outcome.stopReason ?? outcome.failures[0];
    const { hookEventName: point } = input;
    const call = "toolUseId" in input ? { toolCallId: input.toolUseId } : {};
    run.emit("hook-outcome", { point, durationMs, outcome: status, ...call, ...(reason !== undefined && { reason }) });
    for (const failure of outcome.failures) run.notice("HOOK_FAILED", failure);
    for (const message of outcome.systemMessages) run.notice("HOOK_MESSAGE", message);
    if (!outcome.continue) run.agent.stopByHook(outcome.stopReason ?? `A ${point} hook stopped the run.`);
  }

  /** Runs the Notification hooks because the host is needed; nobody waits for them. */
  fireNotification({ kind, reason, description }: PendingRequest): void {
    if (!this.run.config.hooks?.has("Notification")) return;
    const notificationType = kind === "approval" ? "permission_prompt" : "elicitation_dialog";
    const title = description && { title: description.title };
    void this.fireAside("Notification", { message: reason, notificationType, ...title });
  }

  /** Runs the DirectoryAdded hooks for what an answer lets the session use; nobody waits for them. */
  fireAdded(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type !== "addDirectories") continue;
      for (const directory of update.directories)
        void this.fireAside("DirectoryAdded", { directory, source: "permission_update" }, "permission_update");
    }
  }

  /** Runs a point's hooks while the run goes on. Being idle waits for them; they are given up with what is left then. */
  fireAside<P extends HookPoint>(point: P, payload: HookPayloads[P], matchValue?: string): Promise<HookOutcome | null> {
    this.#aside ??= new AbortController();
    const fired = this.fire(point, payload, matchValue, this.#aside.signal);
    this.run.abandoned.watch(fired, `A ${point} hook`);
    return fired;
  }

  /** Gives up the hooks that nobody waits for. */
  dispose(): void {
    this.#aside?.abort();
  }
}

/** A dispatcher that ignores its signal holds nobody up. */
async function unlessAborted<T>(
  running: Promise<T>,
  signal: AbortSignal,
  leftBehind: (work: Promise<unknown>) => void,
): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      leftBehind(running);
      reject(new Error("was given up because the run ended"));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  return Promise.race([running, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
