/**
 * How many files a reader opens to follow a prompt, a tool call, a permission decision and a compaction: measured. The
 * program beside this file is bundled with `src` and a probe at the head of every function body, and run in a process.
 * Tables, constants and types are not seen.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import ts from "typescript";
import { linesOf, type Numbers } from "./numbers.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("trips-program.ts", import.meta.url));
/** What plays the model is no part of a trip. */
const NOT_COUNTED = /^src\/(?:providers\/scripted|testing)\//;

/** Files, functions and lines that a trip enters, a file with all its lines. */
export interface Trip {
  readonly files: number;
  readonly functions: number;
  readonly lines: number;
  readonly entered: readonly string[];
}

/** The text with a probe at the head of each function body, numbered after the bodies that are known already. */
function withProbes(file: string, text: string, bodies: string[]): string {
  const inserted: (readonly [at: number, text: string])[] = [];
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) ? (node as ts.FunctionLikeDeclaration).body : undefined;
    if (body) {
      const probe = `globalThis.entered?.push(${bodies.push(file) - 1})`;
      if (ts.isBlock(body)) inserted.push([body.getStart() + 1, `${probe};`]);
      else inserted.push([body.getStart(), `(${probe},(`], [body.end, "))"]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  // From the end, so that earlier places keep their position.
  return inserted
    .sort(([a], [b]) => b - a)
    .reduce((sum, [at, probe]) => sum.slice(0, at) + probe + sum.slice(at), text);
}

const probes = (bodies: string[]): Plugin => ({
  name: "probes",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(ROOT, path).split(sep).join("/");
      if (!file.startsWith("src/")) return undefined;
      return { contents: withProbes(file, readFileSync(path, "utf8"), bodies), loader: "ts" };
    });
  },
});

/** The four trips, made in an empty directory that is also the home of their user. */
export async function measureTrips(): Promise<Readonly<Record<string, Trip>>> {
  const directory = mkdtempSync(join(tmpdir(), "trips-"));
  try {
    const [outfile, cwd] = [join(directory, "trips.mjs"), join(directory, "empty")];
    symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"), "junction");
    mkdirSync(cwd);
    const bodies: string[] = [];
    await build({
      entryPoints: [PROGRAM],
      outfile,
      // By its paths, "loopwright" is src.
      tsconfig: join(ROOT, "tsconfig.json"),
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      plugins: [probes(bodies)],
    });
    const env = { PATH: process.env.PATH, HOME: cwd };
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd, env });
    const trips = Object.entries(JSON.parse(stdout) as Record<string, number[]>);
    return Object.fromEntries(trips.map(([name, entered]) => [name, tripOf(entered, bodies)]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function tripOf(entered: readonly number[], bodies: readonly string[]): Trip {
  const functions = new Set(entered.filter((body) => !NOT_COUNTED.test(bodies[body]!)));
  const files = [...new Set([...functions].map((body) => bodies[body]!))];
  const lines = files.reduce((sum, file) => sum + linesOf(join(ROOT, file)), 0);
  return { files: files.length, functions: functions.size, lines, entered: files };
}

/** The trips as limits hold them: `a compaction, files`. */
export function tripNumbers(trips: Readonly<Record<string, Trip>>): Numbers {
  return Object.fromEntries(
    Object.entries(trips).flatMap(([name, trip]) =>
      (["files", "functions", "lines"] as const).map((unit) => [`${name}, ${unit}`, trip[unit]]),
    ),
  );
}

/** The rows of `docs/architecture.md`, which are written by `write-limits.ts`. */
export function tripRows(trips: Readonly<Record<string, Trip>>): string[] {
  return Object.entries(trips).map(([name, { files }]) => `| ${name} | ${files} |`);
}
