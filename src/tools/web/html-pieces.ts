// HTML that is hard on converters is taken away first, in one pass over the text: elements that show nothing go, and a
// long page is cut where its blocks begin, because converters take more than linear time.

/** Elements whose content is not for readers. */
const HIDDEN = ["script", "style", "noscript", "template", "svg", "iframe", "object"];
const HIDDEN_START = String.raw`<!--|<(${HIDDEN.join("|")})\b`;
/** Inside of these a cut would lose what a line belongs to. */
const BLOCK_TAG = /<(\/?)(?:(table|ul|ol|dl|pre|blockquote)|h[1-6]|p|div|section|article)\b/gi;
const PIECE_CHARS = 32 * 1024;
const PIECE_TAGS = 500;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The HTML without comments, scripts, styles and the like. */
export function withoutHidden(html: string): string {
  const start = new RegExp(HIDDEN_START, "gi");
  let shown = "";
  let at = 0;
  for (let found = start.exec(html); found; found = start.exec(html)) {
    shown += html.slice(at, found.index);
    at = endOf(html, found[1], found.index);
    start.lastIndex = at;
  }
  return shown + html.slice(at);
}

/** The end of a hidden part; one that is never closed hides all that follows, as in a browser. */
function endOf(html: string, element: string | undefined, from: number): number {
  const end = new RegExp(element ? String.raw`</${element}\b[^>]*>?` : "-->", "gi");
  // The shortest comment is `<!-->`.
  end.lastIndex = from + 2;
  return end.exec(html) ? end.lastIndex : html.length;
}

/** The HTML in pieces that can be converted one by one. */
export function piecesOf(html: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  let tags = 0;
  for (const { index, 1: slash, 2: container } of html.matchAll(BLOCK_TAG)) {
    tags++;
    if (container) {
      depth = Math.max(0, depth + (slash ? -1 : 1));
    } else if (!slash && depth === 0 && (index - start >= PIECE_CHARS || tags >= PIECE_TAGS)) {
      pieces.push(html.slice(start, index));
      start = index;
      tags = 0;
    }
  }
  pieces.push(html.slice(start));
  return pieces;
}

/** The bare text of HTML: for what cannot be converted. Linear in its length, whatever the HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, "\n")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}
