// The parts that rows consist of.
import type { PagePart } from "../src/observability/page/page-entry.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { prose } from "./markdown.js";
import { code, plain } from "./text.js";
import type { Call, Item } from "./timeline.js";

/** The page, as far as rows need it. */
export interface RowContext {
  /** Keys of the rows that were opened, and of those that were closed although they begin open. */
  readonly opened: Map<string, boolean>;
  /** The sub-agent's or task's own timeline, once it is wanted; `null` where its session is not on the page. */
  nested(agentId: string): HTMLElement | null;
  agentsOf(item: Item): readonly string[];
  /** The number of calls in a session of calls that a tool has made; `null` for a sub-agent's or a task's. */
  callsIn(agentId: string): number | null;
  /** The calls whose results came from a place, or whose question was about it, oldest first. */
  passedOn(source: string): readonly Call[];
  askedAbout(source: string): readonly Call[];
  /** Shows a row of this timeline, after a click on a link to it. */
  goTo(event: Event, key: string): void;
}

/** A part of a message. */
export function partView(part: PagePart): HTMLElement {
  switch (part.type) {
    case "text":
      return prose(part.text);
    case "reasoning":
      return h("div", { class: "reasoning" }, prose(part.text));
    case "image":
      return h("img", { src: `data:${part.mediaType};base64,${part.data}`, alt: "An image of the session" });
    case "file":
      return dim(`[${part.name || "file"}: ${part.mediaType}, ${count(part.chars * 0.75)} bytes]`);
    case "call":
      return code(`${part.name} ${json(part.input)}`);
    default:
      return code(part.text);
  }
}

/** A row that opens. What is inside is made when it does. */
export function fold(
  key: string,
  { opened }: RowContext,
  isOpenAtFirst: boolean,
  className: string,
  title: readonly (Node | string | false | null | undefined)[],
  inside: () => readonly (Node | false | null)[],
): HTMLElement {
  const details = h("details", { class: className });
  const summary = h("summary", {}, ...title);
  const body = h("div", { class: "body" });
  let isFilled = false;
  const fill = () => {
    if (!details.open || isFilled) return;
    isFilled = true;
    body.append(...inside().filter((one): one is Node => Boolean(one)));
  };
  details.open = opened.get(key) ?? isOpenAtFirst;
  details.addEventListener("toggle", () => {
    if (details.open !== isOpenAtFirst) opened.set(key, details.open);
    else opened.delete(key);
    fill();
  });
  details.append(summary, body);
  fill();
  return details;
}

/** A row that does not open. */
export function line(
  className: string,
  more: string,
  children: readonly (Node | string | false | null)[],
): HTMLElement {
  return h("div", { class: `line-row ${className} ${more}` }, ...children);
}

/** Text of less weight. */
export function dim(text: string): HTMLElement {
  return h("span", { class: "dim" }, plain(text));
}

/** A value as indented JSON. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
