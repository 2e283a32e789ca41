/** Something that knows its place in the bag that holds it. */
export interface Bagged {
  place: number;
}

/**
 * A set without an order whose items know where they are.
 *
 * A `Set` makes itself a new table nearly every time its last item leaves it, and most of an engine's sets hold one
 * item at a time, for a moment. An item is in one bag at most.
 */
export class Bag<T extends Bagged> {
  readonly #items: T[] = [];

  add(item: T): void {
    item.place = this.#items.length;
    this.#items.push(item);
  }

  /** `false`: it was not in the bag. */
  delete(item: T): boolean {
    const { place } = item;
    if (this.#items[place] !== item) return false;
    const last = this.#items.pop()!;
    if (last !== item) this.#items[place] = last;
    last.place = place;
    return true;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The items as they are now. */
  items(): T[] {
    return this.#items.slice();
  }

  clear(): void {
    this.#items.length = 0;
  }
}
