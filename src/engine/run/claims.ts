import type { ResourceClaim } from "../../contracts/tool.js";
import { EVERYTHING, NO_CLAIMS } from "../tools/tool-defaults.js";

/** A call as the claim table sees it. */
export interface Claimant {
  /** Position in its message; calls left over from earlier messages have -1. */
  order: number;
  /** `null` until the call is gated: it then conflicts with everything. */
  claims: readonly ResourceClaim[] | null;
  /** The moment at which it may have started, counted over the calls of a table; 0 before that. */
  startedAs: number;
  /** Called once, when nothing the call must wait for is left. */
  onUnblocked: () => void;
}

const NO_KEYS = new Map<string, Set<Claimant>>();
const NOBODY = new Set<Claimant>();

/**
 * The calls that wait for each other.
 *
 * Invariant: a call proceeds only when no earlier undecided call and no earlier or running call with a conflicting
 * claim is left. Every change that can free a waiting call (a release, a decision, changed claims) looks at the
 * waiting ones again, so there is no wake-up to lose. Cost of a release: O(calls that wait).
 */
export class ClaimTable {
  // Most runs never need a set of their own: those that they begin with are everybody's, and stay empty.

  /** The one claimant that holds something, while there is only one: as nearly always, it need not be filed. */
  #sole: Claimant | null = null;
  /** Every claimant that holds something, in the order it was entered, by key. */
  #byKey = NO_KEYS;
  #holding = NOBODY;
  #waiting = NOBODY;
  #writers = 0;
  /** The calls of the current message in order; those before `#frontier` are gated or gone. */
  #message: Claimant[] = [];
  #frontier = 0;
  #starts = 0;
  /** Whether holders and waiting calls stand in message order, as they do unless a gate or an answer took its time. */
  #isOrdered = true;
  #newestOrder = -1;
  #onLeftoverGone: () => void = () => {};

