import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import { build, type Plugin, transform } from "esbuild";
import { minifySync, parseSync } from "rolldown/utils";
import { defineConfig } from "tsup";
import ts from "typescript";

const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, unknown>;
  bin: Record<string, string>;
};

/** One entry for each subpath of package.json `exports`: one directory with an index.ts. */
const entry = Object.fromEntries(
  Object.keys(exports)
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => (subpath === "." ? "index" : `${subpath.slice(2)}/index`))
    .map((name) => [name, `src/${name}.ts`]),
);

/** The program: an entry that nobody imports. */
const program = Object.values(bin).map((path) => /dist\/(.*)\.js$/.exec(path)![1]!);
const programEntry = Object.fromEntries(program.map((name) => [name, `src/${name}.ts`]));

/**
 * Dependencies of which a part travels with the library: less to download, and fewer files to resolve at import. They are
 * development dependencies, so that nobody installs them twice.
 */
const BUNDLED = {
  "@cfworker/json-schema": "README.md",
  "async-mutex": "LICENSE",
  diff: "LICENSE",
  eventemitter3: "LICENSE",
  ignore: "LICENSE-MIT",
  "jsonc-parser": "LICENSE.md",
  "p-limit": "license",
  unbash: "LICENSE",
  "yocto-queue": "license",
};

