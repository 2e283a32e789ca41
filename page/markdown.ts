// The Markdown that models write most: code blocks, headings, lists, emphasis. Everything else stays as it was written. Links stay
// text: nothing on this page leads anywhere.
import { h } from "./dom.js";
import { longBlock, plain } from "./text.js";

/** A message as its author meant it to look. */
export function prose(text: string): HTMLElement {
  return longBlock(text, "prose", blocks);
}

function blocks(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) at = block(fragment, lines, at);
  return fragment;
}

/** Adds the block that begins at a line. Returns where the next one begins. */
function block(into: Node, lines: readonly string[], at: number): number {
  const line = lines[at]!;
  const fence = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
  if (fence) {
    const end = lines.findIndex((one, index) => index > at && one.trimStart().startsWith(fence));
    const last = end === -1 ? lines.length : end;
    into.appendChild(h("pre", {}, plain(lines.slice(at + 1, last).join("\n"))));
    return last + 1;
  }
  const heading = /^(#{1,6}) +(.*)$/.exec(line);
  if (heading) {
    into.appendChild(h("p", { class: `heading h${heading[1]!.length}` }, inline(heading[2]!)));
    return at + 1;
  }
  if (/^\s*\|.*\|\s*$/.test(line)) return verbatim(into, lines, at, /^\s*\|/);
  const item = /^(\s*)([-*•]|\d+[.)]) +(.*)$/.exec(line);
  if (item) {
    const row = h("div", { class: "bullet" }, h("span", {}, item[2]!.length === 1 ? "•" : item[2]), inline(item[3]!));
    row.style.marginLeft = `${Math.min(8, item[1]!.length) * 0.5}em`;
    into.appendChild(row);
    return at + 1;
  }
  if (line.trim() === "") return at + 1;
  let end = at + 1;
  while (
    end < lines.length &&
    lines[end]!.trim() !== "" &&
    !/^\s*([-*•] |\d+[.)] |#{1,6} |```|~~~|\|)/.test(lines[end]!)
  )
    end++;
  into.appendChild(h("p", {}, inline(lines.slice(at, end).join("\n"))));
  return end;
}

function verbatim(into: Node, lines: readonly string[], at: number, pattern: RegExp): number {
  let end = at;
  while (end < lines.length && pattern.test(lines[end]!)) end++;
  into.appendChild(h("pre", {}, plain(lines.slice(at, end).join("\n"))));
  return end;
}

const INLINE = /(`+)([^`\n]+)\1|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g;

function inline(text: string): HTMLElement {
  const span = h("span");
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    span.append(plain(text.slice(from, found.index)));
    const [, , codeText, strong, emphasis] = found;
    if (codeText !== undefined) span.append(h("code", {}, plain(codeText)));
    else if (strong !== undefined) span.append(h("strong", {}, plain(strong)));
    else span.append(h("em", {}, plain(emphasis!)));
    from = found.index + found[0].length;
  }
  span.append(plain(text.slice(from)));
  return span;
}
