import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionStore } from "../../../src/contracts/session.js";
import { readListFilter } from "../../../src/engine/transcript/list-filter.js";
import { createFileSessionStore, createMemorySessionStore } from "../../../src/sessions/index.js";

test("without a filter everything is listed; a negative limit lists nothing", () => {
  expect(readListFilter()).toEqual({ prefix: "", limit: Number.POSITIVE_INFINITY });
  expect(readListFilter({ prefix: "a", limit: -1 })).toEqual({ prefix: "a", limit: 0 });
});

test.each([
  [{ limit: Number.NaN }, '"limit" of sessions.list() is NaN'],
  [{ limit: "1" }, '"limit" of sessions.list() is "1"'],
  [{ prefix: 1 }, '"prefix" of sessions.list() is 1'],
  [{ limits: 1 }, 'no option "limits". Did you mean "limit"?'],
])("the stores refuse %o in words", async (filter, message) => {
  const dir = await mkdtemp(join(tmpdir(), "list-filter-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));

  for (const store of [createMemorySessionStore(), createFileSessionStore({ dir })]) {
    const refusal = { code: "OPTION_INVALID", message: expect.stringContaining(message) };
    await expect(firstOf(store, filter)).rejects.toMatchObject(refusal);
  }
});

async function firstOf(store: SessionStore, filter: object): Promise<unknown> {
  for await (const info of store.list(filter)) return info;
  return undefined;
}