/** The same for the program's terminal library and what it needs, which the terminal alone loads. */
const BUNDLED_IN_PROGRAM = ["@mariozechner/pi-tui", "marked", "get-east-asian-width"];
const TERMINAL_LIBRARY = "node_modules/@mariozechner/pi-tui";
const PROGRAM_LICENSES = [
  ["marked", `${TERMINAL_LIBRARY}/node_modules/marked/LICENSE.md`],
  ["get-east-asian-width", "node_modules/get-east-asian-width/license"],
] as const;
/** It comes without a file of its license; this is the one of the repository that its package names, badlogic/pi-mono. */
const TERMINAL_LICENSE = `@mariozechner/pi-tui

MIT License

Copyright (c) 2025 Mario Zechner

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** Nobody looks for these packages' names in a stack trace of ours: they are shortened wholly. */
const shortenBundled: Plugin = {
  name: "shorten-bundled",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const format = /^(?:import|export)\b/m.test(source) ? "esm" : undefined;
      return { contents: (await transform(source, { minify: true, format, legalComments: "none" })).code };
    });
  },
};

/** Their licenses ask to be kept with every copy. */
function writeLicenses(): void {
  const files = Object.entries(BUNDLED).map(([name, file]) => [name, `node_modules/${name}/${file}`] as const);
  const texts = [...files, ...PROGRAM_LICENSES].map(([name, file]) => {
    return `${name}\n\n${readFileSync(file, "utf8").trim()}\n`;
  });
  writeFileSync(
    "dist/LICENSES.txt",
    `Parts of these packages are included.\n\n${[...texts, TERMINAL_LICENSE].join(`\n${"-".repeat(72)}\n\n`)}`,
  );
}

/**
 * What the root entry loads becomes one file, and so does what its first run loads: a file costs as much as 30 KB of code
 * (docs/decisions/0013). A coding agent's entries have a file each, as has what providers share, and what many entries do.
 */
async function mergeFiles(): Promise<void> {
  const loop = readdirSync("dist").find((file) => /^loop-[A-Z0-9]{8}\.js$/.test(file))!;
  const others = Object.keys(entry).filter((name) => !RUNNING.includes(name.replace("/index", "")));
  const ofOthers = new Set(others.flatMap((name) => [...loadedBy(`${name}.js`)]));
  const shared = [...loadedBy(loop)].filter((chunk) => ofOthers.has(chunk));
  await mergeInto("core.js", new Set([...loadedBy("index.js"), ...shared]));
  await mergeInto("loop.js", loadedBy(loop).add(loop));
  const byProvider = PROVIDERS.map((name) => loadedBy(`${name}/index.js`));
  const ofProviders = [...new Set(byProvider.flatMap((loaded) => [...loaded]))];
  const ofMany = ofProviders.filter((chunk) => byProvider.filter((loaded) => loaded.has(chunk)).length > 1);
  await mergeInto("providers.js", new Set(ofMany));
  await mergeInto("shared.js", sharedChunks(runsAnywhere));
  await mergeInto("node.js", sharedChunks());
  const programs = program.map((name) => loadedBy(`${name}.js`));
  for (const name of CODING_AGENT) {
    const others = [
      ...programs,
      ...CODING_AGENT.filter((one) => one !== name).map((one) => loadedBy(`${one}/index.js`)),
    ];
    const chunks = [...loadedBy(`${name}/index.js`)].filter((chunk) => !others.some((loaded) => loaded.has(chunk)));
    await mergeInto(`${name}.js`, new Set(chunks));
  }
  for (const name of Object.keys(entry)) foldInto(`${name}.js`);
}

/** An entry that passes on all of one chunk, and nothing else, takes the chunk's place: a file less to load. */
function foldInto(path: string): void {
  const [, imported, chunk, exported] = PASSING_ON.exec(readFileSync(`dist/${path}`, "utf8")) ?? [];
  if (!chunk) return;
  const code = readFileSync(`dist/${chunk}`, "utf8");
  const names = /^export \{([^}]*)\};\s*$/m.exec(code)?.[1];
  if (sorted(imported) !== sorted(exported) || sorted(names) !== sorted(exported)) return;
  const up = "../".repeat(path.split("/").length - 1);
  writeFileSync(`dist/${path}`, code.replaceAll(/(?<=^(?:.*\bfrom|import) "|\bimport\(")\.\//gm, up || "./"));
  rmSync(`dist/${chunk}`);
  replaceInFiles((one) => one.replaceAll(chunk, path));
}

/** A list of names, whatever its order. */
const sorted = (names = ""): string =>
  names
    .split(",")
    .map((name) => name.trim())
    .sort()
    .join();

const PASSING_ON = /^import \{([^}]*)\} from "(?:\.{1,2}\/)+(chunk-[A-Z0-9]{8}\.js)";\s*export \{([^}]*)\};\s*$/;

/** Entries whose code is of no use without a run. What any other entry shares with runs does not wait for one. */
const RUNNING = ["acp", "mcp", "presets", "scheduler", "testing"];
const PROVIDERS = ["providers", ...["openai", "anthropic", "google", "ai-sdk"].map((name) => `providers/${name}`)];
const CODING_AGENT = ["permissions", "tools", "workspace", "sessions"];
/** Of small chunks that so many entries load, a process has most loaded anyway. */
const MANY = 4;
const SMALL_BYTES = 30_000;

/** The small chunks that many entries load, or two of a coding agent's, with what those load; not what waits for a run. */
function sharedChunks(fits: (code: string) => boolean = () => true): ReadonlySet<string> {
  const loads = new Map(Object.keys(entry).map((name) => [name, loadedBy(`${name}.js`)]));
  const isShared = (chunk: string): boolean => {
    const loaders = [...loads.keys()].filter((name) => loads.get(name)!.has(chunk));
    const agents = loaders.filter((name) => CODING_AGENT.includes(name.replace("/index", "")));
    const code = readFileSync(`dist/${chunk}`, "utf8");
    const isFirst = !code.includes('from "./loop.js"');
    return (loaders.length >= MANY || agents.length > 1) && isFirst && code.length <= SMALL_BYTES && fits(code);
  };
  const chunks = new Set([...loads.values()].flatMap((loaded) => [...loaded]));
  return new Set([...chunks].filter((chunk) => [chunk, ...loadedBy(chunk)].every(isShared)));
}

/** Whether a page could load it. */
const runsAnywhere = (code: string): boolean => !/\bfrom "node:/.test(code);

async function mergeInto(target: string, parts: ReadonlySet<string>): Promise<void> {
  /** What is imported when it is used stays a file of its own, and so does what is not a part. */
  const staysFile = ({ kind, path }: { readonly kind: string; readonly path: string }) =>
    kind === "dynamic-import" || !parts.has(path.slice("./".length)) ? { path, external: true } : undefined;
  await build({
    stdin: { contents: [...parts].map((part) => `export * from "./${part}";`).join("\n"), resolveDir: "dist" },
    outfile: `dist/${target}`,
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    packages: "external",
    logOverride: { "ambiguous-reexport": "error" },
    plugins: [{ name: "stay-files", setup: ({ onResolve }) => onResolve({ filter: /.*/ }, staysFile) }],
  });
  for (const part of parts) rmSync(`dist/${part}`);
  const named = (code: string) => code.replaceAll(PART, (part) => (parts.has(part) ? target : part));
  replaceInFiles((code, path) => (path === target ? code : named(code).replaceAll(NAMELESS, "")));
}

function replaceInFiles(change: (code: string, path: string) => string): void {
  const paths = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
  for (const path of paths) {
    const code = readFileSync(`dist/${path}`, "utf8");
    const changed = change(code, path);
    if (changed !== code) writeFileSync(`dist/${path}`, changed);
  }
}

const PART = /\b(?:chunk|loop)-[A-Z0-9]{8}\.js\b/g;
/** An import of no names: no module of ours does anything when it is loaded. */
const NAMELESS = /^import "(?:\.{1,2}\/)+[\w-]+\.js";\n/gm;
const IMPORTED = /(?:\bfrom|^import) "(?:\.{1,2}\/)+(chunk-[A-Z0-9]{8}\.js)"/gm;

/** The chunks that a file of `dist` imports at once, and what those import. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  for (const [, chunk] of readFileSync(`dist/${file}`, "utf8").matchAll(IMPORTED)) {
    if (!found.has(chunk!)) loadedBy(chunk!, found.add(chunk!));
  }
  return found;
}

/**
 * Less to download, and less to read at import (docs/decisions/0025). Functions and classes keep their names, statements
 * their lines and their indentation: a stack trace says where it was, and a debugger can follow.
 */
function shrink(): void {
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".js"),
  )) {
    const { code, errors } = minifySync(path, readFileSync(`dist/${path}`, "utf8"), {
      module: true,
      compress: false,
      mangle: { toplevel: true, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: false },
    });
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join("; ")}`);
    writeFileSync(`dist/${path}`, breakLines(path, hideComputedImports(inAscii(path, code))));
  }
}

