// A process that is killed at an append of its store, and the sessions and effects that outlive it.
import fc from "fast-check";
import type { Answer, RunResult, SessionEntry, SessionStore } from "../../src/index.js";
import { answersTo, type Outside } from "./composed-calls.js";

const MAX_LIVES = 40;

/** Where a life ends: at the n-th append, before or after the store has it; 0 is never. */
export interface Cut {
  readonly at: number;
  readonly isKept: boolean;
}

/** Sessions that outlive a process, and the store of one that dies at `cut`: nothing it waits for comes any more. */
export class Mortal {
  readonly lines: string[] = [];
  readonly #sessions = new Map<string, SessionEntry[]>();

  life({ at, isKept }: Cut): { store: SessionStore; outside: Outside; death: Promise<null> } {
    let appends = 0;
    let isDead = false;
    let die!: () => void;
    const death = new Promise<null>((resolve) => {
      die = () => {
        isDead = true;
        resolve(null);
      };
    });
    const never = new Promise<never>(() => {});
    const entriesOf = (id: string) => this.#sessions.get(id) ?? [];
    const store: SessionStore = {
      append: async (id, entries) => {
        const isLast = ++appends === at;
        if (isDead) return never;
        if (!isLast || isKept) this.#sessions.set(id, [...entriesOf(id), ...entries]);
        if (!isLast) return;
        die();
        return never;
      },
      async *read(id) {
        yield* [...entriesOf(id)];
      },
      lock: async () => async () => {},
      async *list() {},
      delete: async () => {},
    };
    const outside: Outside = {
      moment: () => (isDead ? never : Promise.resolve()),
      note: (line) => {
        if (!isDead) this.lines.push(line);
      },
    };
    return { store, outside, death };
  }

  /** Lives, is killed at each cut in turn and lives again, to its end; `null` if it still waits for answers after many lives. */
  async livesThrough(
    cuts: readonly Cut[],
    yes: number,
    live: (store: SessionStore, outside: Outside, answers: readonly Answer[]) => Promise<RunResult>,
  ): Promise<RunResult | null> {
    let answers: Answer[] = [];
    for (let lives = 0; lives < MAX_LIVES; lives++) {
      const { store, outside, death } = this.life(cuts[lives] ?? { at: 0, isKept: true });
      const result = await Promise.race([live(store, outside, answers), death]);
      if (result === null) continue;
      if (result.status !== "needs-approval") return result;
      answers = answersTo(result.pending, yes + lives);
      for (const [index, answer] of answers.entries())
        if ("decision" in answer && answer.decision === "allow")
          this.lines.push(`allow ${result.pending[index]!.toolCallId}`);
    }
    return null;
  }
}

export const cut: fc.Arbitrary<Cut> = fc.record({ at: fc.integer({ min: 1, max: 25 }), isKept: fc.boolean() });
