import type { FactStore } from "../../contracts/fact.js";
import { type ContractCase, claim, claimFailure, claimSame, within } from "../contract-case.js";

type Check = (store: FactStore) => Promise<void>;

const CASE_TIMEOUT_MS = 60_000;

/**
 * The promises of every `FactStore`. `makeStore` is called once for each case and answers an empty store.
 *
 * @example
 * for (const c of factStoreContract(() => createMemoryFactStore())) test(c.name, c.run);
 */
export function factStoreContract(makeStore: () => FactStore | Promise<FactStore>): ContractCase[] {
  return Object.entries(CASES).map(([name, check]) => ({
    name,
    run: async () => within(CASE_TIMEOUT_MS, check(await makeStore()), name),
  }));
}

const CASES: Readonly<Record<string, Check>> = {
  "an empty store lists and recalls nothing": async (store) => {
    claimSame(await store.list(), [], "facts of an empty store");
    claimSame(await store.recall("anything"), [], "what an empty store recalls");
  },

  "a remembered fact is listed whole": async (store) => {
    const source = { kind: "user", sessionId: "s1", reference: "README.md" } as const;
    const fact = await store.remember({
      text: "The build runs on Node 20.",
      subject: "node version",
      tags: ["build"],
      source,
    });
    const [listed, ...others] = await store.list();

    claimSame(fact.outcome, "added", "outcome");
    claimSame(others, [], "other facts");
    claimSame({ ...listed, outcome: "added" }, { ...fact }, "the listed fact");
    claimSame(listed?.source, source, "its source");
  },

  "the same statement is kept once": async (store) => {
    const first = await store.remember({ text: "Deploys happen on Fridays at noon." });
    const second = await store.remember({ text: "  Deploys happen on  Fridays at noon" });

    claimSame(second.outcome, "known", "outcome");
    claimSame(second.id, first.id, "its id");
    claimSame((await store.list()).length, 1, "number of facts");
  },

  "statements that are merely alike are all kept": async (store) => {
    const texts = [
      "The gateway accepts 100 requests from each client.",
      "The gateway accepts 200 requests from each client.",
      "The gateway never accepts 200 requests from each client.",
      "Customers in Europe get invoices with VAT included.",
      "Customers outside Europe get invoices with VAT included.",
      "The user is Ann.",
      "The user is vegetarian.",
      "The key is A1B2.",
      "The key is a1b2.",
      "Der Build läuft mit Node 20.",
      "Der Build läuft nicht mit Node 20.",
      "東京の顧客には請求書を送る。",
      "東京の顧客には請求書を送らない。",
    ];
    for (const text of texts) claimSame((await store.remember({ text })).outcome, "added", `outcome of "${text}"`);

    claimSame((await store.list()).map(({ text }) => text).sort(), [...texts].sort(), "facts");
  },

  "one text about two subjects is two facts": async (store) => {
    await store.remember({ text: "It is eu-west-1.", subject: "deploy region" });
    const second = await store.remember({ text: "It is eu-west-1.", subject: "backup region" });

    claimSame(second.outcome, "added", "outcome");
    claimSame((await store.list()).length, 2, "number of facts");
  },

  "a newer fact about the same subject replaces the older one and says so": async (store) => {
    const older = await store.remember({ text: "Tests run with npm test.", subject: "test command" });
    const newer = await store.remember({ text: "Tests run with pnpm test.", subject: "Test command" });
    const listed = await store.list();

    claimSame(newer.outcome, "replaced", "outcome");
    claimSame(
      newer.replaced?.map(({ id, text }) => ({ id, text })),
      [{ id: older.id, text: older.text }],
      "what it replaced",
    );
    claimSame(
      listed.map(({ id }) => id),
      [newer.id],
      "facts",
    );
  },

  "a fact is found by its words in other forms, and best first": async (store) => {
    await store.remember({ text: "Ann prefers short commit messages." });
    const wanted = await store.remember({ text: "The database is deployed to the Frankfurt region." });

    const [best] = await store.recall("where do we deploy databases");
    claimSame(best?.id, wanted.id, "the best fact");
    claim(
      (best?.score ?? 0) > 0 && (best?.matches.length ?? 0) > 0,
      "a recalled fact has a score and says what matched",
    );
  },

  "recall returns at most `limit` facts, ten by default": async (store) => {
    for (let n = 0; n < 12; n++) await store.remember({ text: `Server number ${n} is called host-${n}-alpha.` });

    claimSame((await store.recall("server")).length, 10, "facts without a limit");
    claimSame((await store.recall("server", { limit: 3 })).length, 3, "facts with a limit");
  },

  "a forgotten fact is gone, and forgetting it again is an error": async (store) => {
    const { id } = await store.remember({ text: "A secret door is behind the shelf." });
    await store.forget(id);

    claimSame(await store.list(), [], "facts");
    claimSame(await store.recall("door"), [], "recalled facts");
    await claimFailure(() => store.forget(id), "FACT_NOT_FOUND", "forgetting it again");
  },

  "an update changes what is given and nothing else": async (store) => {
    const fact = await store.remember({ text: "The office opens at eight.", tags: ["office"] });
    const changed = await store.update(fact.id, { text: "The office opens at nine." });

    claimSame(
      [changed.id, changed.text, changed.tags, changed.createdAt],
      [fact.id, "The office opens at nine.", ["office"], fact.createdAt],
      "the fact",
    );
    claim(changed.version > fact.version, "an update counts the version up");
    await claimFailure(() => store.update("nobody", { text: "x" }), "FACT_NOT_FOUND", "updating an unknown fact");
  },

  "an expired fact is neither found nor listed": async (store) => {
    await store.remember({ text: "The lift is out of order.", expiresAt: 1 });

    claimSame(await store.list(), [], "facts");
    claimSame(await store.recall("lift"), [], "recalled facts");
  },

  "text that is empty or too long is refused and changes nothing": async (store) => {
    await claimFailure(() => store.remember({ text: " \n" }), "TOOL_INPUT_INVALID", "an empty fact");
    await claimFailure(
      () => store.remember({ text: "x".repeat(2_001) }),
      "TOOL_INPUT_INVALID",
      "a fact that is too long",
    );
    claimSame(await store.list(), [], "facts");
  },

  "filters by tag, session and kind": async (store) => {
    const a = await store.remember({
      text: "Apples are red in autumn.",
      tags: ["fruit", "red"],
      source: { kind: "user", sessionId: "s1" },
    });
    const b = await store.remember({
      text: "Bananas ship from Ecuador.",
      tags: ["fruit"],
      source: { kind: "model", sessionId: "s2" },
    });
    const ids = async (filter: Parameters<FactStore["list"]>[0]) =>
      (await store.list(filter)).map(({ id }) => id).sort();

    claimSame(await ids({ tags: ["fruit"] }), [a.id, b.id].sort(), "facts with one tag");
    claimSame(await ids({ tags: ["fruit", "red"] }), [a.id], "facts with both tags");
    claimSame(await ids({ sessionId: "s2" }), [b.id], "facts of a session");
    claimSame(await ids({ kind: "user" }), [a.id], "facts of a kind");
  },

  "concurrent callers lose nothing": async (store) => {
    const facts = Array.from(
      { length: 20 },
      (_, n) => `Cabinet ${n} holds the ${["red", "blue", "green"][n % 3]} binders of room ${n}.`,
    );
    await Promise.all(facts.map((text) => store.remember({ text })));

    claimSame((await store.list()).map(({ text }) => text).sort(), [...facts].sort(), "facts");
  },

  "every script and line break survives": async (store) => {
    const texts = [
      "東京サーバーは毎晩再起動します。",
      'Zażółć gęślą jaźń – "naïve" 😀',
      "two\nlines\tand a tab",
      "\u202eright to left",
    ];
    for (const text of texts) await store.remember({ text });

    claimSame((await store.list()).map(({ text }) => text).sort(), [...texts].sort(), "texts");
    claimSame((await store.recall("サーバー"))[0]?.text, texts[0], "the fact found by a Japanese word");
  },
};
