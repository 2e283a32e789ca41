import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { sessionStoreContract } from "../../src/testing/index.js";

const dir = mkdtempSync(join(tmpdir(), "loopwright-sessions-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

for (const durability of ["power", "process"] as const) {
  const makeStore = () => createFileSessionStore({ dir, durability });
  for (const c of sessionStoreContract(makeStore)) test(`${c.name} (durability: ${durability})`, c.run);
}