  /**
   * Starts a new message. What is still held stays, as if it came before; `onLeftoverGone` is called when something of
   * that is released.
   */
  begin(onLeftoverGone: () => void = () => {}): void {
    this.#onLeftoverGone = onLeftoverGone;
    if (this.#sole) this.#sole.order = -1;
    if (this.#holding.size > 0) for (const claimant of this.#holding) claimant.order = -1;
    // The undecided calls hold nothing, but may go on, too.
    for (let at = 0; at < this.#message.length; at++) this.#message[at]!.order = -1;
    this.#isOrdered = true;
    this.#newestOrder = -1;
    this.#message = [];
    this.#frontier = 0;
  }

  /** Adds the next call of the message, undecided. */
  enter(claimant: Claimant): void {
    claimant.order = this.#message.length;
    this.#message.push(claimant);
  }

  /** Takes (or replaces) a call's claims. The call holds them until it is released. */
  decide(claimant: Claimant, claims: readonly ResourceClaim[]): void {
    if (claimant.claims) this.#forget(claimant);
    if (claimant.order <= this.#newestOrder) this.#isOrdered = false;
    else this.#newestOrder = claimant.order;
    claimant.claims = claims;
    if (claims.length > 0) this.#hold(claimant);
    this.#advance();
  }

  #hold(claimant: Claimant): void {
    if (!this.#sole && this.#holding.size === 0) {
      this.#sole = claimant;
      return;
    }
    const first = this.#sole;
    this.#sole = null;
    if (first) this.#file(first);
    this.#file(claimant);
  }

  #file(claimant: Claimant): void {
    if (this.#holding === NOBODY) this.#holding = new Set();
    this.#holding.add(claimant);
    for (const { key, mode } of claimant.claims ?? NO_CLAIMS) {
      this.#keyed(key).add(claimant);
      if (mode === "write") this.#writers++;
    }
  }

  /** Whether the call may start now; it then counts as started. */
  tryProceed(claimant: Claimant): boolean {
    if (this.#isBlocked(claimant)) return false;
    claimant.startedAs = ++this.#starts;
    return true;
  }

  /** Calls `onUnblocked` as soon as the call may start. */
  wait(claimant: Claimant): void {
    if (this.#waiting === NOBODY) this.#waiting = new Set();
    this.#waiting.add(claimant);
  }

  /**
   * Puts a call that runs already in the place of one that has just arrived. `false`: it must not stand there, since it
   * began before a call of this message that comes first.
   */
  replace(arrived: Claimant, running: Claimant): boolean {
    const earlier = this.#message.slice(0, arrived.order);
    if (earlier.some((other) => this.#isOvertaken(other, running))) return false;
    this.#message[arrived.order] = running;
    running.order = arrived.order;
    this.#isOrdered = false;
    this.release(arrived);
    return true;
  }

  #isOvertaken(other: Claimant, { startedAs, claims }: Claimant): boolean {
    if (startedAs === 0 || (other.startedAs > 0 && other.startedAs < startedAs)) return false;
    const holds = other === this.#sole || this.#holding.has(other);
    if (other.claims && other.startedAs === 0 && !holds) return false; // It ended without a start.
    return !other.claims || (claims ?? NO_CLAIMS).some(({ mode, key }) => overlaps(other, key, mode === "read"));
  }

  /** Keeps a call from starting, and from blocking others, until `replace` gives it a place again. */
  park(claimant: Claimant): void {
    claimant.startedAs = 0;
    claimant.order = Number.POSITIVE_INFINITY;
    this.#isOrdered = false;
  }

  /** Whether calls of earlier messages still hold something. */
  get hasLeftovers(): boolean {
    if (this.#sole) return this.#sole.order < 0;
    for (const { order } of this.#holding) if (order < 0) return true;
    return false;
  }

  /** Releases everything the call holds or waits for. Safe to call twice. */
  release(claimant: Claimant): void {
    if (this.#waiting.size > 0) this.#waiting.delete(claimant);
    this.#forget(claimant);
    claimant.claims ??= NO_CLAIMS;
    this.#advance();
    if (claimant.order < 0) this.#onLeftoverGone();
  }

  #advance(): void {
    while (this.#message[this.#frontier]?.claims) this.#frontier++;
    if (this.#waiting.size > 0) this.#startWaiting();
  }

  #startWaiting(): void {
    // Each call after a waiting one that writes everything waits for that one.
    let wall = Number.POSITIVE_INFINITY;
    for (const claimant of this.#waiting) {
      if (claimant.order > wall) {
        if (this.#isOrdered) break;
        continue;
      }
      if (this.tryProceed(claimant)) {
        this.#waiting.delete(claimant);
        claimant.onUnblocked();
      } else if (claimant.claims?.some(({ mode, key }) => mode === "write" && key === EVERYTHING)) {
        wall = claimant.order;
      }
    }
  }

  #isBlocked(claimant: Claimant): boolean {
    if (this.#frontier < claimant.order) return true;
    return this.#sole !== claimant && this.#meetsOther(claimant);
  }

  #meetsOther(claimant: Claimant): boolean {
    for (const claim of claimant.claims ?? NO_CLAIMS) {
      if (claim.mode === "read" && this.#writers === 0) continue;
      if (claim.key === EVERYTHING) {
        if (this.#conflicts(claimant, claim, this.#holding)) return true;
        continue;
      }
      if (this.#conflicts(claimant, claim, this.#byKey.get(claim.key))) return true;
      if (this.#conflicts(claimant, claim, this.#byKey.get(EVERYTHING))) return true;
    }
    return false;
  }

  #keyed(key: string): Set<Claimant> {
    const claimants = this.#byKey.get(key) ?? new Set();
    if (this.#byKey === NO_KEYS) this.#byKey = new Map();
    this.#byKey.set(key, claimants);
    return claimants;
  }

  #forget(claimant: Claimant): void {
    if (this.#sole === claimant) {
      this.#sole = null;
      return;
    }
    if (this.#holding.delete(claimant)) this.#unfile(claimant);
  }

  #unfile(claimant: Claimant): void {
    for (const { key, mode } of claimant.claims ?? NO_CLAIMS) {
      const claimants = this.#byKey.get(key);
      claimants?.delete(claimant);
      if (claimants?.size === 0) this.#byKey.delete(key);
      if (mode === "write") this.#writers--;
    }
  }

  #conflicts(claimant: Claimant, claim: ResourceClaim, others: Iterable<Claimant> | undefined): boolean {
    if (!others) return false;
    for (const other of others) {
      // In order, nothing that comes later can have started before a call it conflicts with.
      if (this.#isOrdered && other.order > claimant.order) return false;
      if (other === claimant || !(other.order < claimant.order || other.startedAs > 0)) continue;
      if (overlaps(other, claim.key, claim.mode === "read")) return true;
    }
    return false;
  }
}

function overlaps(other: Claimant, key: string, writesOnly: boolean): boolean {
  return (other.claims ?? NO_CLAIMS).some(
    (held) =>
      (!writesOnly || held.mode === "write") && (key === EVERYTHING || held.key === EVERYTHING || held.key === key),
  );
}

/**
 * The limit of tools of a run that are at work at once. First come, first served.
 *
 * Counted by hand: a queue with a promise for each job costs more than the rest of a call's way through the engine,
 * and nearly every call finds a slot free.
 */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot if one is free. */
  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Calls `granted` when a slot is taken on the caller's behalf. Returns what leaves the queue. */
  wait(granted: () => void): () => void {
    this.#waiting.push(granted);
    return () => {
      const at = this.#waiting.indexOf(granted);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  /** Gives one slot back. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
