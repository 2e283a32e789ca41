// Markdown as elements. What a model writes is untrusted: nothing of it becomes markup, links lead to the web only, and
// images are links. Cost: linear in the text, except inside one paragraph, whose length is bounded.
import { h } from "./dom.js";

/** A longer paragraph is shown as it is. */
const MAX_INLINE_CHARS = 20_000;
/** Lists and quotes inside each other. */
const MAX_DEPTH = 8;

/** @param {string} text */
export function markdown(text) {
  return h("div", { class: "prose" }, ...blocks(text.replaceAll("\r\n", "\n").split("\n"), 0));
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(\s+|$)/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function blocks(lines, depth) {
  const nodes = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const [node, next] =
      line.trim() === ""
        ? [null, at + 1]
        : (fence(lines, at) ??
          heading(lines, at) ??
          rule(lines, at) ??
          (depth < MAX_DEPTH ? (quote(lines, at, depth) ?? list(lines, at, depth)) : null) ??
          table(lines, at) ??
          paragraph(lines, at, depth));
    if (node) nodes.push(node);
    at = next;
  }
  return nodes;
}

function fence(lines, at) {
  const open = FENCE.exec(lines[at]);
  if (!open) return null;
  const isEnd = (line) => line.trim().startsWith(open[1]) && /^\s*[`~]+\s*$/.test(line);
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end])) end++;
  return [codeBlock(lines.slice(at + 1, end).join("\n"), open[2]), end + 1];
}

export function codeBlock(code, language = "") {
  const copy = h("button", { class: "copy", type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(code).catch(() => {});
    copy.textContent = "Copied";
    setTimeout(() => {
      copy.textContent = "Copy";
    }, 1_500);
  });
  const label = language ? h("span", { class: "language" }, language) : null;
  return h("div", { class: "code" }, label, copy, h("pre", { tabindex: 0 }, h("code", {}, code)));
}

function heading(lines, at) {
  const match = HEADING.exec(lines[at]);
  // The page's own headings are above those of a message.
  return (
    match && [h(`h${Math.min(match[1].length + 2, 6)}`, { "data-level": match[1].length }, ...inline(match[2])), at + 1]
  );
}

function rule(lines, at) {
  return RULE.test(lines[at]) ? [h("hr"), at + 1] : null;
}

function quote(lines, at, depth) {
  const isQuote = (line) => /^ {0,3}>/.test(line);
  if (!isQuote(lines[at])) return null;
  let end = at;
  while (end < lines.length && isQuote(lines[end])) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return [h("blockquote", {}, ...blocks(inner, depth + 1)), end];
}

function list(lines, at, depth) {
  const first = ITEM.exec(lines[at]);
  if (!first) return null;
  const isOrdered = /\d/.test(first[2]);
  const items = [];
  let end = at;
  while (end < lines.length) {
    const match = ITEM.exec(lines[end]);
    if (!match || match[1].length !== first[1].length || /\d/.test(match[2]) !== isOrdered) break;
    const width = match[1].length + match[2].length + Math.min(Math.max(match[3].length, 1), 4);
    const inner = [lines[end].slice(match[0].length)];
    end++;
    while (end < lines.length && belongsTo(lines, end, match[1].length)) {
      inner.push(lines[end].slice(Math.min(width, indentOf(lines[end]))));
      end++;
    }
    items.push(h("li", {}, ...tight(blocks(inner, depth + 1))));
  }
  const start = isOrdered ? Number.parseInt(first[2], 10) : 1;
  return [h(isOrdered ? "ol" : "ul", { start: start === 1 ? null : start }, ...items), end];
}

const indentOf = (line) => line.length - line.trimStart().length;

/** Whether a line goes on with the item above: it is indented, or blank before one that is. */
function belongsTo(lines, at, indent) {
  if (lines[at].trim() !== "") return indentOf(lines[at]) > indent;
  const next = lines.slice(at + 1, at + 3).find((line) => line.trim() !== "");
  return next !== undefined && indentOf(next) > indent;
}

/** An item of one paragraph is shown without the space around paragraphs. */
function tight(nodes) {
  if (nodes[0]?.nodeName !== "P") return nodes;
  return [...nodes[0].childNodes, ...nodes.slice(1)];
}

function table(lines, at) {
  if (!lines[at].includes("|") || !DIVIDER.test(lines[at + 1] ?? "") || !lines[at + 1].includes("-")) return null;
  const alignments = cells(lines[at + 1]).map((cell) => {
    return cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : null;
  });
  const row = (line, name) =>
    h("tr", {}, ...cells(line).map((cell, index) => h(name, { "data-align": alignments[index] }, ...inline(cell))));
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|")) end++;
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  const element = h("table", {}, h("thead", {}, row(lines[at], "th")), h("tbody", {}, ...body));
  return [h("div", { class: "table", tabindex: 0 }, element), end];
}

function cells(line) {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines, at, depth) {
  let end = at + 1;
  const isOther = (index) =>
    lines[index].trim() === "" ||
    FENCE.test(lines[index]) ||
    HEADING.test(lines[index]) ||
    RULE.test(lines[index]) ||
    (depth < MAX_DEPTH && (/^ {0,3}>/.test(lines[index]) || ITEM.test(lines[index])));
  while (end < lines.length && !isOther(end)) end++;
  return [h("p", {}, ...inline(lines.slice(at, end).join("\n"))), end];
}

// Code first, since nothing inside it counts; then links, bold, italic, struck out, and bare addresses.
const INLINE =
  /(?<ticks>`{1,3})(?!`)(?<code>[\s\S]{0,2000}?[^`])\k<ticks>(?!`)|!?\[(?<label>[^[\]\n]{0,500})\]\((?<url>[^()\s]{1,2000})(?:\s+"[^"\n]{0,500}")?\)|\*\*(?<bold>[^*\n](?:[^*\n]|\*(?!\*)){0,2000}?)\*\*|(?<![\w*])\*(?<italic>[^*\s](?:[^*\n]{0,2000}[^*\s])?)\*(?![\w*])|(?<![\w_])_(?<low>[^_\s](?:[^_\n]{0,2000}[^_\s])?)_(?![\w_])|~~(?<struck>[^~\n]{1,2000})~~|(?<bare>https?:\/\/[^\s<>"'`)\]]{1,2000}[^\s<>"'`)\].,;:!?])|\\(?<escaped>[\\`*_[\]()#+.!~|>-])/g;

function inline(text, depth = 0) {
  if (text.length > MAX_INLINE_CHARS || depth > 4) return [text];
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(from, match.index), styled(match.groups, depth));
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes.filter((node) => node !== "");
}

function styled({ code, label, url, bold, italic, low, struck, bare, escaped }, depth) {
  const inside = (content) => inline(content, depth + 1);
  if (code !== undefined) return h("code", {}, code.replaceAll("\n", " "));
  if (url !== undefined) return link(url, inside(label || url));
  if (bare !== undefined) return link(bare, [bare]);
  if (bold !== undefined) return h("strong", {}, ...inside(bold));
  if (struck !== undefined) return h("del", {}, ...inside(struck));
  if (escaped !== undefined) return escaped;
  return h("em", {}, ...inside(italic ?? low));
}

/** A link to the web or to a mail address; anything else is shown without a link. */
function link(url, content) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return h("span", {}, ...content);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, ...content);
}
