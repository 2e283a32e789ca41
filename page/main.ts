// The page: reads the session that lies in it as data, and shows it. It adds no markup but its own.
import type { PageAgent, PageEntry, PageNote, PageSession } from "../src/observability/page/page-entry.js";
import { charts } from "./charts.js";
import { h } from "./dom.js";
import { plural } from "./format.js";
import { header } from "./header.js";
import { Cursor, listenToKeys } from "./keyboard.js";
import { type PageState, PageView } from "./page-view.js";
import { planPanel, todoList } from "./plan.js";
import { matcherOf, queryOf, type Wanted } from "./search.js";
import { markMatches } from "./text.js";
import type { Kind, PageTurn } from "./timeline.js";
import { Toolbar } from "./toolbar.js";

const session = JSON.parse(document.getElementById("session")!.textContent!) as PageSession;
const state: PageState = { session, opened: new Map() };
const view = new PageView(state, "");
const { timeline, list } = view;
view.add(session.entries, session.notes);

const cursor = new Cursor(list);
const kinds = new Set<Kind>(timeline.turns.flatMap(({ items }) => items.map(({ kind }) => kind)));
const hasLeft = timeline.turns.some(({ items }) => items.some(({ isLeft }) => isLeft));
const toolbar = new Toolbar(kinds, hasLeft, () => applyFilters());
const overview = charts(timeline, goTo);
const top = h("div");
const empty = h("p", { class: "empty", hidden: true }, "Nothing matches.");

function drawTop(): void {
  const { todos, plan } = timeline;
  const openTask = (task: string, attempt: number) => {
    const id = Object.keys(state.session.agents).find((one) => one.endsWith(`.${task}.${attempt}`));
    return id === undefined ? null : view.nested(id);
  };
  top.replaceChildren(header(state.session, timeline));
  const panel = planPanel(plan, openTask);
  if (panel) top.append(panel);
  if (Array.isArray(todos) && todos.length > 0) {
    top.append(h("section", { class: "panel" }, h("h2", {}, "To do"), todoList(todos)));
  }
}

function applyFilters({ stay = false } = {}): void {
  const { search, hidden, onlyErrors, withLeft } = toolbar;
  const query = queryOf(search.value);
  markMatches(query);
  const wanted = { query, hidden, onlyErrors, withLeft };
  const rows = list.filter(matcherOf(wanted, hasLeft));
  cursor.setRows(rows);
  const found = [plural(rows.length, "row"), ...elsewhere(wanted)];
  toolbar.found.textContent = query || onlyErrors ? found.join(", ") : "";
  empty.hidden = rows.length > 0;
  if (!query || stay) return;
  cursor.go(0);
  search.focus();
}

/** The matches where nobody looks: on branches that the session has left. */
function elsewhere(wanted: Wanted): readonly string[] {
  if (wanted.withLeft) return [];
  const matches = matcherOf({ ...wanted, withLeft: true }, hasLeft);
  const items = timeline.turns.flatMap((turn) => turn.items.filter((item) => item.isLeft && matches?.(item)));
  return items.length > 0 ? [`${items.length} more on other branches`] : [];
}

function clearFilters(): void {
  toolbar.search.value = "";
  applyFilters();
}

function goTo(turn: PageTurn): void {
  history.replaceState(null, "", `#${turn.key}`);
  cursor.select(turn.key);
}

function goToHash(): void {
  if (/^#t\d+(\.\d+)?$/.test(location.hash)) cursor.select(location.hash.slice(1));
}

/** A message of a live page's server: the entries that have been added. */
interface News {
  /** `false`: the server knows less than this page does, as after the session was replaced. */
  readonly isNewer: boolean;
  readonly entries: readonly PageEntry[];
  /** All of them, when one has something new. */
  readonly agents?: { readonly [id: string]: PageAgent };
  readonly notes: readonly PageNote[];
}

/** Asks for new entries, again and again. A server that is gone is asked less often. */
function follow(url: string, everyMs: number): void {
  let seen = session.entries.length;
  let notes = session.notes.length;
  let pause = everyMs;
  const ask = async () => {
    try {
      const agents = Object.values(state.session.agents).reduce((total, { entries }) => total + entries.length, 0);
      const response = await fetch(`${url}?from=${seen}&notes=${notes}&agents=${agents}`, { cache: "no-store" });
      if (!response.ok) throw new Error(String(response.status));
      const news = (await response.json()) as News;
      if (!news.isNewer) location.reload();
      pause = everyMs;
      const isNew = news.entries.length + news.notes.length > 0;
      seen += news.entries.length;
      notes += news.notes.length;
      if (news.agents) state.session = { ...state.session, agents: news.agents };
      if (isNew) show(news);
    } catch {
      pause = Math.min(pause * 2, 30_000);
    }
    setTimeout(ask, pause);
  };
  setTimeout(ask, pause);
}

function show(news: News): void {
  const isAtEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 80;
  view.add(news.entries, news.notes);
  drawTop();
  overview.dispatchEvent(new Event("redraw"));
  const selected = document.querySelector<HTMLElement>(".selected")?.dataset.key;
  applyFilters({ stay: true });
  if (selected) list.reveal(selected)?.classList.add("selected");
  if (isAtEnd) scrollTo(0, document.documentElement.scrollHeight);
}

drawTop();
const page = document.getElementById("page")!;
page.append(top, overview, toolbar.element, list.element, empty);
if (timeline.turns.length === 0) page.append(h("p", { class: "empty" }, "The session has no entries."));
applyFilters();
listenToKeys(cursor, toolbar, clearFilters);
list.element.addEventListener("click", ({ target }) => {
  const row = (target as Element).closest<HTMLElement>(".turns > .turn > .row");
  if (row) cursor.selectRow(row);
});
addEventListener("hashchange", goToHash);
goToHash();
if (session.live) follow(session.live.url, session.live.everyMs);
