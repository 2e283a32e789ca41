import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** One file with everything in it, as the program is packed; Node starts it in a fraction of a second. */
export async function buildFixture(dir: string): Promise<string> {
  const outfile = `${dir}/fixture.mjs`;
  await build({
    entryPoints: [fileURLToPath(new URL("fixture.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["koffi"],
    banner: { js: 'import { createRequire as r } from "node:module"; const require = r(import.meta.url);' },
    logLevel: "error",
  });
  return outfile;
}
