import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HELP_TEXT } from "../../src/program/help-text.js";
import { ROOT, readPage } from "../docs/pages.js";
import { datedChangelog, releaseProblem } from "./changelog.js";

const { text } = readPage("CHANGELOG.md");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({
    isIndex: /(?:^|[\\/])index\.ts$/.test(file),
    code: readFileSync(join(ROOT, "src", file), "utf8"),
  }));
const source = sources.map(({ code }) => code).join("\n");
const exported = new Set(
  sources
    .filter(({ isIndex }) => isIndex)
    .flatMap(({ code }) => [...code.matchAll(/export (?:type )?\{([^}]*)\}/g)])
    .flatMap(([, names]) => names!.split(",").map((name) => name.trim().replace(/^type /, ""))),
);

/** Whether what a code span of the changelog names is there: an import path, a command, an export, a member, a tool, or a file we read. */
function exists(span: string): boolean {
  if (/^loopwright(?:\/\S+)?$/.test(span)) return `.${span.slice("loopwright".length)}` in manifest.exports;
  if (/^(?:npx )?loopwright\b/.test(span)) {
    return span === "npx loopwright" || new RegExp(`^  ${span}\\s`, "m").test(HELP_TEXT);
  }
  if (exported.has(span)) return true;
  if (/^[a-z]\w*(?:\.[a-z]\w*)*$/i.test(span) && !span.endsWith(".md")) return span.split(".").every(isDeclared);
  return source.includes(span);
}

/** A member or variable of the sources, or a name in quotes, such as a tool's. */
function isDeclared(name: string): boolean {
  return exported.has(name) || new RegExp(`\\b${name}\\??\\s?[:(<=]|"${name}"`).test(source);
}

test("the changelog has at most 120 lines", () => {
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(120);
});

test("each import path, command, export, option, tool and file that the changelog names is there", () => {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);

  expect(spans.length).toBeGreaterThan(80);
  expect(spans.filter((span) => !exists(span))).toEqual([]);
  const wrong = [
    "loopwright/tool",
    "npx loopwrite",
    "loopwright demos",
    "createTeams",
    "engine.resumes",
    "edit_files",
    "CLAUDES.md",
  ];
  expect(wrong.filter(exists)).toEqual([]);
});

test("the changelog of the first release names every import path of the package", () => {
  const paths = Object.keys(manifest.exports).filter((path) => !path.endsWith(".json"));
  // Its providers are named by their functions.
  const named = paths.filter((path) => !/^\.\/providers\/./.test(path)).map((path) => `loopwright${path.slice(1)}`);

  expect(named.filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});

test("what was never released was not fixed, changed or removed", () => {
  const first = text.slice(text.indexOf("## [0.1.0]"));

  expect(first.match(/^### .+$/gm)).toEqual(["### Added"]);
});

const BEFORE = "# Changelog\n\nIntro.\n\n## [0.1.0] - 2026-11-28\n\n### Added\n\n- All.\n\n[0.1.0]: https://x/v0.1.0\n";
const NEXT = BEFORE.replace("## [0.1.0]", "## [Unreleased]\n\n### Fixed\n\n- A hole.\n\n## [0.1.0]");

test("what stands under Unreleased becomes the section of the version, with a date and a link", () => {
  const dated = datedChangelog(NEXT, "0.1.1", "2026-12-24")!;

  expect(dated).toContain("Intro.\n\n## [0.1.1] - 2026-12-24\n\n### Fixed\n\n- A hole.\n\n## [0.1.0] - 2026-11-28\n");
  expect(dated).toMatch(/\n\n\[0\.1\.0\]: https:\/\/x\/v0\.1\.0\n\[0\.1\.1\]: https:\S+\/tag\/v0\.1\.1\n$/);
  expect(dated).not.toContain("Unreleased");
});

test("the newest section is dated again until it is released", () => {
  expect(datedChangelog(BEFORE, "0.1.0", "2026-12-01")).toContain("## [0.1.0] - 2026-12-01\n");
});

test.each([
  ["nothing for it", BEFORE, "0.1.1"],
  ["nothing under Unreleased", NEXT.replace("### Fixed\n\n- A hole.\n\n", ""), "0.1.1"],
  ["the section of an older version", NEXT.replace("[Unreleased]", "[0.2.0] - 2026-12-01"), "0.1.0"],
  ["a section of that version already, below Unreleased", NEXT, "0.1.0"],
  ["no section at all", "# Changelog\n", "0.1.0"],
])("a changelog with %s is not dated", (_, before, version) => {
  expect(datedChangelog(before, version, "2026-12-24")).toBeNull();
});

test("a release is refused when changelog, version and tag are not of one version", () => {
  expect(releaseProblem(BEFORE, "0.1.0")).toBeNull();
  expect(releaseProblem(BEFORE, "0.1.0", "v0.1.0")).toBeNull();
  expect(releaseProblem(BEFORE, "0.1.0", "v0.1.1")).toContain('The tag is "v0.1.1"');
  expect(releaseProblem(BEFORE, "0.1.1", "v0.1.1")).toContain('"## [0.1.1] - <date>"');
  expect(releaseProblem(BEFORE.replace("2026-11-28", "soon"), "0.1.0")).toContain("<date>");
  expect(releaseProblem(NEXT, "0.1.0")).toContain('Run "npm version"');
});

test("the changelog is that of the version in package.json, or says what comes after it", () => {
  const [newest, second] = [...text.matchAll(/^## \[([^\]]+)\](?: - (\S+))?$/gm)];
  const released = newest![1] === "Unreleased" ? second! : newest!;

  expect(released[1]).toBe(manifest.version);
  expect(released[2]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});
