import {
  byDefault,
  type OptionRule,
  type OptionTable,
  optionOf,
  required,
  withMethods,
} from "../../json/check-options.js";
import type { PostgresPool } from "./pool.js";

/** Options of every store on PostgreSQL. */
export interface PostgresOptions {
  /** A `Pool` of the package `pg`. It stays the caller's, who ends it. */
  readonly pool: PostgresPool;
  /**
   * The owner of the data. What is kept for one tenant cannot be read, listed, changed or deleted through a store of another.
   * 1 to 100 characters. Default: `"default"`.
   */
  readonly tenant?: string | undefined;
  /** The schema of the tables, as given to `migrate`. Default: `"loopwright"`. */
  readonly schema?: string | undefined;
}

export const POOL: OptionRule = required(withMethods("query", "connect", "on"));
export const SCHEMA = byDefault(
  "loopwright",
  optionOf(
    (value) => typeof value === "string" && /^[a-z_][a-z0-9_]{0,50}$/.test(value),
    "the name of a schema: lower-case letters, digits and underscores, at most 51",
  ),
);
export const TENANT = optionOf(
  (value) => typeof value === "string" && value.length >= 1 && value.length <= 100 && isStorable(value),
  "a name of 1 to 100 characters",
);

export const POSTGRES_OPTIONS = {
  pool: POOL,
  tenant: byDefault("default", TENANT),
  schema: SCHEMA,
} satisfies OptionTable<PostgresOptions>;

/** Whether PostgreSQL keeps a string as it is: it has no NUL, and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
