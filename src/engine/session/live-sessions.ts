// An engine's memory of its sessions between their runs, in this process only: what an ended run's tools still hold, the
// sub-agents that a view shows, whose end has not been announced to hooks yet, and what the store has not answered.

import type { EngineConfig } from "../options/options.js";
import { ClaimTable } from "../run/claims.js";
import { fireOutsideRuns } from "../run/hooks/hooks-outside-runs.js";
import { Roster } from "../run/roster.js";

/** Sessions whose sub-agents are remembered; the oldest are forgotten first. */
const MAX_ROSTERS = 1_000;

export class LiveSessions {
  /** The claims that tools of an earlier run still hold in each session, so that the next run's tools wait for them. */
  readonly #claims = new Map<string, ClaimTable>();
  /** The claims of calls that the host makes outside any session. */
  #hostClaims: ClaimTable | undefined;
  /** The sub-agents of each session that had any. */
  readonly #rosters = new Map<string, Roster>();
  /** Sessions that had a run and have not ended, where hooks want to know of their end. */
  readonly #begun = new Set<string>();

  /** Sessions whose last run has ended before the store had answered all of it. */
  readonly #held = new Map<string, Promise<void>>();

  constructor(private readonly config: EngineConfig) {}

  claimsOf(sessionId: string): ClaimTable {
    return getOrMake(this.#claims, sessionId, () => new ClaimTable());
  }

  claimsOfHost(): ClaimTable {
    this.#hostClaims ??= new ClaimTable();
    return this.#hostClaims;
  }

  rosterOf(sessionId: string): Roster {
    return getOrMake(this.#rosters, sessionId, () => new Roster());
  }

  findRoster(sessionId: string): Roster | undefined {
    return this.#rosters.get(sessionId);
  }

  /** Until `settled`, no run may use the session. */
  hold(sessionId: string, settled: Promise<void>): void {
    this.#held.set(sessionId, settled);
    void settled.then(() => this.#held.delete(sessionId));
  }

  isHeld(sessionId: string): boolean {
    return this.#held.has(sessionId);
  }

  /** A session has a run: its end will be announced to hooks. */
  begin(sessionId: string): void {
    if (this.config.hooks?.has("SessionEnd")) this.#begun.add(sessionId);
  }

  /** A run has left nothing behind, and no other one is under way in its session: little is kept of it. */
  rest(sessionId: string, isRunning: (sessionId: string) => boolean): void {
    this.#claims.delete(sessionId);
    if (this.#rosters.get(sessionId)?.isEmpty) this.#rosters.delete(sessionId);
    for (const each of this.#rosters.keys()) {
      if (this.#rosters.size <= MAX_ROSTERS) break;
      if (!isRunning(each)) this.#rosters.delete(each);
    }
  }

  /** Announces the end of one session. */
  async end(sessionId: string): Promise<void> {
    this.#begun.delete(sessionId);
    this.#rosters.delete(sessionId);
    await this.#announceEnd(sessionId);
  }

  /** Announces the end of every session that had a run. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#begun].map((sessionId) => this.#announceEnd(sessionId)));
    this.#begun.clear();
  }

  async #announceEnd(sessionId: string): Promise<void> {
    await fireOutsideRuns(this.config, "SessionEnd", sessionId, { reason: "other" }, "other");
  }
}

function getOrMake<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}
