// Installs the packages of a directory with a package.json of its own, unless they are there: `tsx test/install.ts test/sdks`.
// What a single script needs, such as the SDKs of other projects, is not part of what everybody installs.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

for (const name of process.argv.slice(2)) {
  const directory = join(ROOT, name);
  const lock = join(directory, "package-lock.json");
  // A copy of what was installed from, which `npm ci` removes first: an installation that was cut off begins again.
  const installed = join(directory, "node_modules/.installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lock, "utf8")) continue;
  console.log(`Installing the packages of ${name}.`);
  const { status, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: directory,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(`The packages of ${name} could not be installed${error ? `: ${error.message}` : "; see above"}.`);
    process.exit(1);
  }
  copyFileSync(lock, installed);
}
