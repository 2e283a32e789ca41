import type { CompiledRule } from "./rules.js";

/** Rules by what they do, each list with the strongest source first. */
export interface RuleSet {
  readonly all: readonly CompiledRule[];
  readonly deny: readonly CompiledRule[];
  readonly ask: readonly CompiledRule[];
  readonly allow: readonly CompiledRule[];
  /** The rules that deny or ask. */
  readonly limits: readonly CompiledRule[];
}

export function ruleSet(all: readonly CompiledRule[]): RuleSet {
  const those = (behavior: string) => all.filter(({ ref }) => ref.behavior === behavior);
  const limits = all.filter(({ ref }) => ref.behavior !== "allow");
  return { all, deny: those("deny"), ask: those("ask"), allow: those("allow"), limits };
}
