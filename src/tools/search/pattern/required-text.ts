/**
 * The longest text that every match of a pattern holds, as far as its runs of plain characters show: a quick test for
 * what cannot match. Fed with the pattern piece by piece.
 */
export class RequiredText {
  #longest = "";
  #row = "";
  #hasAlternatives = false;

  /** The next character of the pattern, outside groups. */
  add(character: string): void {
    this.#row += character;
    this.#keep(this.#row.slice(0, -character.length));
  }

  /** Something else comes next. */
  end(): void {
    this.#keep(this.#row);
    this.#row = "";
  }

  /** A quantifier comes next: the last character may be missing. */
  dropLast(): void {
    this.#row = "";
  }

  /** The pattern matches in another way, too. */
  alternate(): void {
    this.#hasAlternatives = true;
  }

  /** `null` when there is not one. */
  get text(): string | null {
    this.#keep(this.#row);
    return this.#hasAlternatives || this.#longest === "" ? null : this.#longest;
  }

  #keep(text: string): void {
    if (text.length > this.#longest.length) this.#longest = text;
  }
}
