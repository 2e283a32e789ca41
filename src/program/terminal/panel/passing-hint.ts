/** A word on a key that was just pressed, shown for a moment. */
export class PassingHint {
  #text: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onChange: () => void) {}

  get text(): string | undefined {
    return this.#text;
  }

  show(text: string, forMs: number): void {
    this.clear();
    this.#text = text;
    this.#timer = setTimeout(() => {
      this.clear();
      this.onChange();
    }, forMs);
    this.onChange();
  }

  clear(): void {
    this.#text = undefined;
    clearTimeout(this.#timer);
  }
}
