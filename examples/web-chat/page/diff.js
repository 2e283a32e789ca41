// Changes of files, line by line.
import { h } from "./dom.js";

/** A unified diff: its lines, with the numbers they have after the change. */
export function diffLines(text) {
  const lines = [];
  let [before, after] = [0, 0];
  for (const line of text.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk) {
      if (lines.length > 0) lines.push({ sign: "…", number: "", text: "" });
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
    } else if (after === 0 && before === 0)
      continue; // the names of the files
    else if (line.startsWith("+")) lines.push({ sign: "+", number: after++, text: line.slice(1) });
    else if (line.startsWith("-")) lines.push({ sign: "-", number: before++, text: line.slice(1) });
    else if (line.startsWith(" ")) {
      lines.push({ sign: " ", number: after++, text: line.slice(1) });
      before++;
    }
  }
  return lines;
}

/** What an edit will replace, before it is done: its parts have no numbers yet. */
export function plannedLines(edits) {
  return edits.flatMap(({ before, after }, index) => {
    const [old, fresh] = [splitLines(before), splitLines(after)];
    let head = 0;
    while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
    let tail = 0;
    while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
    const line = (sign) => (text) => ({ sign, number: "", text });
    return [
      ...(index > 0 ? [{ sign: "…", number: "", text: "" }] : []),
      ...old.slice(0, head).map(line(" ")),
      ...old.slice(head, old.length - tail).map(line("-")),
      ...fresh.slice(head, fresh.length - tail).map(line("+")),
      ...old.slice(old.length - tail).map(line(" ")),
    ];
  });
}

const splitLines = (text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const WORDS = { "+": "added", "-": "removed" };
const CLASSES = { "+": "added", "-": "removed", "…": "gap" };

/** @param {{ sign: string, number: number | string, text: string }[]} lines */
export function diffView(lines) {
  const rows = lines.map(({ sign, number, text }) =>
    h(
      "div",
      { class: `line ${CLASSES[sign] ?? ""}` },
      h("span", { class: "number", "aria-hidden": "true" }, String(number)),
      h("span", { class: "sign", "aria-hidden": "true" }, sign),
      WORDS[sign] && h("span", { class: "unseen" }, `${WORDS[sign]}: `),
      h("span", { class: "text" }, text || " "),
    ),
  );
  return h(
    "div",
    { class: "diff", tabindex: 0, role: "group", "aria-label": "Changes" },
    h("div", { class: "lines" }, ...rows),
  );
}

/** How many lines came and went. */
export function diffCounts(lines) {
  const count = (wanted) => lines.filter(({ sign }) => sign === wanted).length;
  return { added: count("+"), removed: count("-") };
}
