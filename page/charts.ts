// Three plots over the turns: time, tokens or cost, and the size of the context with its compactions.
import { h, s } from "./dom.js";
import { count, dollars, duration, roughDuration } from "./format.js";
import type { PageTurn, Timeline } from "./timeline.js";

const LEFT = 52;
const RIGHT = 8;
const TRACK = 58;
const GAP = 26;

/** One or more turns drawn as one bar: there may be more turns than pixels. */
interface Bin {
  readonly turns: readonly PageTurn[];
  readonly values: readonly (readonly number[])[];
}

/** The three tracks: values that are stacked, and their classes. */
const TRACKS = [
  { name: "Time", classes: ["model-bar", "tool-bar"], legend: ["model", "tools"], format: roughDuration },
  {
    name: "Tokens",
    classes: ["cached-bar", "input-bar", "output-bar"],
    legend: ["cached", "input", "output"],
    format: count,
  },
  { name: "Context", classes: ["context-bar"], legend: ["sent"], format: count },
] as const;
const COST = { name: "Cost", classes: ["cost-bar"], legend: ["per turn"], format: dollars } as const;

/** The overview. `goTo` is called with the turn that was clicked. */
export function charts(timeline: Timeline, goTo: (turn: PageTurn) => void): HTMLElement {
  const holder = h("div", { class: "charts" });
  const tip = h("div", { class: "tip", hidden: true });
  let isCost = false;
  const draw = () => {
    const width = holder.clientWidth;
    if (width === 0) return;
    const turns = timeline.turns.filter((turn) => turn.number > 0 && !turn.isLeft);
    const hasCost = turns.some(({ costUsd }) => costUsd !== null);
    const svg = drawing(turns, width, isCost && hasCost, tip, goTo);
    holder.replaceChildren(svg, tip);
    if (!hasCost) return;
    const toggle = h("button", { type: "button", class: "toggle" }, isCost ? "Show tokens" : "Show cost");
    toggle.addEventListener("click", () => {
      isCost = !isCost;
      draw();
    });
    holder.append(toggle);
  };
  new ResizeObserver(draw).observe(holder);
  holder.addEventListener("redraw", draw);
  return holder;
}

function drawing(
  turns: readonly PageTurn[],
  width: number,
  isCost: boolean,
  tip: HTMLElement,
  goTo: (turn: PageTurn) => void,
): SVGElement {
  const plot = width - LEFT - RIGHT;
  const bins = binned(turns, Math.max(1, Math.floor(plot / 4)), isCost);
  const step = Math.min(plot / Math.max(1, bins.length), 64);
  const height = 3 * TRACK + 3 * GAP;
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    class: "plot",
    role: "img",
    "aria-label": "Time, tokens and context by turn",
  });
  const tracks = [TRACKS[0], isCost ? COST : TRACKS[1], TRACKS[2]];
  tracks.forEach((track, index) => {
    const bottom = GAP + index * (TRACK + GAP) + TRACK;
    const top = Math.max(...bins.map(({ values }) => sum(values[index]!)), 0);
    svg.append(...axis(track.name, track.legend, track.classes, track.format(top), bottom, width, top > 0));
    bins.forEach(({ values }, at) => {
      let y = bottom;
      values[index]!.forEach((value, part) => {
        const length = top > 0 ? (value / top) * TRACK : 0;
        if (length <= 0) return;
        y -= length;
        const bar = Math.max(1, step - Math.min(3, step * 0.25));
        svg.append(
          s("rect", {
            x: LEFT + at * step,
            y,
            width: bar,
            height: length,
            rx: step > 8 ? 1.5 : 0,
            class: track.classes[part],
          }),
        );
      });
    });
  });
  bins.forEach(({ turns: inside }, at) => {
    const marked = inside.some(({ compaction }) => compaction !== null);
    if (!marked) return;
    const x = LEFT + at * step + step / 2;
    const y = GAP + 2 * (TRACK + GAP);
    svg.append(
      s("line", { x1: x, x2: x, y1: y - 2, y2: y + TRACK, class: "compaction-line" }),
      s("path", { d: `M${x - 4} ${y - 6}h8l-4 6z`, class: "compaction-mark" }),
    );
  });
  const cursor = s("rect", { class: "cursor", y: GAP - 8, width: step, height: height - GAP, x: -100 });
  svg.append(cursor);
  const binAt = (event: MouseEvent) => {
    const { left } = svg.getBoundingClientRect();
    return Math.floor((event.clientX - left - LEFT) / step);
  };
  svg.addEventListener("mousemove", (event) => {
    const at = binAt(event);
    const bin = bins[at];
    cursor.setAttribute("x", String(bin ? LEFT + at * step : -100));
    tip.hidden = !bin;
    if (!bin) return;
    tip.replaceChildren(...tipOf(bin));
    tip.style.left = `${Math.max(0, Math.min(event.clientX - svg.getBoundingClientRect().left + 14, width - 220))}px`;
  });
  svg.addEventListener("mouseleave", () => {
    tip.hidden = true;
    cursor.setAttribute("x", "-100");
  });
  svg.addEventListener("click", (event) => {
    const turn = bins[binAt(event)]?.turns[0];
    if (turn) goTo(turn);
  });
  return svg;
}

