import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { createFileTaskStore, createMemoryTaskStore } from "../../src/tasks/index.js";
import { taskStoreContract } from "../../src/testing/index.js";

const root = mkdtempSync(join(tmpdir(), "loopwright-tasks-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let stores = 0;

describe("in memory", () => {
  for (const { name, run } of taskStoreContract(() => createMemoryTaskStore())) test(name, run);
});

describe("in files", () => {
  const inFiles = () => createFileTaskStore({ dir: join(root, `${++stores}`, "tasks") });
  for (const { name, run } of taskStoreContract(inFiles)) test(name, run);
});
