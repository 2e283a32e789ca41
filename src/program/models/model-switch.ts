// The model in use as one provider. What was made with it, such as the summaries of a compaction, follows every switch.
import type { ProviderAdapter } from "../../contracts/provider.js";

/** A provider that another one can take the place of. */
export interface ModelSwitch {
  /** Is in every way the provider that is in use. */
  readonly provider: ProviderAdapter;
  use(provider: ProviderAdapter): void;
}

export function createModelSwitch(first: ProviderAdapter): ModelSwitch {
  let current = first;
  const provider = new Proxy({} as ProviderAdapter, {
    get(_, name) {
      const value: unknown = Reflect.get(current, name, current);
      return typeof value === "function" ? value.bind(current) : value;
    },
    has: (_, name) => Reflect.has(current, name),
  });
  return {
    provider,
    use(next) {
      current = next;
    },
  };
}
