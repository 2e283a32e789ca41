import { readFileSync } from "node:fs";
import { defineConfig } from "tsup";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> };

/** One entry for each subpath of package.json `exports`: one folder with an index.ts. */
const entry = Object.fromEntries(
  Object.keys(exports)
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => (subpath === "." ? "index" : `${subpath.slice(2)}/index`))
    .map((name) => [name, `src/${name}.ts`]),
);

export default defineConfig({
  entry,
  format: ["esm", "cjs"],
  dts: true,
  splitting: true,
  clean: true,
  target: "es2022",
  platform: "neutral",
  external: [/^node:/],
  // The root entry's small dependencies travel with it: one file less to resolve at import, and p-limit and unbash are ESM only.
  noExternal: ["eventemitter3", "p-limit", "unbash"],
});
