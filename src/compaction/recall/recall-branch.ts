// The entries of a session that lead to its newest one, in memory that does not grow with the session.
//
// Entries mostly follow the one before them. Only those that do not, because the session was rewound there, are noted;
// the entries between two of them stand or fall together.
import { SessionError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";

/** Sees every entry once, and then, if the session was rewound, once more. */
export class BranchFinder {
  #count = 0;
  #previous: string | null = null;
  /** The first entry of each run of entries, and the entry it follows. */
  readonly #runs: { readonly start: number; readonly parent: string | null; parentIndex: number }[] = [];

  see({ id, parent }: SessionEntry): void {
    if (this.#count === 0 || parent !== this.#previous) {
      this.#runs.push({ start: this.#count, parent, parentIndex: -1 });
    }
    this.#previous = id;
    this.#count++;
  }

  /** Whether the entries have to be read again to find where the runs go on from. */
  get wasRewound(): boolean {
    return this.#runs.length > 1;
  }

  async locate(entries: AsyncIterable<SessionEntry>): Promise<void> {
    const waiting = new Map<string, number>(
      this.#runs.flatMap(({ parent }) => (parent === null ? [] : [[parent, -1]])),
    );
    let index = 0;
    for await (const { id } of entries) {
      if (waiting.has(id)) waiting.set(id, index);
      index++;
    }
    for (const run of this.#runs) run.parentIndex = waiting.get(run.parent ?? "") ?? -1;
  }

  /** The entries on the branch, by their place in the session: spans, both ends included, newest first. */
  spans(): readonly (readonly [number, number])[] {
    const spans: [number, number][] = [];
    let end = this.#count - 1;
    for (let at = this.#runs.length - 1; at >= 0; at--) {
      const run = this.#runs[at]!;
      if (run.start > end) continue;
      spans.push([run.start, end]);
      if (run.parentIndex >= run.start) throw corrupt(run.parent);
      end = run.parentIndex;
    }
    return spans;
  }
}

function corrupt(entryId: string | null): SessionError {
  return new SessionError("SESSION_CORRUPT", {
    message: `An entry of the session follows "${entryId}", which comes after it. Restore the session.`,
  });
}
