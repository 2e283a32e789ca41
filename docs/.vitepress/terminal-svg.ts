// What a terminal shows, as a picture: text with colours, bold and dim. No font, script or file from elsewhere.

const CHAR_WIDTH = 7.8;
const LINE_HEIGHT = 18;
const PADDING = 18;
const BAR_HEIGHT = 34;

const COLOURS: Readonly<Record<number, string>> = {
  31: "#f47067",
  32: "#6bc46d",
  33: "#daaa3f",
  34: "#6cb6ff",
  35: "#dcbdfb",
  36: "#56d4dd",
};

interface Look {
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly colour: string | null;
}

const PLAIN: Look = { isBold: false, isDim: false, colour: null };

/** Lines with the escape sequences of colours; any other sequence is left out. */
export function terminalSvg(lines: readonly string[], title: string): string {
  let look = PLAIN;
  let columns = 0;
  const rows = lines.map((line, index) => {
    const spans: string[] = [];
    let column = 0;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal is sent
    for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)[A-Za-z]|([^\u001b]+)/g)) {
      if (codes !== undefined) look = codes.split(";").reduce((sum, code) => changed(sum, Number(code)), look);
      if (!text) continue;
      if (text.trim() !== "") spans.push(span(text, column, look));
      column += text.length;
    }
    columns = Math.max(columns, column);
    return `<text y="${BAR_HEIGHT + PADDING + index * LINE_HEIGHT}">${spans.join("")}</text>`;
  });
  const width = Math.ceil(columns * CHAR_WIDTH + 2 * PADDING);
  const height = BAR_HEIGHT + lines.length * LINE_HEIGHT + PADDING;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="8" fill="#1c2128"/>
<g fill="#444c56"><circle cx="20" cy="17" r="6"/><circle cx="40" cy="17" r="6"/><circle cx="60" cy="17" r="6"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#adbac7" xml:space="preserve">
<text x="${width / 2}" y="22" text-anchor="middle" opacity="0.6">${escaped(title)}</text>
${rows.join("\n")}
</g>
</svg>
`;
}

function changed(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 39) return { ...look, colour: null };
  return COLOURS[code] ? { ...look, colour: COLOURS[code] } : look;
}

/** Each piece has its place and length, so that columns hold in any font. */
function span(text: string, column: number, { isBold, isDim, colour }: Look): string {
  const lead = text.length - text.trimStart().length;
  // Spaces that are not collapsed.
  const shown = text.trim().replaceAll(" ", "\u00a0");
  const attributes = [
    `x="${PADDING + (column + lead) * CHAR_WIDTH}"`,
    `textLength="${shown.length * CHAR_WIDTH}"`,
    ...(isBold ? ['font-weight="bold"'] : []),
    ...(isDim ? ['opacity="0.6"'] : []),
    ...(colour ? [`fill="${colour}"`] : []),
  ];
  return `<tspan ${attributes.join(" ")}>${escaped(shown)}</tspan>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
