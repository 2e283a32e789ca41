// The page without a mouse.
import type { Item } from "./timeline.js";
import { changeTheme, type Toolbar, toggleHelp } from "./toolbar.js";
import type { TurnList } from "./turn-view.js";

/** Moves through the rows that are shown. */
export class Cursor {
  rows: readonly Item[] = [];
  #at = -1;

  constructor(private readonly list: TurnList) {}

  /** The rows to move through, after a search or a filter. */
  setRows(rows: readonly Item[]): void {
    const key = this.rows[this.#at]?.key;
    this.rows = rows;
    this.#at = rows.findIndex((one) => one.key === key);
  }

  move(by: number): void {
    this.go(Math.max(0, Math.min(this.rows.length - 1, this.#at + by)));
  }

  /** To the first row of the next or previous turn. */
  moveTurn(by: 1 | -1): void {
    const turnOf = (at: number) => this.rows[at]?.key.split(".")[0];
    let at = Math.max(0, this.#at);
    const here = turnOf(at);
    while (this.rows[at] && turnOf(at) === here) at += by;
    if (by < 0) while (at > 0 && turnOf(at - 1) === turnOf(at)) at--;
    this.go(Math.max(0, Math.min(this.rows.length - 1, at)));
  }

  go(at: number): void {
    const item = this.rows[at];
    if (!item) return;
    this.#at = at;
    this.select(item.key);
  }

  /** Selects the row with a key, or the first one of a turn. */
  select(key: string): void {
    const at = this.rows.findIndex((one) => one.key === key || one.key.startsWith(`${key}.`));
    if (at >= 0) this.#at = at;
    const row = this.list.reveal(this.rows[at]?.key ?? key);
    if (!row) return;
    for (const old of document.querySelectorAll(".selected")) old.classList.remove("selected");
    row.classList.add("selected");
    row.focus({ preventScroll: true });
    // The rows above have their real height only once they are filled: the second time is right.
    row.scrollIntoView({ block: "center" });
    requestAnimationFrame(() => row.scrollIntoView({ block: "center" }));
  }

  toggle(): void {
    const row = document.querySelector<HTMLElement>(".selected");
    if (row instanceof HTMLDetailsElement) row.open = !row.open;
  }

  /** Whether a row was clicked or moved to. */
  selectRow(row: HTMLElement): void {
    const { key } = row.dataset;
    for (const old of document.querySelectorAll(".selected")) old.classList.remove("selected");
    row.classList.add("selected");
    this.#at = this.rows.findIndex((one) => one.key === key);
  }
}

/** Listens to keys. `clear` empties search and filters. */
export function listenToKeys(cursor: Cursor, toolbar: Toolbar, clear: () => void): void {
  const keys = new Map<string, () => void>([
    ["j", () => cursor.move(1)],
    ["k", () => cursor.move(-1)],
    ["]", () => cursor.moveTurn(1)],
    ["[", () => cursor.moveTurn(-1)],
    ["n", () => cursor.move(1)],
    ["N", () => cursor.move(-1)],
    ["g", () => cursor.go(0)],
    ["G", () => cursor.go(cursor.rows.length - 1)],
    ["x", toggleAllInView],
    ["e", () => toolbar.toggleErrors()],
    ["t", changeTheme],
    ["?", toggleHelp],
    ["/", () => toolbar.search.focus()],
  ]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      clear();
      toolbar.search.blur();
      return;
    }
    if (isTyping) {
      if (event.key === "Enter") {
        toolbar.search.blur();
        cursor.go(0);
      }
      return;
    }
    if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.dataset.key) cursor.toggle();
    const act = keys.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function toggleAllInView(): void {
  const rows = [...document.querySelectorAll<HTMLDetailsElement>(".turns > .turn > details.row")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  const isAnyClosed = rows.some(({ open }) => !open);
  for (const row of rows) row.open = isAnyClosed;
}
