import type { AddedRules } from "../../contracts/permission.js";
import { BEHAVIORS, type CompiledRule, compileRule, type RuleDirectories } from "./rules.js";

/** Lists of added rules that are kept compiled; an agent's skills change seldom. */
const MAX_KEPT = 100;

/**
 * Compiles the rules that requests bring along, each list once. An allow rule that is malformed allows nothing; a malformed
 * deny or ask rule throws, so that the call it might have stopped is not run.
 */
export class AddedRuleCompiler {
  readonly #kept = new Map<string, readonly CompiledRule[]>();

  constructor(readonly directories: RuleDirectories) {}

  /** @throws ConfigurationError `OPTION_INVALID` for a malformed deny or ask rule */
  compile(added: AddedRules): readonly CompiledRule[] {
    const key = JSON.stringify(BEHAVIORS.map((behavior) => added[behavior] ?? []));
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const compiled = BEHAVIORS.flatMap((behavior) =>
      (added[behavior] ?? []).flatMap((rule) => {
        try {
          return compileRule({ rule, behavior, source: "command" }, this.directories);
        } catch (error) {
          if (behavior === "allow") return [];
          throw error;
        }
      }),
    );
    this.#kept.set(key, compiled);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return compiled;
  }
}
