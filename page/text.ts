// Untrusted text on the page: characters that hide or reorder text are shown as what they are, long texts are cut until
// somebody wants all of it, and matches of the search are marked.
import { h } from "./dom.js";
import { count } from "./format.js";

/** Shown at first. Unit: characters. */
const FIRST_CHARS = 12_000;
const FIRST_LINES = 60;

/**
 * Control and bidirectional characters, those without a width or ink, and variation selectors behind another one: nobody sees them, and
 * they can make text lie.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\u034f|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

let wanted: RegExp | null = null;

/** Sets the pattern whose matches are marked in texts from now on. */
export function markMatches(query: RegExp | null): void {
  wanted = query;
}

/** Text, safely: hidden characters named, matches marked. */
export function plain(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  split(
    text,
    HIDDEN,
    (piece) => addMarked(fragment, piece),
    (one) => fragment.append(hiddenBadge(one)),
  );
  return fragment;
}

function addMarked(fragment: Node, text: string): void {
  if (!wanted) fragment.appendChild(document.createTextNode(text));
  else
    split(
      text,
      wanted,
      (piece) => fragment.appendChild(document.createTextNode(piece)),
      (match) => fragment.appendChild(h("mark", {}, match)),
    );
}

function hiddenBadge(character: string): HTMLElement {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  return h("span", { class: "hidden-character", title: "A character that is not visible" }, `U+${code}`);
}

function split(text: string, pattern: RegExp, between: (text: string) => void, match: (text: string) => void): void {
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    if (found[0] === "") continue;
    if (found.index > from) between(text.slice(from, found.index));
    match(found[0]);
    from = found.index + found[0].length;
  }
  if (from < text.length) between(text.slice(from));
}

/** A block whose text is cut at first. `render` makes the lines of a text. */
export function longBlock(text: string, className: string, render: (text: string) => Node = plain): HTMLElement {
  const block = h("div", { class: className });
  const shown = beginningOf(text);
  const isCut = shown.length < text.length && !wanted?.test(text.slice(shown.length));
  if (wanted) wanted.lastIndex = 0;
  block.append(render(isCut ? shown : text));
  if (!isCut) return block;
  const lines = text.split("\n").length - shown.split("\n").length;
  const rest = lines > 0 ? `${count(lines)} more lines` : `${count(text.length - shown.length)} more characters`;
  const more = h("button", { class: "more", type: "button" }, `Show all: ${rest}`);
  more.addEventListener("click", () => block.replaceChildren(render(text)));
  block.append(more);
  return block;
}

function beginningOf(text: string): string {
  let end = -1;
  for (let lines = 0; lines < FIRST_LINES; lines++) {
    end = text.indexOf("\n", end + 1);
    if (end === -1) break;
  }
  const cut = Math.min(end === -1 ? text.length : end, FIRST_CHARS);
  // A few lines more are not worth a button.
  return text.length - cut < 400 ? text : text.slice(0, cut);
}

/** Text of a fixed width, as tools print it. */
export function code(text: string): HTMLElement {
  return longBlock(text, "code");
}

/** A unified diff, line by line. */
export function diff(text: string): HTMLElement {
  return longBlock(text, "code diff", (whole) => {
    const fragment = document.createDocumentFragment();
    let [left, right] = [0, 0];
    for (const line of whole.split("\n")) {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      if (hunk) [left, right] = [Number(hunk[1]), Number(hunk[2])];
      const kind = hunk ? "hunk" : kindOf(line);
      const number = kind === "added" ? right : kind === "removed" || kind === "same" ? left : 0;
      if (kind === "added" || kind === "same") right++;
      if (kind === "removed" || kind === "same") left++;
      const gutter = h("span", { class: "gutter" }, number > 0 ? String(kind === "same" ? right - 1 : number) : "");
      fragment.append(h("div", { class: `line ${kind}` }, gutter, h("span", {}, plain(line === "" ? " " : line))));
    }
    return fragment;
  });
}

function kindOf(line: string): string {
  if (/^(--- |\+\+\+ |diff |index |Index: |=====|\(diff cut)/.test(line)) return "head";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
}

/** Whether a tool's output is a diff, as `git diff` prints it. */
export function isDiff(text: string): boolean {
  return /^(diff --git |--- )[^\n]*\n/.test(text) && /^@@ -\d/m.test(text);
}
