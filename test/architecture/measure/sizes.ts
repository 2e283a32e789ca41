import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { linesOf, type Numbers } from "./numbers.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TYPESCRIPT = /\.[cm]?tsx?$/;

/** `src/engine` for a file in it, `src/(top)` for one beside the modules, and other directories as a whole. */
function moduleOf(file: string): string {
  const [directory, module, ...rest] = file.split("/");
  if (directory !== "src") return directory!;
  if (!TYPESCRIPT.test(file)) return "src/(not TypeScript)";
  return rest.length > 0 ? `src/${module}` : "src/(top)";
}

function filesIn(directory: string): string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (directory === "src" || TYPESCRIPT.test(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).split(sep).join("/"))
    .filter((file) => !file.includes("/node_modules/"))
    .sort();
}

/** Lines of each module of `src`, and of the TypeScript of `src` and each other directory as a whole. */
export function linesOfModules(): Numbers {
  const lines: Record<string, number> = { src: 0 };
  for (const file of ["src", "page", "test", "examples", "bench", "docs"].flatMap(filesIn)) {
    const names = TYPESCRIPT.test(file) ? [moduleOf(file), file.split("/")[0]!] : [moduleOf(file)];
    for (const name of new Set(names)) lines[name] = (lines[name] ?? 0) + linesOf(join(ROOT, file));
  }
  return lines;
}