/** One character beyond Latin-1 makes V8 keep the whole file in two bytes for each character, which it is slower to read. */
function inAscii(path: string, code: string): string {
  const raw = /String\.raw`[^`]*[^\0-\x7f][^`]*`/.exec(code);
  if (raw) throw new Error(`${path}: write \\u escapes in String.raw, where none can be put: ${raw[0].slice(0, 200)}`);
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Bundlers would warn that they cannot follow these; the comments that say so were dropped with all others. */
function hideComputedImports(code: string): string {
  return code.replaceAll(/\bimport\((?=[\w$]+\))/g, "import(/* webpackIgnore: true */ /* @vite-ignore */ ");
}

/** Of a line. */
const MAX_CHARS = 140;

/**
 * Node prints the whole line that an uncaught error came from, before its message: no line may be long. It is broken where
 * a node begins after punctuation, which is where a line break means nothing; texts and patterns stay whole.
 */
function breakLines(path: string, code: string): string {
  const starts = [...startsIn(parseSync(path, code).program, code)].sort((one, other) => one - other);
  let next = 0;
  let lineStart = 0;
  const parts = code.split("\n").map((line) => {
    const lineEnd = lineStart + line.length;
    let from = lineStart;
    let broken = "";
    for (; starts[next]! < lineEnd; next++) {
      const isLast = !(starts[next + 1]! < lineEnd);
      const fits = (isLast ? lineEnd : starts[next + 1]!) - from <= MAX_CHARS;
      if (fits || starts[next]! <= lineStart) continue;
      broken += `${code.slice(from, starts[next]).trimEnd()}\n`;
      from = starts[next]!;
    }
    lineStart = lineEnd + 1;
    return broken + code.slice(from, lineEnd);
  });
  return parts.join("\n");
}

/** Where nodes begin after punctuation. */
function startsIn(node: unknown, code: string, found = new Set<number>()): ReadonlySet<number> {
  if (typeof node !== "object" || node === null) return found;
  const { type, start } = node as { readonly type?: unknown; readonly start?: unknown };
  const isText = type === "TemplateElement";
  if (typeof start === "number" && !isText && /[([{,?:&|] ?$/.test(code.slice(start - 2, start))) found.add(start);
  for (const child of Object.values(node)) startsIn(child, code, found);
  return found;
}

/** CommonJS loads the same modules (docs/decisions/0010): there is one copy of every class, whoever asks for it. */
function writeCommonJs(): void {
  for (const name of Object.keys(entry)) {
    writeFileSync(`dist/${name}.cjs`, `"use strict";\nmodule.exports = require("./index.js");\n`);
  }
}

/** The declarations are those of CommonJS, which both module systems can read: made once, downloaded once. */
function writeModuleDeclarations(): void {
  for (const name of Object.keys(entry)) {
    mkdirSync(dirname(`dist/${name}`), { recursive: true });
    writeFileSync(`dist/${name}.d.ts`, `export * from "./index.cjs";\n`);
  }
}

/** Symbol.asyncDispose stands in our declarations, whatever "lib" the app that reads them has chosen. */
const LIB = `/// <reference lib="esnext.disposable" />`;

const DECLARATIONS = "dist-types";

/**
 * The declaration of each source file, made in one pass: tsup, given sources, makes a program of all types for each
 * directory with an entry, which took minutes and 4 GB.
 */
function writeDeclarations(): void {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: Object.values(entry) },
    ts.sys,
    ".",
  );
  const emitting = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: "src",
    outDir: DECLARATIONS,
  };
  const program = ts.createProgram(Object.values(entry), { ...options, ...emitting });
  const { diagnostics } = program.emit(undefined, (path, text) => ts.sys.writeFile(path, withTabs(text)));
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
}

/** Indentation is a tenth of a declaration file. */
const withTabs = (text: string): string =>
  text.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / "    ".length));

