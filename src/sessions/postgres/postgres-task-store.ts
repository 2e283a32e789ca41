import type { TaskStore } from "../../contracts/task.js";
import { byDefault, checkOptions, type OptionTable } from "../../json/check-options.js";
import { ShelfTaskStore } from "../../tasks/shelf-task-store.js";
import { Database } from "./database.js";
import { POSTGRES_OPTIONS, type PostgresOptions, TENANT } from "./options.js";
import { PostgresTaskShelf } from "./postgres-task-shelf.js";

/** Options of `createPostgresTaskStore()`. */
export interface PostgresTaskStoreOptions extends PostgresOptions {
  /** One of the tenant's lists. Tasks of two lists know nothing of each other. 1 to 100 characters. Default: `"default"`. */
  readonly list?: string | undefined;
}

const OPTIONS = {
  ...POSTGRES_OPTIONS,
  list: byDefault("default", TENANT),
} satisfies OptionTable<PostgresTaskStoreOptions>;

/**
 * Keeps tasks in PostgreSQL, shared by agents on any number of machines. The tables are made by `migrate`.
 *
 * Each change is one transaction under the lock of the task's row. Leases are measured by the server's clock. Watchers see
 * the changes of other processes within about half a second.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 */
export function createPostgresTaskStore(options: PostgresTaskStoreOptions): TaskStore {
  const { pool, tenant, schema, list } = checkOptions("createPostgresTaskStore()", options, OPTIONS);
  return new ShelfTaskStore(new PostgresTaskShelf(new Database(pool, schema), tenant, list));
}
