import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../docs/pages.js";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A hole.\n\n## [0.1.0] - 2026-11-28\n\n- All.\n";
let app: string;

function run(command: string, ...args: string[]): string {
  const path = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, npm_config_update_notifier: "false" };
  return execFileSync(command, args, { cwd: app, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const write = (name: string, content: string) => writeFileSync(join(app, name), content);
const read = (name: string) => readFileSync(join(app, name), "utf8");

/** A repository with the scripts of a release that this package has. */
beforeEach(() => {
  app = mkdtempSync(join(tmpdir(), "loopwright-release-"));
  const own = Object.fromEntries(
    ["preversion", "prepublishOnly"].map((name) => [
      name,
      scripts[name]!.split(" && ")[0]!.replace(/test\/release\/\S+/, (file) => `"${join(ROOT, file)}"`),
    ]),
  );
  write("package.json", JSON.stringify({ name: "released", version: "0.1.0", scripts: own }));
  write("CHANGELOG.md", CHANGELOG);
  run("git", "init", "--quiet", "--initial-branch=main");
  run("git", "config", "user.name", "loopwright contributors");
  run("git", "config", "user.email", "contributors@localhost");
  run("git", "config", "commit.gpgsign", "false");
  run("git", "add", ".");
  run("git", "commit", "--quiet", "--message=start");
});

afterEach(() => rmSync(app, { recursive: true, force: true }));

test("npm version puts the dated changelog into the commit that it tags", () => {
  run("npm", "version", "patch", "--message", "build: version %s");

  expect(read("CHANGELOG.md")).toMatch(/## \[0\.1\.1\] - \d{4}-\d\d-\d\d\n\n### Fixed/);
  expect(run("git", "show", "--stat", "--format=%s", "v0.1.1")).toMatch(
    /build: version 0\.1\.1\n[\s\S]*CHANGELOG\.md[\s\S]*package\.json/,
  );
  expect(run("git", "status", "--porcelain")).toBe("");
  expect(run("npm", "run", "prepublishOnly")).not.toContain("##");
});

test("npm version refuses a version of which the changelog says nothing, before it changes anything", () => {
  write("CHANGELOG.md", CHANGELOG.replace("### Fixed\n\n- A hole.\n\n", ""));
  run("git", "commit", "--quiet", "--all", "--message=nothing");

  expect(() => run("npm", "version", "patch")).toThrow('Write under "## [Unreleased]" what changes for its users.');
  expect(JSON.parse(read("package.json")).version).toBe("0.1.0");
  expect(run("git", "status", "--porcelain") + run("git", "tag")).toBe("");
});

test("npm publish refuses a package whose changelog is not that of its version", () => {
  expect(() => run("npm", "run", "prepublishOnly")).toThrow(
    'The newest section of CHANGELOG.md has to be "## [0.1.0] - <date>". Run "npm version".',
  );
});
