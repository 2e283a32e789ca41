import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, programsOf, ROOT, readPage } from "./pages.js";

const readme = readPage("README.md");

test("the first program has at most 15 lines, and the README shows what it prints", () => {
  const [first] = programsOf(readme);

  expect(first!.code.split("\n").length).toBeLessThanOrEqual(15);
  expect(first!.prints).toMatch(/\S/);
});

test("each of the two commands installs first, and its script is in package.json", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const commands = blocksOf(readme).flatMap(({ language, code }) => (language === "sh" ? code.split("\n") : []));

  expect(commands).toContain("npm ci && npm run demo");
  expect(commands).toContain("npm ci && npm test");
  expect(scripts).toMatchObject({ demo: expect.any(String), test: expect.any(String) });
});

test("every import path of package.json has its line in the box", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const paths = Object.keys(manifest.exports).filter((path) => !path.endsWith(".json"));
  const listed = [...readme.text.matchAll(/^\| `(loopwright[^`]*)` \|/gm)].map(([, name]) => name);

  expect(listed).toEqual(expect.arrayContaining(paths.map((path) => `loopwright${path.slice(1)}`)));
});

test("the picture is a file of the repository, and asks for nothing from elsewhere", () => {
  const [, path = ""] =
    /!\[[^\]]+\]\(https:\/\/raw\.githubusercontent\.com\/loopwright\/loopwright\/main\/([^)]+)\)/.exec(readme.text)!;
  const picture = readFileSync(join(ROOT, path), "utf8");

  expect(picture).toMatch(/^<svg [\s\S]*denied[\s\S]*<\/svg>\n$/);
  expect(picture.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<script|<image|href=/);
});

test("the benchmark has one place in the README that a program can fill", () => {
  expect(readme.text.match(/<!-- bench:start -->[\s\S]*<!-- bench:end -->/g)).toHaveLength(1);
});
