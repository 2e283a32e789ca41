// The top of the page: what session this is, how it ended, and its figures.
import type { PageSession } from "../src/observability/page/page-entry.js";
import { h } from "./dom.js";
import { count, dateAndTime, dollars, duration, percent, plural } from "./format.js";
import { callsIn } from "./page-view.js";
import { plain } from "./text.js";
import type { Timeline } from "./timeline.js";

export function header(session: PageSession, timeline: Timeline): HTMLElement {
  const { turns, status, models } = timeline;
  const replies = turns.filter(({ number }) => number > 0);
  const calls = turns.flatMap((turn) => turn.calls);
  const failed = calls.filter(({ result }) => result?.isError).length;
  const total = (pick: (turn: (typeof turns)[number]) => number) => replies.reduce((sum, turn) => sum + pick(turn), 0);
  const input = total(({ usage }) => usage?.input ?? 0);
  const cached = total(({ usage }) => usage?.cacheRead ?? 0);
  const begin = turns.find(({ at }) => at > 0)?.at ?? 0;
  const end = turns.reduce((latest, { endAt }) => Math.max(latest, endAt), begin);
  const agents = Object.keys(session.agents).filter((id) => callsIn(session, id) === null).length;
  const figures: readonly (readonly [string, string, string?] | false)[] = [
    ["Turns", replies.length.toLocaleString("en"), plural(timeline.runs.size, "run")],
    ["Tool calls", calls.length.toLocaleString("en"), failed > 0 ? `${failed} failed` : "none failed"],
    ["Tokens in", count(input), input > 0 ? `${percent(cached, input)} from cache` : ""],
    ["Tokens out", count(total(({ usage }) => usage?.output ?? 0)), modelNames([...models])],
    replies.some(({ costUsd }) => costUsd !== null) && [
      "Cost",
      dollars(total(({ costUsd }) => costUsd ?? 0)),
      "of this agent's calls",
    ],
    [
      "Time",
      duration(end - begin),
      `model ${duration(total(({ modelMs }) => modelMs))}, tools ${duration(total(({ toolMs }) => toolMs))}`,
    ],
    agents > 0 && ["Sub-agents", String(agents), "inside their calls"],
  ];
  const shown = figures.filter((one): one is [string, string, string?] => one !== false);
  return h(
    "header",
    { class: "page-head" },
    h(
      "div",
      { class: "title-row" },
      h("h1", {}, plain(session.title)),
      status !== "" && h("span", { class: `chip big ${status}` }, plain(status)),
      session.live && h("span", { class: "chip live" }, "live"),
    ),
    h("div", { class: "dim" }, dateAndTime(begin)),
    h(
      "div",
      { class: "figures" },
      ...shown.map(([name, value, more]) =>
        h(
          "div",
          { class: "figure" },
          h("div", { class: "label" }, name),
          h("div", { class: "value" }, value),
          h("div", { class: "dim" }, plain(more ?? "")),
        ),
      ),
    ),
  );
}

const SHOWN_MODELS = 2;
const MAX_NAME_CHARS = 40;

/** The models that answered, as far as there is room. */
function modelNames(models: readonly string[]): string {
  const names = models.slice(0, SHOWN_MODELS).map((name) => {
    return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
  });
  const more = models.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
