/** What of the structure of `src` may only become less: as lists of names, and as sizes by name. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { circlesIn, ENGINE_ROOMS, localImports, roomOf, SRC, sourceFiles } from "./imports.js";
import { linesOf, type Numbers } from "./numbers.js";
import { writtenAgain } from "./same-bodies.js";

const MOST_LINES = 300;
const MOST_ENTRIES = 20;

/** Arrows that run against the order of the engine's rooms once types count, too. */
function arrowsBack(): string[] {
  const order = [...Object.keys(ENGINE_ROOMS), "top"];
  const arrows = localImports("value", "type")
    .filter(({ from, to }) => roomOf(from) !== undefined && to.startsWith("engine/"))
    .map(({ from, to }) => [roomOf(from)!, roomOf(to) ?? "top"] as const)
    .filter(([from, to]) => order.indexOf(from) < order.indexOf(to));
  return [...new Set(arrows.map(([from, to]) => `${from} → ${to}`))];
}

/** The names behind each number of the structure. */
export function faults(): Record<string, readonly string[]> {
  const circlesOfTypes = circlesIn(localImports("value", "type"));
  return {
    "files in circles of values, import() included": circlesIn(localImports("value", "dynamic")).flat(),
    "files in circles of types": circlesOfTypes.flat(),
    "files in the largest circle of types": circlesOfTypes[0] ?? [],
    "arrows back between rooms of the engine, types included": arrowsBack(),
    "functions that another file has already": writtenAgain(),
  };
}

/** Lines of the files that have more than 300. */
export function largeFiles(): Numbers {
  const lines = sourceFiles().map((file) => [`src/${file}`, linesOf(join(SRC, file))] as const);
  return Object.fromEntries(lines.filter(([, count]) => count > MOST_LINES));
}

/** Entries of the directories that have more than 20. */
export function largeDirectories(): Numbers {
  const inside = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(SRC, path)).isDirectory(),
  );
  const entries = ["", ...inside.sort()].map(
    (path) => [join("src", path), readdirSync(join(SRC, path)).length] as const,
  );
  return Object.fromEntries(entries.filter(([, count]) => count > MOST_ENTRIES));
}
