import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { minifySync } from "rolldown/utils";
import { defineConfig } from "tsup";
import ts from "typescript";

/** One entry for each subpath of package.json `exports`: one directory with an index.ts. */
const names = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).exports as Record<string, unknown>)
  .filter((subpath) => !subpath.endsWith(".json"))
  .map((subpath) => (subpath === "." ? "index" : `${subpath.slice(2)}/index`));
const entry = Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

/** Packages that are part of our files, with their licenses: each costs an import over 3 ms, or only the program needs it. */
const BUNDLED = {
  eventemitter3: "node_modules/eventemitter3/LICENSE",
  ignore: "node_modules/ignore/LICENSE-MIT",
  "jsonc-parser": "node_modules/jsonc-parser/LICENSE.md",
  unbash: "node_modules/unbash/LICENSE",
  "@earendil-works/pi-tui": "test/packaging/licenses/pi-tui.txt",
  marked: "node_modules/marked/LICENSE.md",
  "highlight.js": "node_modules/highlight.js/LICENSE",
  "get-east-asian-width": "node_modules/get-east-asian-width/license",
};

const common = { bundle: true, format: "esm", target: "es2022", platform: "neutral" } as const;

/** Entries that are of no use without a run: what they share with runs may wait for one. */
const RUNNING = /^(?:acp|mcp|presets|scheduler|testing)\//;
const AGENT = /^(?:permissions|tools|workspace|sessions)\//;
const MANY = 4;

/**
 * The sources that become one file, each with the name of its group: a file costs as much at import as 30 KB of code
 * (docs/decisions/0013). What a member imports is in its group or in one before it.
 */
async function groups(): Promise<ReadonlyMap<string, string>> {
  const entryPoints = Object.values(entry);
  const scan = { ...common, entryPoints, outdir: "dist", packages: "external", write: false, metafile: true } as const;
  const { inputs } = (await build(scan)).metafile;
  const withImports = (file: string, found = new Set([file])): Set<string> => {
    for (const { path, kind, external } of inputs[file]!.imports) {
      if (!external && kind === "import-statement" && !found.has(path)) withImports(path, found.add(path));
    }
    return found;
  };
  const ofEntry = new Map(names.map((name) => [name, withImports(`src/${name}.ts`)]));
  const sharedBy = (count: number, among: readonly string[]) =>
    Object.keys(inputs).filter((file) => among.filter((name) => ofEntry.get(name)!.has(file)).length >= count);
  const usesNode = (file: string) => inputs[file]!.imports.some(({ path }) => path.startsWith("node:"));
  const agent = names.filter((name) => AGENT.test(name));
  const beforeRuns = new Set(names.filter((name) => !RUNNING.test(name)).flatMap((name) => [...ofEntry.get(name)!]));
  const providers = names.filter((name) => name.startsWith("providers/"));
  const run = withImports("src/engine/loop.ts");
  const shared = [...sharedBy(MANY, names), ...sharedBy(2, agent)];
  const inOrder: readonly (readonly [string, Iterable<string>])[] = [
    ["core", ofEntry.get("index")!],
    ["before", [...run].filter((file) => beforeRuns.has(file))],
    ["run", run],
    ["providers", sharedBy(2, providers)],
    ["anywhere", shared.filter((file) => ![...withImports(file)].some(usesNode))],
    ["node", shared],
    ...agent.map((name) => [name, ofEntry.get(name)!] as const),
  ];
  // Of two groups for one file, the first is set last.
  const pairs = [...inOrder].reverse().flatMap(([group, files]) => [...files].map((file) => [file, group] as const));
  return new Map(pairs.filter(([file]) => !entryPoints.includes(file)));
}

/** An import of one member from outside is an import of its whole group, which gives the bundler no reason to cut it. */
const wholeGroups: Plugin = {
  name: "whole-groups",
  async setup({ onResolve, onLoad }) {
    const groupOf = await groups();
    const source = (directory: string, path: string) => relative("", resolve(directory, path)).replace(/\.js$/, ".ts");
    onResolve({ filter: /^\.{1,2}\// }, ({ importer, path, resolveDir, namespace }) => {
      const group = namespace === "group" ? undefined : groupOf.get(source(resolveDir, path));
      return group && group !== groupOf.get(source("", importer)) ? { path: group, namespace: "group" } : undefined;
    });
    onLoad({ filter: /.*/, namespace: "group" }, ({ path }) => {
      const members = [...groupOf].filter(([, group]) => group === path);
      return { contents: members.map(([file]) => `export * from "./${file}";`).join("\n"), resolveDir: "." };
    });
  },
};

