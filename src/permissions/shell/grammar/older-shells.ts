// bash before 4.0, which macOS still has, looks for the end of `$(…)` in the text of a here-document, too: a quote in
// there opens a string, and a bracket that nothing opened is the end. What follows it would run.
const QUOTES = "'\"`";

/** The end of the parentheses, and text that may follow without ending them later. */
const HARMLESS_REST = /^\s*\)"?[^'"`()\\]*$/;

/**
 * Whether such a shell may end parentheses elsewhere than behind this here-document, of which `rest` is what follows.
 * Where a quote or a bracket stays open it finds no end at all and refuses the line, unless something in the rest is
 * one.
 */
export function mayEndEarly(body: string, rest: string): boolean {
  // Within quotes it knows no comments; outside it does.
  const ends = [body, body.replace(/(^|\s)#.*/g, "$1")].map(endOf);
  return ends.some((end) => end === "early" || (end === "open" && !HARMLESS_REST.test(rest)));
}

function endOf(text: string): "early" | "open" | "balanced" {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth < 0) return "early";
    else if (QUOTES.includes(char)) {
      at = closedAt(text, at + 1, char);
      if (at === -1) return "open";
    }
  }
  return depth === 0 ? "balanced" : "open";
}

function closedAt(text: string, from: number, closing: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && closing !== "'") at++;
    else if (text[at] === closing) return at;
  }
  return -1;
}
