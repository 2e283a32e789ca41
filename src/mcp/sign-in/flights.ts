import { unlessAborted } from "../../time/unless-aborted.js";

interface Flight<T> {
  readonly work: Promise<T>;
  waiting: number;
}

/** One piece of work at a time for each owner: whoever wants it meanwhile waits for the same. */
export class Flights<T> {
  readonly #underWay = new WeakMap<object, Flight<T>>();

  /** `isLeft`: work that nobody waits for any more may be begun again. It is never stopped. */
  constructor(private readonly isLeft: boolean) {}

  /** Resolves with what `begin`, or the work that is under way, resolves with. @throws what that rejects with; the signal's reason */
  async join(owner: object, signal: AbortSignal | null | undefined, begin: () => Promise<T>): Promise<T> {
    const flight = this.#underWay.get(owner) ?? this.#begin(owner, begin);
    flight.waiting++;
    try {
      return await unlessAborted(flight.work, signal);
    } finally {
      if (--flight.waiting === 0 && this.isLeft) this.#end(owner, flight);
    }
  }

  #begin(owner: object, begin: () => Promise<T>): Flight<T> {
    const flight = { work: begin(), waiting: 0 };
    this.#underWay.set(owner, flight);
    const end = () => this.#end(owner, flight);
    flight.work.then(end, end);
    return flight;
  }

  #end(owner: object, flight: Flight<T>): void {
    if (this.#underWay.get(owner) === flight) this.#underWay.delete(owner);
  }
}
