// What a release needs of the package: its changelog, and an `npm publish` that has nothing to warn about.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Of the library in `root`, which is installed in `app`. @throws when it could not be published as it is */
export function checkPackedRelease(root: string, app: string): void {
  const packed = join(app, "node_modules/loopwright");
  const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8")) as { version: string };
  const changelog = readFileSync(join(packed, "CHANGELOG.md"), "utf8");
  if (!changelog.includes(`\n## [${version}]`))
    throw new Error(`The packed CHANGELOG.md has no section for ${version}`);
  const links = [...changelog.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, page]) => page!);
  const missing = links.filter((page) => !existsSync(join(packed, page)));
  if (links.length === 0 || missing.length > 0)
    throw new Error(`The changelog leads to no file: ${missing.join(", ")}`);

  // Without scripts: it is built already, and the changelog may say what comes next. By force: the version may be published already.
  const args = ["publish", "--dry-run", "--ignore-scripts", "--provenance", "--force"];
  const tried = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  const warnings = tried.stderr.split("\n").filter((line) => /^npm (?:warn|error)/.test(line));
  // Nobody is logged in here, and force is what was asked for.
  const own = warnings.filter((line) => !/requires you to be logged in|using --force/.test(line));
  if (tried.status !== 0 || own.length > 0) throw new Error(`npm publish --dry-run:\n${tried.stderr}`);
  if (!tried.stderr.includes("public access (dry-run)"))
    throw new Error("npm publish does not make the package public");
  console.log("changelog in the package, npm publish --dry-run: ok");
}
