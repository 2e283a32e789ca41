// The library as its users get it: built, packed, installed into a directory of its own, and measured there.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NPM_QUIET = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

export interface Installation {
  readonly directory: string;
  readonly tarball: string;
}

/** Builds, packs and installs. With `declarations: false` the build leaves the types out, and the sizes mean nothing. */
export async function install({ declarations }: { readonly declarations: boolean }): Promise<Installation> {
  await run("npm", ["run", "build", "--", ...(declarations ? [] : ["--no-dts"])], ROOT);
  const directory = await mkdtemp(join(tmpdir(), "loopwright-bench-"));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", directory], ROOT);
  const tarball = join(directory, (await readdir(directory)).find((name) => name.endsWith(".tgz"))!);
  await writeFile(join(directory, "package.json"), '{ "private": true, "type": "module" }\n');
  await run("npm", ["install", ...NPM_QUIET, tarball], directory);
  return { directory, tarball };
}

/** Installs one more package beside the library. `null`, or why it could not be. */
export async function installPeer({ directory }: Installation, spec: string): Promise<string | null> {
  try {
    await run("npm", ["install", ...NPM_QUIET, "--ignore-scripts", spec], directory);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error);
  }
}

/** Bundles the directories' programs into the installation; packages stay outside, as for any user. */
export async function bundlePrograms({ directory }: Installation, directories: readonly string[]): Promise<void> {
  for (const name of directories) {
    const source = join(ROOT, "bench", name);
    await mkdir(join(directory, name), { recursive: true });
    await build({
      entryPoints: (await readdir(source)).filter((file) => /\.(ts|mjs)$/.test(file)).map((file) => join(source, file)),
      outdir: join(directory, name),
      outExtension: { ".js": ".mjs" },
      bundle: true,
      packages: "external",
      // The repository's paths would lead to its source instead of the package that is installed.
      tsconfigRaw: "{}",
      platform: "node",
      format: "esm",
      target: "node20",
    });
  }
}

export async function uninstall({ directory }: Installation): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  await execute(command, args, { cwd, maxBuffer: 2 ** 26 });
}
