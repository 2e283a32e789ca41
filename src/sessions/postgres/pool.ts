// The part of `pg` that these stores use. The pool is handed in, so that nothing here imports the package.

/** Rows of one statement. */
export interface PostgresResult {
  // biome-ignore lint/suspicious/noExplicitAny: a row is what its statement says
  readonly rows: any[];
  readonly rowCount: number | null;
}

/** The methods that a pool and one connection of it have in common. */
export interface PostgresQueryable {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
}

/** One connection, as `pool.connect()` of `pg` resolves with. */
export interface PostgresClient extends PostgresQueryable {
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** A pool of connections: a `Pool` of the package `pg`, from 8.0.3 on. */
export interface PostgresPool extends PostgresQueryable {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
}
