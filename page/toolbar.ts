// Search, filters, theme and help. One callback reports what was chosen.
import { h } from "./dom.js";
import type { Kind } from "./timeline.js";

const FILTERS: readonly (readonly [Kind, string])[] = [
  ["message", "Messages"],
  ["reasoning", "Reasoning"],
  ["tool", "Tools"],
  ["decision", "Decisions"],
  ["hook", "Hooks"],
  ["context", "Context"],
  ["plan", "Plans"],
  ["run", "Runs"],
];

export const KEYS: readonly (readonly [string, string])[] = [
  ["j  k", "next and previous row"],
  ["]  [", "next and previous turn"],
  ["Enter", "open or close the row"],
  ["x", "open or close all rows in view"],
  ["/", "search"],
  ["n  N", "next and previous match"],
  ["e", "errors only"],
  ["g  G", "first and last turn"],
  ["t", "light or dark"],
  ["?", "this help"],
  ["Esc", "close, or clear the search"],
];

/** The bar above the turns. */
export class Toolbar {
  readonly hidden = new Set<Kind>();
  onlyErrors = false;
  withLeft = false;
  readonly search = h("input", {
    type: "search",
    class: "search",
    placeholder: "Search ( / )",
    "aria-label": "Search",
    spellcheck: "false",
    autocomplete: "off",
  });
  readonly found = h("span", { class: "dim found", "aria-live": "polite" });
  readonly element: HTMLElement;
  readonly #errors: HTMLButtonElement;

  constructor(
    kinds: ReadonlySet<Kind>,
    hasLeft: boolean,
    private readonly onChange: () => void,
  ) {
    let timer = 0;
    this.search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(onChange, 120);
    });
    this.#errors = this.#toggle("Errors only", false, (on) => (this.onlyErrors = on));
    const filters = FILTERS.filter(([kind]) => kinds.has(kind)).map(([kind, name]) =>
      this.#toggle(name, true, (on) => (on ? this.hidden.delete(kind) : this.hidden.add(kind))),
    );
    const left = hasLeft && this.#toggle("Other branches", false, (on) => (this.withLeft = on));
    this.element = h(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Search and filters" },
      this.search,
      this.found,
      h("div", { class: "filters" }, ...filters, this.#errors, left),
      h(
        "button",
        {
          type: "button",
          class: "icon",
          title: "Light or dark (t)",
          "aria-label": "Light or dark",
          onclick: changeTheme,
        },
        "◐",
      ),
      h(
        "button",
        { type: "button", class: "icon", title: "Keyboard (?)", "aria-label": "Keyboard help", onclick: toggleHelp },
        "?",
      ),
    );
  }

  toggleErrors(): void {
    this.#errors.click();
  }

  #toggle(name: string, isOn: boolean, change: (on: boolean) => void): HTMLButtonElement {
    const button = h("button", { type: "button", class: "filter", "aria-pressed": String(isOn) }, name);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      change(on);
      this.onChange();
    });
    return button;
  }
}

/** From what the reader's system prefers to the other, and back. */
export function changeTheme(): void {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

const help = h(
  "dialog",
  { class: "help", "aria-label": "Keyboard" },
  h("h2", {}, "Keyboard"),
  h(
    "dl",
    {},
    ...KEYS.flatMap(([keys, what]) => [
      h("dt", {}, ...keys.split("  ").map((key) => h("kbd", {}, key))),
      h("dd", {}, what),
    ]),
  ),
  h("form", { method: "dialog" }, h("button", { type: "submit", class: "filter" }, "Close")),
);
help.querySelector("form")!.addEventListener("submit", (event) => {
  event.preventDefault();
  help.close();
});

export function toggleHelp(): void {
  if (!help.isConnected) document.body.append(help);
  if (help.open) help.close();
  else help.showModal();
}
