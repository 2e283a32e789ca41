import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileFactStore, createMemoryFactStore } from "../../src/memory/index.js";

const FACT = { text: "The deploy key is in the vault." };

async function stores() {
  const dir = await mkdtemp(join(tmpdir(), "fact-book-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const both = [createMemoryFactStore(), createFileFactStore({ dir })];
  for (const store of both) await store.remember(FACT);
  return both;
}

test.each([
  [undefined, {}, '"query" of facts.recall() is missing'],
  ["deploy", { limit: Number.NaN }, '"limit" of facts.recall() is NaN'],
  ["deploy", { limit: -1 }, '"limit" of facts.recall() is -1'],
  ["deploy", { limits: 1 }, 'no option "limits". Did you mean "limit"?'],
])("recall(%o, %o) is refused", async (query, options, message) => {
  const refusal = { code: "OPTION_INVALID", message: expect.stringContaining(message) };

  for (const store of await stores())
    await expect(store.recall(query as string, options as object)).rejects.toMatchObject(refusal);
});

test("as many facts are recalled as there are, or none, when that is asked for", async () => {
  for (const store of await stores()) {
    expect(await store.recall("deploy", { limit: Number.POSITIVE_INFINITY })).toMatchObject([FACT]);
    expect(await store.recall("deploy", { limit: 0 })).toEqual([]);
  }
});

test.each([
  [{ tag: "x" }, 'no option "tag". Did you mean "tags"?'],
  [{ tags: "x" }, '"tags" of facts.list() is "x"'],
  [{ kind: "robot" }, '"kind" of facts.list() is "robot"'],
])("list(%o) is refused", async (filter, message) => {
  const refusal = { code: "OPTION_INVALID", message: expect.stringContaining(message) };

  for (const store of await stores()) await expect(store.list(filter as object)).rejects.toMatchObject(refusal);
});

test.each([
  ["a string", "it is string"],
  [undefined, "it is nothing"],
  [5, "it is number"],
])("remember(%o) says what a fact is", async (fact, message) => {
  const refusal = { code: "TOOL_INPUT_INVALID", message: expect.stringContaining(message) };

  for (const store of await stores()) await expect(store.remember(fact as never)).rejects.toMatchObject(refusal);
});
