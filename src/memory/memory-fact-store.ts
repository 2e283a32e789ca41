import type { Fact, FactStore } from "../contracts/fact.js";
import { byDefault, checkOptions, FUNCTION, numberFrom, type OptionTable } from "../json/check-options.js";
import { forgetIn, listFrom, recallFrom, rememberIn, updateIn } from "./fact-book.js";

/** Options of `createMemoryFactStore()`. */
export interface MemoryFactStoreOptions {
  /** Beyond it the fact updated longest ago is forgotten. Default: 5,000. */
  readonly maxFacts?: number | undefined;
  /** Unit: milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: (() => number) | undefined;
}

const OPTIONS = {
  maxFacts: byDefault(5_000, numberFrom(1, "facts", 1_000_000)),
  now: FUNCTION,
} satisfies OptionTable<MemoryFactStoreOptions>;

/** Facts in memory, gone with the process: for tests and for apps that keep them elsewhere. */
export function createMemoryFactStore(options: MemoryFactStoreOptions = {}): FactStore {
  const { maxFacts, now = Date.now } = checkOptions("createMemoryFactStore()", options, OPTIONS);
  let facts: readonly Fact[] = [];
  const keep = <T>(changed: { readonly facts: readonly Fact[]; readonly result: T }): T => {
    facts = changed.facts;
    return changed.result;
  };
  return {
    remember: async (fact) =>
      keep(rememberIn(facts, fact, { now: now(), newId: () => globalThis.crypto.randomUUID(), maxFacts })),
    recall: async (query, options) => recallFrom(facts, query, options, now()),
    forget: async (id) => keep(forgetIn(facts, id)),
    list: async (filter) => listFrom(facts, filter, now()),
    update: async (id, patch) => keep(updateIn(facts, id, patch, now())),
  };
}
