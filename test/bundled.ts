// Programs that tests start in processes of their own, bundled once for the whole run: compiled by the process itself, each start
// would take several times as long.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIRECTORY = "TEST_PROGRAMS";

/** Makes the directory of the bundles, from which packages are found, and removes it after the run. */
export default function setup(): () => void {
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "test-programs-"));
  process.env[DIRECTORY] = directory;
  return () => {
    delete process.env[DIRECTORY];
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Bundles a program, if no other test has, and resolves with its file. It sees the same `import.meta.url` as its source. */
export async function bundled(source: URL): Promise<string> {
  const entry = fileURLToPath(source);
  const directory = join(process.env[DIRECTORY]!, relative(ROOT, entry).replaceAll(/\W+/g, "-"));
  const file = join(directory, "program.mjs");
  if (existsSync(directory)) return file;
  // Other files of tests may ask for it at the same time.
  const draft = `${directory}.${process.pid}`;
  await build({
    entryPoints: { program: entry },
    outdir: draft,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What is loaded when it is needed is read then, too.
    splitting: true,
    // What finds files beside its own, has its own idea of being bundled, or is large.
    external: ["@vscode/ripgrep", "@dbos-inc/*", "pg", "jsonc-parser", "typescript"],
    // Other packages are bundled, too: half of a start would go into reading their files.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    plugins: [whereItsSourceIs],
  });
  try {
    renameSync(draft, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(draft, { recursive: true });
  }
  return file;
}

const whereItsSourceIs: Plugin = {
  name: "where-its-source-is",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes("import.meta.url")) return;
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};
