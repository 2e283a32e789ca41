import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Installation } from "./installation.js";
import type { Row } from "./row.js";

const KB = 1024;
const MB = 1024 * KB;

/** What a user downloads, and what then lies on their disk. */
export async function packageSizes({ directory, tarball }: Installation): Promise<Row[]> {
  const modules = join(directory, "node_modules");
  const files = await filesIn(modules);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const installed = sizes.reduce((sum, size) => sum + size, 0);
  const scripts = await Promise.all(files.filter((file) => file.endsWith("/package.json")).map(installScripts));
  return [
    {
      what: "packed tarball",
      unit: "KB",
      ours: (await stat(tarball)).size / KB,
      budgets: [{ max: 750 }],
    },
    { what: "installed with all dependencies", unit: "MB", ours: installed / MB, budgets: [{ max: 10 }] },
    {
      what: "install scripts, with all dependencies",
      unit: "",
      ours: scripts.reduce((sum, count) => sum + count, 0),
      budgets: [{ max: 0 }],
    },
  ];
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function installScripts(manifest: string): Promise<number> {
  const { scripts = {} } = JSON.parse(await readFile(manifest, "utf8")) as { scripts?: Record<string, string> };
  return ["preinstall", "install", "postinstall"].filter((name) => name in scripts).length;
}
