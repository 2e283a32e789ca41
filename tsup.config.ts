import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import { build } from "esbuild";
import { minifySync, parseSync } from "rolldown/utils";
import { defineConfig } from "tsup";

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
  "jsonc-parser": "LICENSE.md",
  "p-limit": "license",
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
 * (docs/decisions/0013).
 */
async function mergeCore(): Promise<void> {
  await mergeInto("core.js", loadedBy("index.js"));
  const loop = readdirSync("dist").find((file) => /^loop-[A-Z0-9]{8}\.js$/.test(file))!;
  await mergeInto("loop.js", loadedBy(loop).add(loop));
}

async function mergeInto(target: string, parts: ReadonlySet<string>): Promise<void> {
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
  const paths = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
  for (const path of paths.filter((one) => one !== target)) {
    const code = readFileSync(`dist/${path}`, "utf8");
    writeFileSync(
      `dist/${path}`,
      code.replaceAll(PART, (part) => (parts.has(part) ? target : part)),
    );
  }
}

const PART = /\b(?:chunk|loop)-[A-Z0-9]{8}\.js\b/g;
const IMPORTED = /(?:\bfrom|^import) "\.\/(chunk-[A-Z0-9]{8}\.js)"/gm;

/** The chunks that a file of `dist` imports at once, and what those import. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  for (const [, chunk] of readFileSync(`dist/${file}`, "utf8").matchAll(IMPORTED)) {
    if (!found.has(chunk!)) loadedBy(chunk!, found.add(chunk!));
  }
  return found;
}

/** What is imported when it is used stays a file of its own, and the core is one already. */
function staysFile({ kind, path }: { readonly kind: string; readonly path: string }) {
  return kind === "dynamic-import" || path === "./core.js" ? { path, external: true } : undefined;
}

/**
 * A third less to download and a quarter less to read at import (docs/decisions/0025). Functions and classes keep their
 * names and top-level statements their lines, so that a stack trace still says where it was.
 */
function shrink(): void {
  for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".js"),
  )) {
    const { code, errors } = minifySync(path, readFileSync(`dist/${path}`, "utf8"), {
      module: true,
      compress: false,
      mangle: { toplevel: true, keepNames: { function: true, class: true } },
    });
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join("; ")}`);
    writeFileSync(`dist/${path}`, hideComputedImports(statementPerLine(path, code)));
  }
}

/** Bundlers would warn that they cannot follow these; the comments that say so were dropped with all others. */
function hideComputedImports(code: string): string {
  return code.replaceAll(/\bimport\((?=[\w$]+\))/g, "import(/* webpackIgnore: true */ /* @vite-ignore */ ");
}

/** Node prints the whole line that an uncaught error came from: it had better not be the whole file. */
function statementPerLine(path: string, code: string): string {
  const { program } = parseSync(path, code);
  const starts = program.body.map(({ start }) => start);
  const head = code.startsWith("#!") ? code.slice(0, code.indexOf("\n") + 1) : "";
  return `${head}${starts.map((start, at) => code.slice(start, starts[at + 1])).join("\n")}\n`;
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
    esbuildOptions(options) {
      // The terminal library says where it begins in no other way.
      options.mainFields = ["module", "main"];
    },
    onSuccess: async () => {
      await mergeCore();
      shrink();
      writeCommonJs();
      writeModuleDeclarations();
      writeLicenses();
    },
  },
  { entry, format: ["cjs"], dts: { only: true, banner: LIB } },
]);
