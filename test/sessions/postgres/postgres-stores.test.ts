import { afterAll, describe, test } from "vitest";
import {
  createPostgresFactStore,
  createPostgresSessionStore,
  createPostgresTaskStore,
  createPostgresUsageStore,
} from "../../../src/sessions/postgres/index.js";
import {
  factStoreContract,
  sessionStoreContract,
  taskStoreContract,
  usageStoreContract,
} from "../../../src/testing/index.js";
import { testDatabase } from "../../postgres/kit.js";

const database = await testDatabase();
const { pool } = database;
afterAll(() => database.close());
let made = 0;
const fresh = () => `n${++made}`;

describe("sessions", () => {
  for (const { name, run } of sessionStoreContract(() => createPostgresSessionStore({ pool }))) test(name, run);
});

describe("tasks", () => {
  for (const { name, run } of taskStoreContract(() => createPostgresTaskStore({ pool, list: fresh() })))
    test(name, run);
});

describe("facts", () => {
  for (const { name, run } of factStoreContract(() => createPostgresFactStore({ pool, book: fresh() })))
    test(name, run);
});

describe("usage", () => {
  for (const { name, run } of usageStoreContract(() => createPostgresUsageStore({ pool, tenant: fresh() })))
    test(name, run);
});
