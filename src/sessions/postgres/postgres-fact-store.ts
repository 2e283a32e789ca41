// Facts as rows, under the rules of the other stores: these see a whole list and say what it becomes. A change locks the row
// of its book, reads the list if somebody else has changed it, and writes the rows that differ.
import { randomUUID } from "node:crypto";
import type { Fact, FactStore } from "../../contracts/fact.js";
import { byDefault, checkOptions, FUNCTION, numberFrom, type OptionTable } from "../../json/check-options.js";
import { type Changed, forgetIn, listFrom, recallFrom, rememberIn, updateIn } from "../../memory/fact-book.js";
import { factIn } from "../../memory/fact-line.js";
import { Database, failingAs } from "./database.js";
import { POSTGRES_OPTIONS, type PostgresOptions, TENANT } from "./options.js";

/** Options of `createPostgresFactStore()`. */
export interface PostgresFactStoreOptions extends PostgresOptions {
  /** One of the tenant's collections, such as one for each user. 1 to 100 characters. Default: `"default"`. */
  readonly book?: string | undefined;
  /** Beyond it the fact updated longest ago is forgotten. Default: 5,000. */
  readonly maxFacts?: number | undefined;
  /** Unit: milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: (() => number) | undefined;
}

const OPTIONS = {
  ...POSTGRES_OPTIONS,
  book: byDefault("default", TENANT),
  maxFacts: byDefault(5_000, numberFrom(1, "facts", 1_000_000)),
  now: FUNCTION,
} satisfies OptionTable<PostgresFactStoreOptions>;

/**
 * Keeps facts in PostgreSQL, shared by processes on any number of machines. The tables are made by `migrate`.
 *
 * Changes of one book are made one after the other. What was read is kept in memory until the book changes.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 */
export function createPostgresFactStore(options: PostgresFactStoreOptions): FactStore {
  const settings = checkOptions("createPostgresFactStore()", options, OPTIONS);
  const { pool, tenant, schema, book, maxFacts, now = Date.now } = settings;
  const rows = new FactRows(new Database(pool, schema), tenant, book);
  const newId = () => randomUUID().slice(0, 13);
  return {
    remember: (fact) => rows.change((facts) => rememberIn(facts, fact, { now: now(), newId, maxFacts })),
    recall: async (query, options) => recallFrom(await rows.read(), query, options, now()),
    forget: (id) => rows.change((facts) => forgetIn(facts, id)),
    list: async (filter) => listFrom(await rows.read(), filter, now()),
    update: (id, patch) => rows.change((facts) => updateIn(facts, id, patch, now())),
  };
}

class FactRows {
  #cached: { readonly version: string; readonly facts: readonly Fact[] } = { version: "", facts: [] };

  constructor(
    private readonly database: Database,
    private readonly tenant: string,
    private readonly book: string,
  ) {}

  read(): Promise<readonly Fact[]> {
    return failingAs("SESSION_READ", `The facts of "${this.book}" could not be read`, async () => {
      const s = this.database.schema;
      const { rows } = await this.database.query(
        `SELECT version FROM ${s}.fact_books WHERE tenant = $1 AND name = $2`,
        [this.tenant, this.book],
      );
      return rows[0] ? this.#factsAt(rows[0].version) : [];
    });
  }

  change<T>(work: (facts: readonly Fact[]) => Changed<T>): Promise<T> {
    const name = randomUUID();
    const s = this.database.schema;
    const owner = [this.tenant, this.book];
    return failingAs("SESSION_WRITE", `The facts of "${this.book}" could not be changed`, async () => {
      const { result, cached } = await this.database.transaction(async (client) => {
        await client.query(`INSERT INTO ${s}.fact_books (tenant, name) VALUES ($1, $2) ON CONFLICT DO NOTHING`, owner);
        const { rows } = await client.query(
          `SELECT version, changed_by, result FROM ${s}.fact_books WHERE tenant = $1 AND name = $2 FOR UPDATE`,
          owner,
        );
        const [{ version, changed_by, result: last }] = rows;
        // This change was made, and its answer lost.
        if (changed_by === name) return { result: JSON.parse(last) as T, cached: this.#cached };
        const before = await this.#factsAt(version);
        const { facts, result } = work(before);
        await this.#write(before, facts);
        const written = await client.query(
          `UPDATE ${s}.fact_books SET version = version + 1, changed_by = $3, result = $4
           WHERE tenant = $1 AND name = $2 RETURNING version`,
          [...owner, name, JSON.stringify(result)],
        );
        return { result, cached: { version: written.rows[0].version as string, facts } };
      });
      this.#cached = cached;
      return result;
    });
  }

  async #factsAt(version: string): Promise<readonly Fact[]> {
    if (this.#cached.version === version) return this.#cached.facts;
    const { rows } = await this.database.query(
      `SELECT b.version, f.fact FROM ${this.database.schema}.fact_books b
       LEFT JOIN ${this.database.schema}.facts f ON f.tenant = b.tenant AND f.book = b.name
       WHERE b.tenant = $1 AND b.name = $2 ORDER BY f.place`,
      [this.tenant, this.book],
    );
    const facts = rows.flatMap(({ fact }) => (fact === null ? [] : (factIn(fact) ?? [])));
    // One statement, one snapshot: the version that belongs to these rows may be a newer one than was asked for.
    this.#cached = { version: rows[0]?.version ?? "", facts };
    return facts;
  }

  async #write(before: readonly Fact[], after: readonly Fact[]): Promise<void> {
    const known = new Map(before.map((fact) => [fact.id, fact]));
    const kept = new Set(after.map(({ id }) => id));
    const gone = [...known.keys()].filter((id) => !kept.has(id));
    const changed = after.filter((fact) => known.get(fact.id) !== fact);
    const table = `${this.database.schema}.facts`;
    if (gone.length > 0) {
      await this.database.query(`DELETE FROM ${table} WHERE tenant = $1 AND book = $2 AND id = ANY($3::text[])`, [
        this.tenant,
        this.book,
        gone,
      ]);
    }
    if (changed.length === 0) return;
    await this.database.query(
      `INSERT INTO ${table} (tenant, book, id, fact)
       SELECT $1, $2, item.id, item.fact FROM unnest($3::text[], $4::text[]) AS item (id, fact)
       ON CONFLICT (tenant, book, id) DO UPDATE SET fact = excluded.fact`,
      [this.tenant, this.book, changed.map(({ id }) => id), changed.map((fact) => JSON.stringify(fact))],
    );
  }
}
