// The holder of locks, and its expiry: one row for all locks of a store, renewed while it has some. A holder that does not renew
// it, because its process has died, was paused or lost the network, can be relieved of its locks. What it does afterwards
// is refused all the same: each lock has a number (its fence) that an append must name.
import { randomUUID } from "node:crypto";
import type { Database } from "./database.js";

export class LockHolder {
  readonly id = randomUUID();
  #locks = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly leaseMs: number,
  ) {}

  /** Before a lock is taken: from here on the holder counts as alive. */
  async enter(): Promise<void> {
    this.#locks++;
    this.#timer ??= setInterval(() => void this.#renew().catch(() => {}), this.leaseMs / 3).unref();
    try {
      if (performance.now() - this.#renewedAt > this.leaseMs / 3) await this.#renew();
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** After a lock was given back, or was not taken. The row stays until it is over. */
  leave(): void {
    if (--this.#locks > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#write().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #write(): Promise<void> {
    const { database, id, leaseMs } = this;
    const startedAt = performance.now();
    await database.query(
      `WITH over AS (DELETE FROM ${database.schema}.lock_holders WHERE alive_until < now() - interval '1 day')
       INSERT INTO ${database.schema}.lock_holders (id, alive_until) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
       ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
      [id, leaseMs],
    );
    this.#renewedAt = startedAt;
  }
}
