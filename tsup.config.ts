import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { defineConfig } from "tsup";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> };

/** One entry for each subpath of package.json `exports`: one directory with an index.ts. */
const entry = Object.fromEntries(
  Object.keys(exports)
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => (subpath === "." ? "index" : `${subpath.slice(2)}/index`))
    .map((name) => [name, `src/${name}.ts`]),
);

/** What the root entry loads becomes one file: at import, a file costs as much as 30 KB of code (docs/decisions/0013). */
async function mergeCore(): Promise<void> {
  const chunks = new Set(loadedBy("index.js"));
  await build({
    stdin: { contents: [...chunks].map((chunk) => `export * from "./${chunk}";`).join("\n"), resolveDir: "dist" },
    outfile: "dist/core.js",
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    packages: "external",
    logOverride: { "ambiguous-reexport": "error" },
  });
  for (const chunk of chunks) rmSync(`dist/${chunk}`);
  const paths = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
  for (const path of paths.filter((one) => one !== "core.js")) {
    const code = readFileSync(`dist/${path}`, "utf8");
    writeFileSync(
      `dist/${path}`,
      code.replaceAll(CHUNK, (chunk) => (chunks.has(chunk) ? "core.js" : chunk)),
    );
  }
}

const CHUNK = /\bchunk-[A-Z0-9]{8}\.js\b/g;

/** The chunks that a file of `dist` imports, and what those import. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  for (const [chunk] of readFileSync(`dist/${file}`, "utf8").matchAll(CHUNK)) {
    if (!found.has(chunk)) loadedBy(chunk, found.add(chunk));
  }
  return found;
}

/** CommonJS loads the same modules (docs/decisions/0010): there is one copy of every class, whoever asks for it. */
function writeCommonJs(): void {
  for (const name of Object.keys(entry)) {
    writeFileSync(`dist/${name}.cjs`, `"use strict";\nmodule.exports = require("./index.js");\n`);
  }
}

/** Symbol.asyncDispose stands in our declarations, whatever "lib" the app that reads them has chosen. */
const LIB = `/// <reference lib="esnext.disposable" />`;

export default defineConfig([
  {
    entry,
    format: ["esm"],
    dts: { banner: LIB },
    splitting: true,
    clean: true,
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    // The root entry's small dependencies travel with it: one file less to resolve at import.
    noExternal: ["eventemitter3", "p-limit"],
    onSuccess: async () => {
      await mergeCore();
      writeCommonJs();
    },
  },
  // The types of CommonJS, which TypeScript wants in files of their own.
  { entry, format: ["cjs"], dts: { only: true, banner: LIB } },
]);
