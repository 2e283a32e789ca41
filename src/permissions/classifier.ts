import type { PermissionRequest, PermissionResult } from "../contracts/permission.js";
import { FUNCTION, listOf, numberFrom, type OptionTable, required, TEXT } from "../json/check-options.js";
import { canonicalName } from "../rules/tool-names.js";
import { LONGEST_TIMER_MS } from "../time/deadlines.js";
import { decideRequest } from "./decide.js";
import { allow, type Decision, deny } from "./decision.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import type { RuleSet } from "./rules/rule-set.js";

/**
 * The host's automatic approval: asked about calls that would otherwise be asked, but not where a rule, a hook or the
 * tool itself wants a human. `ask` and `passthrough` leave the call to the approver, and so does a throw, or to take
 * longer than `timeoutMs`; `signal` is aborted then.
 */
export type Classify = (
  request: PermissionRequest,
  context: { readonly signal: AbortSignal },
) => PermissionResult | Promise<PermissionResult>;

/** A function that decides calls which would be asked about, and its bounds. */
export interface ClassifierOptions {
  /** Called for each call that would otherwise be asked about. */
  readonly classify: Classify;
  /** The time it may take before the call goes to the approver. Unit: milliseconds. Default: 30_000. */
  readonly timeoutMs?: number | undefined;
  /** Tools that need no look, in either dialect. Default: `todo_write`, `ask_user`, `web_search`. */
  readonly safeTools?: readonly string[] | undefined;
}

export const CLASSIFIER_TABLE = {
  classify: required(FUNCTION),
  timeoutMs: numberFrom(1, "milliseconds", undefined, true),
  safeTools: listOf(TEXT, "names of tools"),
} satisfies OptionTable<ClassifierOptions>;

const MAX_DENIALS = 3;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_SESSIONS = 1_000;
const DEFAULT_SAFE_TOOLS = ["todo_write", "ask_user", "web_search"];

/** Decides for the approver until it has denied three times in a row: then the session's calls are asked. */
export class Classifier {
  readonly #classify: Classify;
  readonly #timeoutMs: number;
  readonly #safeTools: ReadonlySet<string>;
  readonly #denials = new Map<string, number>();

  constructor(options: Classify | ClassifierOptions) {
    const {
      classify,
      safeTools = DEFAULT_SAFE_TOOLS,
      timeoutMs = DEFAULT_TIMEOUT_MS,
    } = typeof options === "function" ? { classify: options } : options;
    this.#classify = classify;
    this.#timeoutMs = Math.min(timeoutMs, LONGEST_TIMER_MS);
    this.#safeTools = new Set(safeTools.map(canonicalName));
  }

  /** Its decision, or `null` when a human has to be asked. Never rejects. */
  async decide(request: PermissionRequest, call: ResolvedRequest, rules: RuleSet): Promise<Decision | null> {
    const asEdit = decideRequest({ ...call, mode: "acceptEdits" }, rules);
    if (asEdit.behavior === "allow") return allow("classifier", 'Mode "acceptEdits" would allow it.');
    if (this.#safeTools.has(call.canonical)) return allow("classifier", `"${call.tool}" is on the list of safe tools.`);
    if ((this.#denials.get(call.sessionId) ?? 0) >= MAX_DENIALS) return null;
    const { behavior, reason } = await this.#answer(request);
    if (behavior === "deny") {
      this.#count(call.sessionId);
      return deny("classifier", reason ?? `The classifier denies "${call.tool}".`);
    }
    this.#denials.delete(call.sessionId);
    return behavior === "allow" ? allow("classifier", reason ?? "The classifier allows it.") : null;
  }

  async #answer(request: PermissionRequest): Promise<PermissionResult> {
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        limit.abort(new Error(`The classifier took longer than ${this.#timeoutMs} ms.`));
        resolve(undefined);
      }, this.#timeoutMs);
    });
    try {
      const answer = await Promise.race([this.#classify(request, { signal: limit.signal }), late]);
      return answer?.behavior ? answer : { behavior: "ask" };
    } catch {
      return { behavior: "ask" };
    } finally {
      clearTimeout(timer);
    }
  }

  #count(sessionId: string): void {
    const denials = (this.#denials.get(sessionId) ?? 0) + 1;
    this.#denials.delete(sessionId);
    this.#denials.set(sessionId, denials);
    const [oldest] = this.#denials.keys();
    if (this.#denials.size > MAX_SESSIONS && oldest !== undefined) this.#denials.delete(oldest);
  }
}
