// The JavaScript of a guide, bundled as an application of the AI SDK has it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../docs/pages.js";
import { newDirectory } from "./hosts.js";

/** The code as a module: `await import(…)` of what this returns. It may import the files of this directory. */
export async function moduleOf(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: "ts", resolveDir: join(ROOT, "test/sdks/harness") },
    tsconfig: join(ROOT, "tsconfig.json"),
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
    write: false,
  });
  const file = join(newDirectory(), "program.mjs");
  writeFileSync(file, outputFiles[0]!.text);
  return file;
}
