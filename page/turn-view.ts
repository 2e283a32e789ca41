// A turn and its rows. A long session has thousands: only those near the reader are filled.
import { h, s } from "./dom.js";
import { clock, count, dollars, duration, percent } from "./format.js";
import { rowOf } from "./items.js";
import type { RowContext } from "./parts.js";
import type { Item, PageTurn } from "./timeline.js";

/** The assumed height of a turn's section that was not seen yet. Unit: pixels. */
const HEAD_PX = 44;
const ROW_PX = 46;
/** The distance from the reader's view at which turns are filled. */
const NEAR = "1200px";

interface Section {
  readonly turn: PageTurn;
  readonly element: HTMLElement;
  isFilled: boolean;
  /** Keys of the rows that pass the filters; all of them without. */
  shown: ReadonlySet<string> | null;
}

/** The turns of one timeline, filled as the reader comes near. */
export class TurnList {
  readonly element = h("div", { class: "turns" });
  readonly #sections = new Map<string, Section>();
  readonly #observer: IntersectionObserver;

  constructor(private readonly context: RowContext) {
    this.#observer = new IntersectionObserver((entries) => this.#onNear(entries), { rootMargin: `${NEAR} 0px` });
  }

  /** Adds sections for turns that are new, and fills again what may have changed. */
  update(turns: readonly PageTurn[]): void {
    for (const turn of turns) {
      if (this.#sections.has(turn.key)) continue;
      const element = h("section", { class: "turn", id: `${turn.key}` });
      element.dataset.turn = turn.key;
      const section: Section = { turn, element, isFilled: false, shown: null };
      this.#sections.set(turn.key, section);
      this.#empty(section);
      this.element.append(element);
      this.#observer.observe(element);
    }
  }

  /** Shows the rows of each turn that `matches` lets through; turns without any disappear. Returns those rows. */
  filter(matches: ((item: Item, turn: PageTurn) => boolean) | null): Item[] {
    const all: Item[] = [];
    for (const section of this.#sections.values()) {
      const { turn, element } = section;
      const items = matches ? turn.items.filter((item) => matches(item, turn)) : turn.items;
      all.push(...items);
      section.shown = matches ? new Set(items.map(({ key }) => key)) : null;
      element.hidden = items.length === 0;
      if (section.isFilled) this.#fill(section);
      else this.#empty(section);
    }
    return all;
  }

  /** The element of a row, filled now if it is not yet. */
  reveal(key: string): HTMLElement | null {
    const section = this.#sections.get(key.split(".")[0]!);
    if (!section) return null;
    if (!section.isFilled) this.#fill(section);
    return section.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  section(turn: PageTurn): HTMLElement | undefined {
    return this.#sections.get(turn.key)?.element;
  }

  #onNear(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const section = this.#sections.get((target as HTMLElement).dataset.turn ?? "");
      if (!section) continue;
      if (isIntersecting && !section.isFilled) this.#fill(section);
      else if (!isIntersecting && section.isFilled && !section.element.contains(document.activeElement)) {
        this.#empty(section, boundingClientRect.height);
      }
    }
  }

  #fill(section: Section): void {
    const { turn, element, shown } = section;
    section.isFilled = true;
    const items = shown ? turn.items.filter(({ key }) => shown.has(key)) : turn.items;
    element.style.height = "";
    element.classList.toggle("left", turn.isLeft);
    element.replaceChildren(headOf(turn), ...items.map((item) => rowOf(item, this.context)));
  }

  #empty(section: Section, height?: number): void {
    section.isFilled = false;
    const rows = section.shown?.size ?? section.turn.items.length;
    section.element.style.height = `${height ?? HEAD_PX + rows * ROW_PX}px`;
    section.element.replaceChildren();
  }
}

function headOf(turn: PageTurn): HTMLElement {
  const { usage } = turn;
  const title = turn.number > 0 ? `${turn.isOfTool ? "Calls" : "Turn"} ${turn.number}` : "Run";
  const facts = [
    turn.modelMs >= 1 && `model ${duration(turn.modelMs)}`,
    turn.toolMs >= 1 && `tools ${duration(turn.toolMs)}`,
    usage &&
      `${count(usage.input)} in${usage.cacheRead > 0 ? ` (${percent(usage.cacheRead, usage.input)} cached)` : ""}`,
    usage && `${count(usage.output)} out`,
    turn.costUsd !== null && dollars(turn.costUsd),
  ];
  return h(
    "header",
    { class: "turn-head" },
    h("a", { href: `#${turn.key}`, class: "turn-title" }, title),
    turn.isLeft && h("span", { class: "chip" }, "other branch"),
    h("span", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    turn.number > 0 && waterfall(turn),
    h("time", { class: "dim" }, clock(turn.at)),
  );
}

const WIDTH = 160;
const BAR = 4;

/** The chart of a turn's times: the model, then each call. */
function waterfall(turn: PageTurn): SVGElement | null {
  const begin = turn.modelAt - turn.modelMs;
  const ends = turn.calls.map(({ result }) => result?.at ?? 0);
  const span = Math.max(turn.modelAt, ...ends) - begin;
  if (span < 1 || turn.modelAt <= 1) return null;
  const x = (at: number) => (Math.min(Math.max(at - begin, 0), span) / span) * WIDTH;
  const calls = turn.calls.slice(0, 6);
  const height = (calls.length + 1) * (BAR + 1);
  const bars = calls.map(({ result }, index) => {
    if (!result) return null;
    const from = x(result.at - result.durationMs);
    const fill = result.isError ? "error-bar" : "tool-bar";
    return s("rect", {
      x: from,
      y: (index + 1) * (BAR + 1),
      width: Math.max(1.5, x(result.at) - from),
      height: BAR,
      rx: 1.5,
      class: fill,
    });
  });
  return s(
    "svg",
    {
      class: "waterfall",
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: "img",
      "aria-label": "Model and tool time",
    },
    s("rect", { x: 0, y: 0, width: Math.max(1.5, x(turn.modelAt)), height: BAR, rx: 1.5, class: "model-bar" }),
    ...bars,
  );
}
