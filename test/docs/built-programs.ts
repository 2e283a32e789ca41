import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./pages.js";

/** Builds TypeScript programs that import the library: `0.mjs`, `1.mjs` and so on in the directory that it resolves with. */
export async function builtPrograms(codes: readonly string[]): Promise<string> {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that the programs find its packages.
  const directory = mkdtempSync(join(cache, "docs-"));
  for (const [index, code] of codes.entries()) writeFileSync(join(directory, `${index}.ts`), code);
  await build({
    entryPoints: codes.map((_, index) => join(directory, `${index}.ts`)),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    alias: { loopwright: join(ROOT, "src") },
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return directory;
}
