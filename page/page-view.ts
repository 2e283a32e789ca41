// One session's timeline as elements: the page's own, and inside calls those of sub-agents.
import type { PageEntry, PageSession } from "../src/observability/page/page-entry.js";
import { h } from "./dom.js";
import { count, duration, plural } from "./format.js";
import type { RowContext } from "./parts.js";
import { plain } from "./text.js";
import { type Item, Timeline } from "./timeline.js";
import { TurnList } from "./turn-view.js";

/** The state that all timelines of a page share. */
export interface PageState {
  session: PageSession;
  /** Rows that were opened, by timeline and key. */
  readonly opened: Map<string, Map<string, boolean>>;
}

/** A timeline and its turns on the page. */
export class PageView {
  readonly timeline = new Timeline();
  readonly list: TurnList;

  constructor(
    private readonly page: PageState,
    private readonly id: string,
  ) {
    const opened = page.opened.get(id) ?? new Map<string, boolean>();
    page.opened.set(id, opened);
    const context: RowContext = {
      opened,
      nested: (agentId) => this.nested(agentId),
      agentsOf: (item) => this.#agentsOf(item),
      callsIn: (agentId) => callsIn(page.session, agentId),
      passedOn: (source) => this.timeline.passedOn.get(source) ?? [],
      askedAbout: (source) => this.timeline.askedAbout.get(source) ?? [],
      goTo: (event, key) => {
        // An address leads into the page's own timeline.
        if (id !== "") event.preventDefault();
        this.list.reveal(key)?.scrollIntoView({ block: "center" });
      },
    };
    this.list = new TurnList(context);
  }

  add(entries: readonly PageEntry[], notes: PageSession["notes"]): void {
    this.timeline.add(entries, notes);
    this.list.update(this.timeline.turns);
  }

  /** The timeline of a sub-agent, of a task or of a tool's calls, inside a row of this one. */
  nested(agentId: string): HTMLElement | null {
    const { agents } = this.page.session;
    const agent = Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
    if (!agent) return null;
    const view = new PageView(this.page, agentId);
    view.add(agent.entries, this.page.session.notes);
    const { turns, status, models } = view.timeline;
    const replies = turns.filter(({ number }) => number > 0);
    const tokens = replies.reduce((total, { usage }) => total + (usage?.input ?? 0), 0);
    const begin = turns[0]?.at ?? 0;
    const time = duration(Math.max(0, (turns.at(-1)?.endAt ?? begin) - begin));
    const made = callsIn(this.page.session, agentId);
    const facts =
      made === null
        ? [plural(replies.length, "turn"), `${count(tokens)} tokens in`, time, [...models].join(", ")]
        : [plural(made, "call"), time];
    return h(
      "div",
      { class: "nested" },
      h(
        "div",
        { class: "nested-head" },
        h("b", {}, made === null ? "Sub-agent" : "Its calls"),
        status !== "" && h("span", { class: `chip ${status}` }, plain(status)),
        h("span", { class: "dim" }, plain(facts.filter(Boolean).join(" · "))),
      ),
      view.list.element,
    );
  }

  /** The agents that a call names, and those that name the call. */
  #agentsOf({ call }: Item): readonly string[] {
    if (!call) return [];
    const { agents } = this.page.session;
    const named = call.agents.filter((id) => Object.hasOwn(agents, id));
    if (named.length > 0) return named;
    return Object.keys(agents).filter((id) => agents[id]!.callId === call.id);
  }
}

/** The number of calls in a session that a tool has made; `null` for any other. */
export function callsIn({ agents }: PageSession, id: string): number | null {
  const entries = Object.hasOwn(agents, id) ? agents[id]!.entries : [];
  if (!entries.some((entry) => entry.type === "assistant" && entry.isOfTool)) return null;
  return entries.reduce((sum, entry) => sum + (entry.type === "assistant" ? entry.parts.length : 0), 0);
}
