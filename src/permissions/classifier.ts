import type { PermissionRequest, PermissionResult } from "../contracts/permission.js";
import { canonicalName } from "../rules/tool-names.js";
import { judge } from "./decide.js";
import { allow, deny, type Judgement } from "./decision.js";
import type { Call } from "./request/resolved-request.js";
import type { CompiledRule } from "./rules/rules.js";

/**
 * The host's automatic approval: asked about calls that would otherwise be asked, but not where a rule, a hook or the tool
 * itself wants a human. `ask` and `passthrough` leave the call to the approver, and so does a throw.
 */
export type Classify = (request: PermissionRequest) => PermissionResult | Promise<PermissionResult>;

export interface ClassifierOptions {
  readonly classify: Classify;
  /** Tools that need no look, in either dialect. Default: `todo_write`, `ask_user`, `web_search`. */
  readonly safeTools?: readonly string[];
}

const MAX_DENIALS = 3;
const MAX_SESSIONS = 1_000;
const DEFAULT_SAFE_TOOLS = ["todo_write", "ask_user", "web_search"];

/** Answers in the approver's place, until three of its answers in a row were no: then the session's calls are asked. */
export class Classifier {
  readonly #classify: Classify;
  readonly #safeTools: ReadonlySet<string>;
  readonly #denials = new Map<string, number>();

  constructor(options: Classify | ClassifierOptions) {
    const { classify, safeTools = DEFAULT_SAFE_TOOLS } =
      typeof options === "function" ? { classify: options } : options;
    this.#classify = classify;
    this.#safeTools = new Set(safeTools.map(canonicalName));
  }

  /** A yes or no, or `null` when a human has to be asked. Never rejects. */
  async decide(request: PermissionRequest, call: Call, rules: readonly CompiledRule[]): Promise<Judgement | null> {
    const asEdit = judge({ ...call, mode: "acceptEdits" }, rules);
    if (asEdit.behavior === "allow") return allow("classifier", "It is what mode acceptEdits allows.");
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
    try {
      const answer = await this.#classify(request);
      return answer?.behavior ? answer : { behavior: "ask" };
    } catch {
      return { behavior: "ask" };
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
