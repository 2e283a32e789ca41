import type { BaseTool, ResourceClaim } from "../contracts/tool.js";

/** The key that overlaps every key. */
const EVERYTHING = "*";

/** A call as the claim table sees it. */
export interface Claimant {
  /** Position in its message; calls left over from earlier messages have -1. */
  order: number;
  /** `null` until the call is decided: it then conflicts with everything. */
  claims: readonly ResourceClaim[] | null;
  started: boolean;
  /** Called once, when nothing the call must wait for is left. */
  proceed: () => void;
}

const NOTHING: readonly ResourceClaim[] = [];
const READ_EVERYTHING: readonly ResourceClaim[] = [{ mode: "read", key: EVERYTHING }];
const WRITE_EVERYTHING: readonly ResourceClaim[] = [{ mode: "write", key: EVERYTHING }];

/** What a call claims: what its tool says, else what the tool's permission implies. */
export function claimsOf(tool: BaseTool, input: unknown): readonly ResourceClaim[] {
  if (tool.claims) return tool.claims(input);
  if (tool.permission === "none") return NOTHING;
  return tool.permission === "read_only" ? READ_EVERYTHING : WRITE_EVERYTHING;
}

/**
 * Who waits for whom.
 *
 * Invariant: a call proceeds only when no earlier undecided call and no earlier or running call with a conflicting
 * claim is left. Every change that can free a waiting call (a release, a decision, changed claims) looks at the
 * waiting ones again, so there is no wake-up to lose. Cost of a release: O(calls that wait).
 */
export class ClaimTable {
  /** Every claimant that holds something, in the order it was entered, by key. */
  readonly #byKey = new Map<string, Set<Claimant>>();
  readonly #holding = new Set<Claimant>();
  readonly #waiting = new Set<Claimant>();
  #writers = 0;
  /** The calls of the current message in order; those before `#frontier` are decided or gone. */
  #message: Claimant[] = [];
  #frontier = 0;

  /** Starts a new message. What is still held stays, as if it came before. */
  begin(): void {
    for (const claimant of this.#holding) claimant.order = -1;
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
    this.#forget(claimant);
    claimant.claims = claims;
    if (claims.length > 0) this.#holding.add(claimant);
    for (const { key, mode } of claims) {
      this.#keyed(key).add(claimant);
      if (mode === "write") this.#writers++;
    }
    this.#advance();
  }

  /** Whether the call may start now; it then counts as started. */
  tryProceed(claimant: Claimant): boolean {
    if (this.#isBlocked(claimant)) return false;
    claimant.started = true;
    return true;
  }

  /** Calls `proceed` as soon as the call may start. */
  wait(claimant: Claimant): void {
    this.#waiting.add(claimant);
  }

  /** Puts a call that runs already in the place of one that has just arrived. */
  replace(arrived: Claimant, running: Claimant): void {
    this.#message[arrived.order] = running;
    running.order = arrived.order;
    this.release(arrived);
  }

  /** Lets go of everything the call holds or waits for. Safe to call twice. */
  release(claimant: Claimant): void {
    this.#waiting.delete(claimant);
    this.#forget(claimant);
    claimant.claims ??= NOTHING;
    this.#advance();
  }

  #advance(): void {
    while (this.#message[this.#frontier]?.claims) this.#frontier++;
    // Whatever comes after a waiting call that writes everything waits for that call.
    let wall = Number.POSITIVE_INFINITY;
    for (const claimant of this.#waiting) {
      if (claimant.order > wall) continue;
      if (this.tryProceed(claimant)) {
        this.#waiting.delete(claimant);
        claimant.proceed();
      } else if (claimant.claims?.some(({ mode, key }) => mode === "write" && key === EVERYTHING)) {
        wall = claimant.order;
      }
    }
  }

  #isBlocked(claimant: Claimant): boolean {
    if (this.#frontier < claimant.order) return true;
    for (const claim of claimant.claims ?? NOTHING) {
      if (claim.mode === "read" && this.#writers === 0) continue;
      if (claim.key === EVERYTHING) {
        if (conflicts(claimant, claim, this.#holding)) return true;
        continue;
      }
      if (conflicts(claimant, claim, this.#byKey.get(claim.key))) return true;
      if (conflicts(claimant, claim, this.#byKey.get(EVERYTHING))) return true;
    }
    return false;
  }

  #keyed(key: string): Set<Claimant> {
    const claimants = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, claimants);
    return claimants;
  }

  #forget(claimant: Claimant): void {
    if (!this.#holding.delete(claimant)) return;
    for (const { key, mode } of claimant.claims ?? NOTHING) {
      const claimants = this.#byKey.get(key);
      claimants?.delete(claimant);
      if (claimants?.size === 0) this.#byKey.delete(key);
      if (mode === "write") this.#writers--;
    }
  }
}

function conflicts(claimant: Claimant, claim: ResourceClaim, others: Iterable<Claimant> | undefined): boolean {
  if (!others) return false;
  for (const other of others) {
    if (other === claimant || !(other.order < claimant.order || other.started)) continue;
    if (overlaps(other, claim.key, claim.mode === "read")) return true;
  }
  return false;
}

function overlaps(other: Claimant, key: string, writesOnly: boolean): boolean {
  return (other.claims ?? NOTHING).some(
    (held) =>
      (!writesOnly || held.mode === "write") && (key === EVERYTHING || held.key === EVERYTHING || held.key === key),
  );
}
