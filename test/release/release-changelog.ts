// The changelog on the way to a release. `npm version` calls this before it changes anything: what stands under "Unreleased" becomes the
// section of the new version, with today's date. `npm publish` calls it with --check: the package names the version that it is.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { datedChangelog, releaseProblem } from "./changelog.js";

// npm runs scripts in the directory of the package.
const FILE = "CHANGELOG.md";
const text = readFileSync(FILE, "utf8");

if (process.argv.includes("--check")) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  // On GitHub, the name of the tag that began the release.
  const tag = process.env.GITHUB_REF_TYPE === "tag" ? process.env.GITHUB_REF_NAME : undefined;
  const problem = releaseProblem(text, version, tag);
  if (problem !== null) fail(problem);
} else {
  const version = process.env.npm_new_version;
  if (version === undefined) fail('Run "npm version <version>": it says which version is to come.');
  const today = new Date().toISOString().slice(0, 10);
  const dated = datedChangelog(text, version, today);
  if (dated === null) {
    fail(`CHANGELOG.md has nothing for ${version}. Write under "## [Unreleased]" what changes for its users.`);
  }
  writeFileSync(FILE, dated);
  execFileSync("git", ["add", FILE], { stdio: "inherit" });
}

function fail(problem: string): never {
  console.error(problem);
  process.exit(1);
}
