import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles a program beside a test into `directory`, for a process that may not read this repository. Answers its path. */
export async function bundleProgram(source: URL, directory: string): Promise<string> {
  const program = join(directory, "program.mjs");
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
  });
  return program;
}
