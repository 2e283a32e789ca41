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
  /**
   * Its length is what it once held: an array that is popped to its end gives its memory back, to ask for it again. It begins
   * with one place, since an empty array that grows takes memory for seventeen.
   */
  readonly #items: (T | undefined)[] = [undefined];
  #size = 0;

  add(item: T): void {
    item.place = this.#size++;
    this.#items[item.place] = item;
  }

  /** `false`: it was not in the set. */
  delete(item: T): boolean {
    const { place } = item;
    if (this.#items[place] !== item) return false;
    const last = this.#items[--this.#size]!;
    this.#items[place] = last;
    last.place = place;
    this.#items[this.#size] = undefined;
    return true;
  }

  get size(): number {
    return this.#size;
  }

  /** The items as they are now. */
  items(): T[] {
    return this.#items.slice(0, this.#size) as T[];
  }

  clear(): void {
    this.#items.length = 0;
    this.#size = 0;
  }
}
