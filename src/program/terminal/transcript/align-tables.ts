// Columns that Markdown wants on the right or in the middle: the drawing library puts all text of a table on the left.

type Alignment = "left" | "center" | "right";

const RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** The drawn lines of a text with its tables' columns where the text says. */
export function alignTables(lines: string[], markdown: string): string[] {
  if (!markdown.includes("|") || !/:-|-:/.test(markdown)) return lines;
  const tables = alignmentsIn(markdown);
  const starts = lines.filter((line) => line.includes("┌")).length;
  // Where it is not plain which table is which, they stay as they are.
  if (starts !== tables.length) return lines;
  let at = -1;
  return lines.map((line) => {
    if (line.includes("┌")) at++;
    const cells = line.split("│");
    const columns = tables[at] ?? [];
    if (cells.length !== columns.length + 2) return line;
    return cells.map((cell, index) => alignCell(cell, columns[index - 1])).join("│");
  });
}

/** For each table of a text, how its columns are aligned. */
function alignmentsIn(markdown: string): (readonly Alignment[])[] {
  const found: (readonly Alignment[])[] = [];
  let isCode = false;
  let before = "";
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && before.includes("|") && RULE.test(line)) found.push(columnsOf(line));
    before = line;
  }
  return found;
}

function columnsOf(rule: string): readonly Alignment[] {
  const cells = rule
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|");
  return cells.map((cell) => {
    const [isLeft, isRight] = [/^\s*:/.test(cell), /:\s*$/.test(cell)];
    return isRight ? (isLeft ? "center" : "right") : "left";
  });
}

/** A cell has a space on both sides, and is filled on the right. */
function alignCell(cell: string, alignment: Alignment = "left"): string {
  const [, text = "", fill = ""] = /^ (.*?)( *) $/.exec(cell) ?? [];
  if (alignment === "left" || fill === "") return cell;
  const before = alignment === "right" ? fill.length : Math.floor(fill.length / 2);
  return ` ${" ".repeat(before)}${text}${" ".repeat(fill.length - before)} `;
}
