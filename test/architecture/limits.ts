import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Numbers } from "./measure/numbers.js";
import { linesOfModules } from "./measure/sizes.js";
import { largeDirectories, largeFiles } from "./measure/structure.js";
import { type Trip, tripNumbers } from "./measure/trips.js";

/** What is limited: the kinds of numbers, each by name. `modules` is kept in budgets.json, the rest in limits.json. */
export interface Limits {
  readonly modules: Numbers;
  readonly trips: Numbers;
  readonly structure: Numbers;
  readonly linesOfLargeFiles: Numbers;
  readonly entriesOfLargeDirectories: Numbers;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const BUDGETS = path("budgets.json");
const LIMITS = path("limits.json");

export function readLimits(): Limits {
  const json = (file: string) => JSON.parse(readFileSync(file, "utf8")) as unknown;
  return { modules: json(BUDGETS) as Numbers, ...(json(LIMITS) as Omit<Limits, "modules">) };
}

export function writeLimits({ modules, ...rest }: Limits): void {
  writeFileSync(BUDGETS, `${JSON.stringify(modules, null, 2)}\n`);
  writeFileSync(LIMITS, `${JSON.stringify(rest, null, 2)}\n`);
}

/** All numbers as they are, from the trips and from the names behind the numbers of the structure. */
export function measured(
  trips: Readonly<Record<string, Trip>>,
  faults: Readonly<Record<string, readonly string[]>>,
): Limits {
  const counts = Object.entries(faults).map(([name, found]) => [name, found.length] as const);
  return {
    modules: linesOfModules(),
    trips: tripNumbers(trips),
    structure: Object.fromEntries(counts),
    linesOfLargeFiles: largeFiles(),
    entriesOfLargeDirectories: largeDirectories(),
  };
}

/** A line for each number above its limit or without one. */
export function risen(now: Numbers, limits: Numbers): string[] {
  return Object.entries(now)
    .filter(([name, count]) => count > (limits[name] ?? 0))
    .map(([name, count]) => `${name}: ${count}, ${name in limits ? `at most ${limits[name]}` : "and has no limit"}`);
}

/** A line for each limit that has nothing left to limit. */
export function gone(now: Numbers, limits: Numbers): string[] {
  return Object.keys(limits)
    .filter((name) => !(name in now))
    .map((name) => `${name}: has a limit and needs none`);
}
