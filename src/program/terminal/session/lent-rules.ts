import type { PermissionUpdate } from "../../../contracts/permission.js";

/** Rules that allow calls for one run: those of the command whose prompt it is. */
export class LentRules {
  #rules: readonly string[] = [];

  constructor(
    private readonly remember: (updates: readonly PermissionUpdate[]) => void,
    /** Whether a rule holds anyway. */
    private readonly isKept: (rule: string) => boolean,
  ) {}

  lend(rules: readonly string[]): void {
    this.#rules = rules.filter((rule) => !this.isKept(rule));
    this.#change("addRules");
  }

  /** Takes the lent rules back; those that the person has allowed meanwhile stay. */
  takeBack(): void {
    this.#rules = this.#rules.filter((rule) => !this.isKept(rule));
    this.#change("removeRules");
    this.#rules = [];
  }

  #change(type: "addRules" | "removeRules"): void {
    if (this.#rules.length === 0) return;
    this.remember([{ type, behavior: "allow", rules: [...this.#rules], destination: "session" }]);
  }
}
