import { readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> };

/** One entry for each subpath of package.json `exports`: one folder with an index.ts. */
const entry = Object.fromEntries(
  Object.keys(exports)
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => (subpath === "." ? "index" : `${subpath.slice(2)}/index`))
    .map((name) => [name, `src/${name}.ts`]),
);

/** CommonJS loads the same modules (docs/decisions/0010): there is one copy of every class, whoever asks for it. */
async function writeCommonJs(): Promise<void> {
  for (const name of Object.keys(entry)) {
    writeFileSync(`dist/${name}.cjs`, `"use strict";\nmodule.exports = require("./index.js");\n`);
  }
}

export default defineConfig([
  {
    entry,
    format: ["esm"],
    dts: true,
    splitting: true,
    clean: true,
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    // The root entry's small dependencies travel with it: one file less to resolve at import.
    noExternal: ["eventemitter3", "p-limit"],
    onSuccess: writeCommonJs,
  },
  // The types of CommonJS, which TypeScript wants in files of their own.
  { entry, format: ["cjs"], dts: { only: true } },
]);
