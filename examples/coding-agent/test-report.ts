import { stripVTControlCharacters } from "node:util";

/** The tests that Node's test runner ran, by name. */
export interface TestReport {
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** A line of TAP, `not ok 7 - name`, or of the reporter for people, `✖ name (0.2ms)`. */
const TAP = /^\s*(not )?ok \d+ - (.*?)(?: # .*)?$/;
const SPEC = /^\s*([✔✖]) (.*) \([\d.]+ms\)/;

/**
 * Reads a report of either reporter. Order, indentation, colours, details and totals do not matter: they differ between
 * versions of Node and between terminals. `null`: the text reports no test.
 */
export function readTestReport(text: string): TestReport | null {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const line of stripVTControlCharacters(text).split("\n")) {
    const tap = TAP.exec(line);
    const [, mark, name] = tap ?? SPEC.exec(line) ?? [];
    if (name === undefined) continue;
    const isGood = tap ? mark === undefined : mark === "✔";
    (isGood ? passed : failed).add(name);
  }
  return passed.size + failed.size === 0 ? null : { passed, failed };
}