/** Shortens local names. Functions, classes and lines stay as they are, for stack traces (docs/decisions/0025). */
function shrink(): void {
  const mangle = { toplevel: true, keepNames: { function: true, class: true } };
  const options = { module: true, compress: false, mangle, codegen: { removeWhitespace: false, asciiOnly: true } };
  for (const file of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
    const code = file.endsWith(".js") ? readFileSync(`dist/${file}`, "utf8") : "";
    // The comment says that bundlers cannot follow an import. Shortening would drop it.
    if (code === "" || code.includes("@vite-ignore")) continue;
    writeFileSync(`dist/${file}`, minifySync(file, code, options).code);
  }
}

/** What the entry of workspaces is in a browser page: a file of its own, without what Node has. */
function writePageEntry() {
  const inPage = "./src/workspace/browser/node.ts";
  return build({
    ...common,
    entryPoints: ["src/workspace/browser/entry.ts"],
    outfile: "dist/workspace/browser.js",
    external: ["async-mutex"],
    mainFields: ["module", "main"],
    alias: { "node:path": inPage, "node:events": inPage },
    define: { "process.platform": '"linux"' },
  });
}

/** CommonJS loads the modules (docs/decisions/0010), and modules read its declarations: there is one copy of each. */
function writeOtherSystems(): void {
  for (const name of names) {
    mkdirSync(dirname(`dist/${name}`), { recursive: true });
    writeFileSync(`dist/${name}.cjs`, `"use strict";\nmodule.exports = require("./index.js");\n`);
    if (hasDeclarations) writeFileSync(`dist/${name}.d.ts`, `export * from "./index.cjs";\n`);
  }
  const texts = { ...BUNDLED, "@pydantic/genai-prices": "node_modules/@pydantic/genai-prices/LICENSE" };
  const licenses = Object.entries(texts).map(([name, file]) => `${name}\n\n${readFileSync(file, "utf8")}`);
  writeFileSync("dist/LICENSES.txt", licenses.join(`\n${"-".repeat(72)}\n\n`));
}

/** The declaration of each source, in one pass: tsup would make a program of all types for each entry, in 4 GB. */
function writeDeclarations(): void {
  const rootNames = Object.values(entry);
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: rootNames }, ts.sys, ".");
  Object.assign(options, { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: "dist-types" });
  const { diagnostics } = ts.createProgram({ rootNames, options }).emit();
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
}

/** `npm run build -- --no-dts`: only what runs, for benchmarks. */
const hasDeclarations = !process.argv.includes("--no-dts");
rmSync("dist-types", { recursive: true, force: true });
if (hasDeclarations) writeDeclarations();
const declared = Object.fromEntries(names.map((name) => [name, `dist-types/${name}.d.ts`]));
/** `Symbol.asyncDispose` is in the declarations, whatever "lib" the app that reads them has chosen. */
const dts = { only: true, banner: `/// <reference lib="esnext.disposable" />` };

export default defineConfig([
  {
    ...common,
    entry: { ...entry, "program/main": "src/program/main.ts" },
    format: ["esm"],
    splitting: true,
    clean: true,
    // Deno, workers and bundlers recognise what is built in by this prefix.
    removeNodeProtocol: false,
    external: [/^node:/, ...builtinModules],
    noExternal: Object.keys(BUNDLED),
    esbuildPlugins: [wholeGroups],
    esbuildOptions: (options) => Object.assign(options, { mainFields: ["module", "main"] }),
    onSuccess: async () => {
      await writePageEntry();
      shrink();
      writeOtherSystems();
    },
  },
  ...(hasDeclarations ? [{ entry: declared, format: "cjs" as const, dts }] : []),
]);
