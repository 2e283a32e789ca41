import type { AddedRules, RuleRef } from "../../contracts/permission.js";
import type { RuleDirectories } from "./path-pattern.js";
import { BEHAVIORS, type CompiledRule, compileRule } from "./rules.js";

/** The rules of an agent's skills, and those suggested for the same command again and again, change seldom. */
const MAX_KEPT = 1_000;

/** Compiles rules that come and go, and keeps the last ones. */
export class RuleCompiler {
  readonly directories: RuleDirectories;
  readonly #kept = new Map<string, CompiledRule>();

  constructor(directories: RuleDirectories) {
    this.directories = directories;
  }

  /** @throws ConfigurationError `OPTION_INVALID` for a malformed rule */
  compile(ref: RuleRef): CompiledRule {
    const key = `${ref.behavior} ${ref.source} ${ref.rule}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const compiled = compileRule(ref, this.directories);
    this.#kept.set(key, compiled);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return compiled;
  }

  /**
   * The rules that a request brings along. An allow rule that is malformed allows nothing; a malformed deny or ask rule
   * throws, so that the call it might have stopped is not run.
   */
  compileAdded(added: AddedRules): readonly CompiledRule[] {
    return BEHAVIORS.flatMap((behavior) =>
      (added[behavior] ?? []).flatMap((rule) => {
        try {
          return this.compile({ rule, behavior, source: "command" });
        } catch (error) {
          if (behavior === "allow") return [];
          throw error;
        }
      }),
    );
  }
}