function axis(
  name: string,
  legend: readonly string[],
  classes: readonly string[],
  top: string,
  bottom: number,
  width: number,
  hasValues: boolean,
): SVGElement[] {
  let x = LEFT;
  const y = bottom - TRACK - 9;
  const parts = [
    s("text", { x, y, class: "track-name" }, name),
    s("line", { x1: LEFT, x2: width - RIGHT, y1: bottom + 0.5, y2: bottom + 0.5, class: "axis" }),
    s("text", { x: LEFT - 6, y: bottom, class: "axis-text" }, "0"),
    s("text", { x: LEFT - 6, y: bottom - TRACK + 9, class: "axis-text" }, hasValues ? top : ""),
  ];
  x += name.length * 7.5 + 14;
  legend.forEach((label, index) => {
    parts.push(
      s("rect", { x, y: y - 8, width: 8, height: 8, rx: 2, class: classes[index] }),
      s("text", { x: x + 12, y, class: "legend" }, label),
    );
    x += label.length * 6.5 + 28;
  });
  return parts;
}

function binned(turns: readonly PageTurn[], most: number, isCost: boolean): Bin[] {
  const size = Math.max(1, Math.ceil(turns.length / most));
  const bins: Bin[] = [];
  for (let from = 0; from < turns.length; from += size) {
    const inside = turns.slice(from, from + size);
    const all = inside.map((turn) => valuesOf(turn, isCost));
    // Times and tokens add up; the context is as large as its largest.
    const values = [0, 1, 2].map((track) =>
      all[0]![track]!.map((_, part) => {
        const each = all.map((one) => one[track]![part]!);
        return track === 2 ? Math.max(...each) : sum(each);
      }),
    );
    bins.push({ turns: inside, values });
  }
  return bins;
}

function valuesOf({ modelMs, toolMs, usage, costUsd }: PageTurn, isCost: boolean): readonly (readonly number[])[] {
  const { input = 0, output = 0, cacheRead = 0 } = usage ?? {};
  const tokens = [Math.min(cacheRead, input), Math.max(0, input - cacheRead), output];
  return [[modelMs, toolMs], isCost ? [costUsd ?? 0] : tokens, [input]].map((track) =>
    track.map((one) => Math.max(0, one)),
  );
}

function tipOf({ turns }: Bin): Node[] {
  const [first, last] = [turns[0]!, turns.at(-1)!];
  const title = turns.length === 1 ? `Turn ${first.number}` : `Turns ${first.number}–${last.number}`;
  const total = (pick: (turn: PageTurn) => number) => sum(turns.map(pick));
  const lines = [
    `model ${duration(total(({ modelMs }) => modelMs))}, tools ${duration(total(({ toolMs }) => toolMs))}`,
    `${count(total(({ usage }) => usage?.input ?? 0))} tokens in, ${count(total(({ usage }) => usage?.output ?? 0))} out`,
    turns.some(({ costUsd }) => costUsd !== null) && dollars(total(({ costUsd }) => costUsd ?? 0)),
    ...turns
      .flatMap(({ compaction }) =>
        compaction ? [`compacted: ${count(compaction.before)} → ${count(compaction.after)}`] : [],
      )
      .slice(0, 3),
  ];
  return [h("b", {}, title), ...lines.filter(Boolean).map((one) => h("div", {}, String(one)))];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
