// The path of a value: from a question to the results that brought in what it asks about, and from such a result to the questions.
import { h } from "./dom.js";
import type { RowContext } from "./parts.js";
import { plain } from "./text.js";
import type { Call } from "./timeline.js";

/** More calls on one path are counted: the first is where it came in, and the last ones are nearest to the reader. */
const MAX_CALLS = 5;

/** For each place that a question asks about: the results that have passed it on, oldest first. */
export function pathsTo(call: Call, context: RowContext): readonly HTMLElement[] {
  return call.asked.flatMap(({ because, at }) =>
    because.map((source) => {
      const passed = context.passedOn(source).filter((one) => one !== call && (one.result?.at ?? at) <= at);
      return path([h("span", { class: "chip untrusted" }, plain(source)), ...links(passed, context)]);
    }),
  );
}

/** The calls that were asked about since this one has passed on what others may have written. */
export function pathsFrom(call: Call, context: RowContext): readonly HTMLElement[] {
  const { outside = [], at = 0 } = call.result ?? {};
  const after = outside.flatMap((source) => context.askedAbout(source));
  const asked = [...new Set(after)].filter((one) => one !== call && one.asked.some((each) => each.at >= at));
  return asked.length > 0 ? [path(["Made ask:", ...links(asked, context)])] : [];
}

function path(parts: readonly (Node | string)[]): HTMLElement {
  return h("div", { class: "fact path" }, ...parts);
}

function links(calls: readonly Call[], { goTo }: RowContext): (Node | string)[] {
  const hidden = Math.max(0, calls.length - MAX_CALLS);
  const shown = hidden > 0 ? [calls[0]!, ...calls.slice(1 + hidden)] : calls;
  return shown.flatMap(({ key, name }, index) => [
    ...(index === 1 && hidden > 0 ? [`→ ${hidden} more`] : []),
    ...(index > 0 ? ["→"] : []),
    h("a", { href: `#${key}`, onclick: (event: Event) => goTo(event, key) }, plain(name)),
  ]);
}
