// The source of a program's worker as the library embeds it: bundled from worker-thread.ts.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ISOLATE = new URL("../../../src/programs/isolate/", import.meta.url);
export const WORKER_SOURCE_FILE = fileURLToPath(new URL("worker-source.ts", ISOLATE));

/** The text of `worker-source.ts`. */
export async function workerSource(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("worker-thread.ts", ISOLATE))],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    format: "cjs",
    platform: "node",
    target: "node20",
  });
  const escaped = outputFiles[0]!.text.trim().replace(/[\\`]|\$\{/g, "\\$&");
  return `// Written by \`npm run programs\` from worker-thread.ts. Do not edit.
export const WORKER_SOURCE =
  \`${escaped}\`;
`;
}
