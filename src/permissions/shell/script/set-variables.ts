/** The variables that are surely set at the place where a script is being read. The others may be empty there. */
export class SetVariables {
  readonly #names: string[] = [];
  /** The script may take any of them away again. */
  mayUnset = false;

  has(name: string): boolean {
    return !this.mayUnset && this.#names.includes(name);
  }

  add(name: string): void {
    if (!this.#names.includes(name)) this.#names.push(name);
  }

  /** For a part that may not run, or that runs in a shell of its own: what it sets counts only inside of it. */
  within<Result>(part: () => Result): Result {
    const before = this.#names.length;
    try {
      return part();
    } finally {
      this.#names.length = before;
    }
  }

  /** For a function: where it is called is not followed. */
  withNone<Result>(part: () => Result): Result {
    const names = this.#names.splice(0);
    try {
      return part();
    } finally {
      this.#names.splice(0, this.#names.length, ...names);
    }
  }
}
