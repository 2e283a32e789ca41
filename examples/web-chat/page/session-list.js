// The sessions at the side; on a small screen a drawer.
import { api } from "./api.js";
import { h, icon, timeAgo } from "./dom.js";

const REFRESH_MS = 4_000;
const LABELS = { running: "working", waiting: "waits for you", idle: "" };

const side = document.getElementById("side");
const shade = document.getElementById("shade");
const menu = document.getElementById("menu");
const sessions = document.getElementById("sessions");

export class SessionList {
  #listed = [];
  #drawn = "";
  /** Called with what was read. */
  onRead = (_sessions) => {};

  /** @param {{ open(id: string): void, remove(id: string): void, isOpen(id: string): boolean }} actions */
  constructor(actions) {
    this.actions = actions;
    menu.append(icon("menu"));
    menu.addEventListener("click", () => this.#drawer(!this.isDrawerOpen));
    shade.addEventListener("click", () => this.closeDrawer());
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.isDrawerOpen) return;
      this.closeDrawer();
      menu.focus();
    });
    setInterval(() => {
      if (!document.hidden) this.refresh();
    }, REFRESH_MS);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.refresh();
    });
  }

  get isDrawerOpen() {
    return side.classList.contains("open");
  }

  closeDrawer() {
    this.#drawer(false);
  }

  find(id) {
    return this.#listed.find((one) => one.id === id);
  }

  async refresh() {
    try {
      this.#listed = await api.sessions();
      this.draw();
      this.onRead(this.#listed);
    } catch {
      // The list of a moment ago is better than none.
    }
  }

  draw() {
    const items = this.#listed.map((one) => ({
      ...one,
      isOpen: this.actions.isOpen(one.id),
      ago: timeAgo(one.updatedAt),
    }));
    const drawn = JSON.stringify(items);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = document.activeElement?.closest?.("#sessions a")?.getAttribute("href");
    sessions.replaceChildren(...items.map((item) => this.#item(item)));
    if (focused) sessions.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  }

  #item({ id, title, state, isOpen, ago }) {
    const link = h(
      "a",
      { href: `#${encodeURIComponent(id)}`, "aria-current": isOpen ? "page" : null },
      h("span", { class: `dot ${state}` }),
      h("span", { class: "name" }, title),
      h("span", { class: "when" }, LABELS[state] || ago),
    );
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.actions.open(id);
    });
    const trash = h(
      "button",
      { type: "button", class: "remove", "aria-label": `Delete “${title}”`, title: "Delete" },
      icon("trash"),
    );
    trash.addEventListener("click", () => {
      if (confirm(`Delete “${title}”? This cannot be undone.`)) this.actions.remove(id);
    });
    return h("li", {}, link, trash);
  }

  #drawer(isOpen) {
    side.classList.toggle("open", isOpen);
    shade.hidden = !isOpen;
    menu.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) document.getElementById("new").focus();
  }
}
