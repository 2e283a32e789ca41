import type { UsageStore } from "../../contracts/usage.js";
import { type ContractCase, claimSame, within } from "../contract-case.js";

const CASE_TIMEOUT_MS = 60_000;
const TODAY = { from: 86_400_000, until: 172_800_000 };
const TOMORROW = { from: TODAY.until, until: TODAY.until + 86_400_000 };
const NOTHING = { tokens: 0, costUsd: 0 };

/**
 * The promises of every `UsageStore`. `makeStore` is called once for each case and answers an empty store.
 *
 * @example
 * for (const c of usageStoreContract(() => createUsageStore())) test(c.name, c.run);
 */
export function usageStoreContract(makeStore: () => UsageStore | Promise<UsageStore>): ContractCase[] {
  return Object.entries(CASES).map(([name, check]) => ({
    name,
    run: async () => within(CASE_TIMEOUT_MS, check(await makeStore()), name),
  }));
}

const CASES: Readonly<Record<string, (store: UsageStore) => Promise<void>>> = {
  "a user who has used nothing has zeros": async (store) => {
    claimSame(await store.read("ann", TODAY), NOTHING, "the sum");
  },

  "what is added is summed up": async (store) => {
    claimSame(
      await store.add("ann", TODAY, { tokens: 10, costUsd: 0.5 }),
      { tokens: 10, costUsd: 0.5 },
      "the first sum",
    );
    const sum = { tokens: 15, costUsd: 0.75 };
    claimSame(await store.add("ann", TODAY, { tokens: 5, costUsd: 0.25 }), sum, "the second sum");
    claimSame(await store.read("ann", TODAY), sum, "what is read");
  },

  "users and periods are counted apart": async (store) => {
    await store.add("ann", TODAY, { tokens: 1, costUsd: 0 });
    await store.add("bob", TODAY, { tokens: 2, costUsd: 0 });
    await store.add("ann", { ...TODAY, until: TODAY.until + 1 }, { tokens: 3, costUsd: 0 });
    const tokens = async (user: string, period = TODAY) => (await store.read(user, period)).tokens;
    claimSame(await tokens("ann"), 1, "the user's");
    claimSame(await tokens("bob"), 2, "another user's");
    claimSame(await tokens("eve"), 0, "a user's who has used nothing");
    claimSame(await tokens("ann", TOMORROW), 0, "the next period's");

    // A store may forget a period that is over.
    await store.add("ann", TOMORROW, { tokens: 4, costUsd: 0 });
    claimSame(await tokens("ann", TOMORROW), 4, "the next period's, which has begun");
  },

  "any string can be a user": async (store) => {
    const users = ["", " ", "ann bob", "ann' OR 1=1", "été 😀", "a".repeat(500)];
    for (const [index, user] of users.entries()) await store.add(user, TODAY, { tokens: index + 1, costUsd: 0 });

    const sums = await Promise.all(users.map((user) => store.read(user, TODAY)));
    claimSame(
      sums.map(({ tokens }) => tokens),
      users.map((_, index) => index + 1),
      "the sums",
    );
  },

  "additions at the same time all count": async (store) => {
    await Promise.all(Array.from({ length: 50 }, () => store.add("ann", TODAY, { tokens: 2, costUsd: 0.5 })));

    claimSame(await store.read("ann", TODAY), { tokens: 100, costUsd: 25 }, "the sum");
  },
};