/** The entries among them, which tsup gathers into few files. */
const declared = Object.fromEntries(Object.keys(entry).map((name) => [name, `${DECLARATIONS}/${name}.d.ts`]));

/** `npm run build -- --no-dts`: only what runs, for benchmarks. */
const hasDeclarations = !process.argv.includes("--no-dts");
if (hasDeclarations) {
  rmSync(DECLARATIONS, { recursive: true, force: true });
  writeDeclarations();
}

export default defineConfig([
  {
    entry: { ...entry, ...programEntry },
    format: ["esm"],
    splitting: true,
    clean: true,
    target: "es2022",
    platform: "neutral",
    // Deno, workers and bundlers tell what is built in by this prefix.
    removeNodeProtocol: false,
    external: [/^node:/, ...builtinModules],
    noExternal: [...Object.keys(BUNDLED), ...BUNDLED_IN_PROGRAM],
    esbuildPlugins: [shortenBundled],
    esbuildOptions(options) {
      options.minifySyntax = true;
      // The terminal library says where it begins in no other way.
      options.mainFields = ["module", "main"];
    },
    onSuccess: async () => {
      await mergeFiles();
      shrink();
      writeCommonJs();
      if (hasDeclarations) writeModuleDeclarations();
      writeLicenses();
    },
  },
  ...(hasDeclarations ? [{ entry: declared, format: "cjs" as const, dts: { only: true, banner: LIB } }] : []),
]);
