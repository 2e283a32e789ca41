import { readFileSync } from "node:fs";

/** Measures or limits, by the name of what was counted. */
export type Numbers = Readonly<Record<string, number>>;

/** As `wc -l` counts. */
export const linesOf = (file: string): number => readFileSync(file, "utf8").split("\n").length - 1;
