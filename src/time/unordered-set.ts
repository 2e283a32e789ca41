/** Something that knows its place in the set that holds it. */
export interface UnorderedItem {
  place: number;
}

/**
 * A set without an order, whose items know their place in it.
 *
 * A `Set` allocates a new table nearly every time its last item leaves it, and most sets of an engine hold one item at a
 * time, for a moment. An item is in one set at most.
 */
export class UnorderedSet<T extends UnorderedItem> {
  readonly #items: T[] = [];

  add(item: T): void {
    item.place = this.#items.length;
    this.#items.push(item);
  }

  /** `false`: it was not in the set. */
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
