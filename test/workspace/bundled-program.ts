import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
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

/** Nobody. */
export const NOBODY = 65_534;

/** This Node for nobody: a copy in `directory` where it lies in the home directory of root, as that of a version manager does. */
export function nodeForNobody(directory: string): string {
  try {
    execFileSync(process.execPath, ["--version"], { cwd: directory, uid: NOBODY, gid: NOBODY, stdio: "ignore" });
    return process.execPath;
  } catch {
    const copy = join(directory, "node");
    copyFileSync(process.execPath, copy);
    return copy;
  }
}
