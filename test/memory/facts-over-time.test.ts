import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFileFactStore, createMemoryFactStore } from "../../src/memory/index.js";
import { runs } from "../runs.js";

async function temporary(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "facts-over-time-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

describe.each([
  ["a store in memory", async (now: () => number) => createMemoryFactStore({ now })],
  ["a store in a file", async (now: () => number) => createFileFactStore({ dir: await temporary(), now })],
])("%s", (_, open) => {
  /** A store, and its clock. */
  async function opened() {
    const clock = { now: 1_000 };
    return { clock, store: await open(() => clock.now) };
  }

  test("a fact is there until the moment at which it expires, and not at that moment", async () => {
    const { clock, store } = await opened();
    await store.remember({ text: "The lift is out of order.", expiresAt: 2_000 });

    clock.now = 1_999;
    expect([await store.list(), await store.recall("lift")]).toMatchObject([{ length: 1 }, { length: 1 }]);
    clock.now = 2_000;
    expect([await store.list(), await store.recall("lift")]).toEqual([[], []]);
  });

  test("what an expired fact said is remembered as new, and replaces nothing", async () => {
    const { clock, store } = await opened();
    const old = await store.remember({ text: "The lift is out of order.", subject: "lift", expiresAt: 2_000 });
    clock.now = 3_000;

    const again = await store.remember({ text: "The lift is out of order.", subject: "lift" });

    expect(again).toMatchObject({ outcome: "added", version: 1, createdAt: 3_000 });
    expect(again.id).not.toBe(old.id);
    expect(again.replaced).toBeUndefined();
    expect(await store.list()).toHaveLength(1);
  });

  test("a fact that is remembered again takes the newer expiry and keeps every tag", async () => {
    const { clock, store } = await opened();
    await store.remember({ text: "Ann is on call.", expiresAt: 2_000, tags: ["ann"] });
    await store.remember({ text: "Ann is on call.", expiresAt: 5_000, tags: ["on call"] });
    await store.remember({ text: "Ann is on call." });
    clock.now = 4_999;

    expect(await store.list()).toMatchObject([{ expiresAt: 5_000, tags: ["ann", "on call"], version: 3 }]);
  });

  test("of what a fact has replaced the newest five are kept, the newest last", async () => {
    const { clock, store } = await opened();
    for (let version = 1; version <= 8; version++) {
      clock.now += 1;
      await store.remember({ text: `The release is ${version}.0.`, subject: "release" });
    }

    const [fact] = await store.list();

    expect(fact?.replaced?.map(({ text }) => text)).toEqual([3, 4, 5, 6, 7].map((each) => `The release is ${each}.0.`));
    expect(fact?.replaced?.map(({ at }) => at)).toEqual([1_004, 1_005, 1_006, 1_007, 1_008]);
  });

  test("a fact replaces every other one of its subject", async () => {
    const { store } = await opened();
    const first = await store.remember({ text: "The host is heron.", subject: "host" });
    const second = await store.remember({ text: "The host is osprey.", subject: "old host" });
    await store.update(second.id, { subject: "host" });

    const third = await store.remember({ text: "The host is kestrel.", subject: "HOST" });

    expect((await store.list()).map(({ id }) => id)).toEqual([third.id]);
    expect(third.replaced?.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  });

  test("of facts that match alike the one updated last is found first", async () => {
    const { clock, store } = await opened();
    const [a, b] = [
      await store.remember({ text: "The red door is open." }),
      await store.remember({ text: "The red gate is open." }),
    ];
    for (const newest of [a, b, a]) {
      clock.now += 1;
      await store.update(newest.id, { tags: [] });
      expect((await store.recall("red"))[0]?.id).toBe(newest.id);
    }
  });

  test("a text is the same in whichever form its letters are written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[äöüéñçåÅøřŽ가각]{1,20}$/u), async (word) => {
        const { store } = await opened();
        await store.remember({ text: `${word} lives here.`, subject: word });

        const same = await store.remember({ text: `${word} lives here.`.normalize("NFD") });
        const newer = await store.remember({ text: `${word} has moved.`, subject: word.normalize("NFD") });

        expect([same.outcome, newer.outcome]).toEqual(["known", "replaced"]);
      }),
      { numRuns: runs(3, 10, 100) },
    );
  });

  test("a text may have 2,000 characters in any script", async () => {
    const { store } = await opened();
    for (const letter of ["é", "東"])
      expect((await store.remember({ text: letter.repeat(2_000) })).outcome).toBe("added");
    await expect(store.remember({ text: "東".repeat(2_001) })).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  });
});
