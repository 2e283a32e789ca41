// The tables of bench/results-peers.md as pictures: `npx tsx bench/plots.ts` draws them again. Every bar begins at nothing.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PICTURES = join(HERE, "../docs/images");

const OURS = "loopwright";
/** Not libraries: loops by hand. */
const FLOORS: readonly string[] = ["node-http", "fetch"];

const WIDTH = 760;
const COLUMNS = 2;
const GAP = 28;
const LABEL_WIDTH = 92;
const VALUE_WIDTH = 66;
const ROW_HEIGHT = 20;
const TITLE_HEIGHT = 34;
const MARGIN = 20;

/** Both themes of a page: an image does not know which one is set, so it brings its own background. */
const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #3c3c43; }
.title { font-weight: 600; }
.ours { font-weight: 600; }
.paper { fill: #ffffff; }
rect.bar { fill: #a8b1bf; }
rect.bar.ours { fill: #3f6ad8; }
rect.bar.floor { fill: #d8dde5; }
@media (prefers-color-scheme: dark) {
  text { fill: #dfdfd6; }
  .paper { fill: #1b1b1f; }
  rect.bar { fill: #5c6470; }
  rect.bar.ours { fill: #7c9cf0; }
  rect.bar.floor { fill: #3a3f47; }
}`;

interface Bar {
  readonly library: string;
  readonly value: number;
  /** As the table has it, with its unit. */
  readonly label: string;
}

interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** A table of the report as panels, one for each column of figures. */
function panelsOf(table: string): Panel[] {
  const [head, , ...rows] = table.trim().split("\n").map(cellsOf);
  return head!.slice(1).map((title, column) => ({
    title,
    bars: rows.map(([library, ...figures]) => {
      const label = figures[column]!.replace(/ \(.*\)$/, "");
      return { library: library!.split(" ")[0]!, value: Number.parseFloat(label), label };
    }),
  }));
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** One picture: small plots side by side, each with a scale of its own, the least first. */
function pictureOf(title: string, panels: readonly Panel[]): string {
  const rows = Math.max(...panels.map(({ bars }) => bars.length));
  const panelWidth = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS;
  const panelHeight = TITLE_HEIGHT + rows * ROW_HEIGHT + GAP / 2;
  const height = 2 * MARGIN + Math.ceil(panels.length / COLUMNS) * panelHeight - GAP / 2;
  const drawn = panels.map((panel, index) => {
    const x = MARGIN + (index % COLUMNS) * (panelWidth + GAP);
    const y = MARGIN + Math.floor(index / COLUMNS) * panelHeight;
    return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${panelLines(panel, panelWidth)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="8"/>
${drawn.join("\n")}
</svg>
`;
}

function panelLines({ title, bars }: Panel, width: number): string {
  const room = width - LABEL_WIDTH - VALUE_WIDTH;
  const most = Math.max(...bars.map(({ value }) => value));
  const sorted = [...bars].sort((a, b) => a.value - b.value);
  const lines = sorted.map(({ library, value, label }, row) => {
    const y = TITLE_HEIGHT + row * ROW_HEIGHT;
    const length = Math.max(1, (value / most) * room);
    const kind = library === OURS ? " ours" : FLOORS.includes(library) ? " floor" : "";
    return [
      `<text class="${kind.trim()}" x="0" y="${y}">${escaped(library)}</text>`,
      `<rect class="bar${kind}" x="${LABEL_WIDTH}" y="${y - 10}" width="${length.toFixed(1)}" height="12" rx="2"/>`,
      `<text class="${kind.trim()}" x="${(LABEL_WIDTH + length + 6).toFixed(1)}" y="${y}">${escaped(label)}</text>`,
    ].join("");
  });
  return [`<text class="title" x="0" y="12">${escaped(title)}</text>`, ...lines].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The pictures of a report, by file name. */
export function plotsOf(report: string): { readonly [file: string]: string } {
  const [turns, http] = report.match(/(?:^\|.*\n)+/gm) ?? [];
  if (!turns || !http) throw new Error("The report has not the two tables that are drawn.");
  return {
    "peers-http.svg": pictureOf("100 agents over HTTP: processor time and wall time of each library", panelsOf(http)),
    "peers-turns.svg": pictureOf("The work of a turn: processor time and memory of each library", panelsOf(turns)),
  };
}

/** Draws a report into the pictures of the docs. */
export async function drawPlots(report: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  for (const [file, picture] of Object.entries(plotsOf(report))) await writeFile(join(PICTURES, file), picture);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await drawPlots(await readFile(join(HERE, "results-peers.md"), "utf8"));
}
