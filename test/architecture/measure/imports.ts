/** Who imports whom in `src`, by path in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const SRC = fileURLToPath(new URL("../../../src", import.meta.url));

/** `value` is imported when the file loads, `dynamic` when it runs, `type` for the compiler alone. */
export type ImportKind = "value" | "dynamic" | "type";

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: ImportKind;
}

export function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.split(sep).join("/"))
    .sort();
}

/** What the import and export statements of a file name, packages included. */
export function importsOf(file: string): { readonly specifier: string; readonly kind: ImportKind }[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?from\s+)?["']([^"']+)["'];/gms);
  return [...statements].map(([, type, names = "", specifier]) => {
    const isTypeOnly = /^\{(\s*type\s+\w+( as \w+)?\s*,?)+\s*\}\s+from\s+$/.test(names.trimStart());
    return { specifier: specifier!, kind: type !== undefined || isTypeOnly ? "type" : "value" };
  });
}

/** `import("…")`, and `typeof import("…")`, which is a type. */
function importCallsOf(file: string): ReturnType<typeof importsOf> {
  const calls = readFileSync(join(SRC, file), "utf8").matchAll(/(typeof )?\bimport\(\s*"([^"]+)"/g);
  return [...calls].map(([, type, specifier]) => ({ specifier: specifier!, kind: type ? "type" : "dynamic" }));
}

const ALL: readonly Import[] = sourceFiles().flatMap((from) =>
  [...importsOf(from), ...importCallsOf(from)]
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier, kind }) => ({
      from,
      to: posix.join(posix.dirname(from), specifier.replace(/\.js$/, ".ts")),
      kind,
    })),
);

/** The imports of one file of `src` by another. */
export const localImports = (...kinds: readonly ImportKind[]): Import[] =>
  ALL.filter(({ kind }) => kinds.includes(kind));

/** Groups of files of which each reaches every other, the largest first (Tarjan's algorithm). */
export function circlesIn(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    lowest.set(file, index.get(file)!);
    const depth = stack.push(file) - 1;
    for (const next of targets.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      // A file that has left the stack belongs to a group that is complete.
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== index.get(file)) return;
    const group = stack.splice(depth).sort();
    if (group.length > 1) circles.push(group);
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return circles.sort((a, b) => b.length - a.length);
}

/** The directory of the engine that a file is in; undefined for the files at its top and for other modules. */
export const roomOf = (file: string): string | undefined => /^engine\/([^/]+)\//.exec(file)?.[1];

/**
 * The rooms of the engine, each with those it may import values from. The files at its top tell the story and may use
 * every room; no room uses them. A room comes after those it imports from.
 */
export const ENGINE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  transcript: [],
  tools: [],
  run: ["transcript", "tools"],
  calls: ["transcript", "tools", "run"],
  subagents: ["transcript", "calls", "tools", "run"],
  model: ["transcript", "calls", "run"],
  context: ["transcript", "tools", "run"],
  options: ["transcript", "tools", "run", "model"],
  session: ["transcript", "calls", "run", "context", "subagents"],
};
