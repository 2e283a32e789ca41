/** One line of the table. All figures of a row have the same unit. */
export interface Row {
  readonly what: string;
  /** `""` for a bare number. */
  readonly unit: string;
  readonly ours: number;
  /** The same work by a bare hand-written loop. */
  readonly floor?: number;
  /** The same work by the smallest loop over the provider contract and an event stream. */
  readonly contractFloor?: number;
  /** Every one of them has to be kept. A row without is for information. */
  readonly budgets?: readonly Budget[];
}

/** The most that is allowed: a figure in the row's unit, or that many times a floor. */
export interface Budget {
  readonly max: number;
  readonly times?: "floor" | "contractFloor";
}

export const isQuick = process.env.BENCH_QUICK === "1";

/** Hands a program's rows to the process that started it. */
export function report(rows: readonly Row[]): void {
  process.stdout.write(JSON.stringify(rows));
}

function isKept(row: Row, { max, times }: Budget): boolean {
  const base = times === undefined ? 1 : row[times];
  if (base === undefined) throw new Error(`The row "${row.what}" has a budget over a floor that was not measured.`);
  return row.ours <= max * base;
}

const FLOOR_NAMES = { floor: "× floor", contractFloor: "× contract floor" } as const;

const COLUMNS = ["what", "floor", "contract floor", "loopwright", "× floor", "× contract floor", "budget"];

const cellsOf = (row: Row): readonly string[] => [
  row.what,
  figure(row.floor, row.unit),
  figure(row.contractFloor, row.unit),
  figure(row.ours, row.unit),
  ratio(row.ours, row.floor),
  ratio(row.ours, row.contractFloor),
  describeBudgets(row),
];

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  return markdown(
    [...COLUMNS, "kept"],
    rows.map((row) => [...cellsOf(row), verdict(row)]),
  );
}

/** The same for readers of the docs: every figure and its budget, without a verdict. */
export function publicTableOf(rows: readonly Row[]): string {
  return markdown(COLUMNS, rows.map(cellsOf));
}

/** The rows that `names` has new names for, in its order: ours, and the floor of each that has one. */
export function headlinesOf(rows: readonly Row[], names: Readonly<Record<string, string>>): string {
  const lines = Object.entries(names).map(([what, name]) => {
    const row = rows.find((one) => one.what === what);
    if (!row) throw new Error(`No row is called "${what}".`);
    return [name, figure(row.ours, row.unit), figure(row.floor, row.unit)];
  });
  return markdown(["what", "loopwright", "floor"], lines);
}

function describeBudgets({ budgets = [], unit }: Row): string {
  return budgets.map((budget) => describeBudget(budget, unit)).join(", ") || "–";
}

export function markdown(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)));
  const draw = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [draw(header), rule, ...lines.map(draw)].join("\n");
}

export function figure(value: number | undefined, unit: string): string {
  if (value === undefined) return "–";
  const shown = value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  return unit === "" ? shown : `${shown} ${unit}`;
}

function ratio(ours: number, floor: number | undefined): string {
  return floor ? `${(ours / floor).toFixed(2)}` : "–";
}

function describeBudget({ max, times }: Budget, unit: string): string {
  return times === undefined ? `≤ ${figure(max, unit)}` : `≤ ${max} ${FLOOR_NAMES[times]}`;
}

function verdict(row: Row): string {
  if (!row.budgets?.length) return "–";
  return row.budgets.every((budget) => isKept(row, budget)) ? "yes" : "**no**";
}
