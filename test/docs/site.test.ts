import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { llmsText } from "../../docs/.vitepress/llms.js";
import { decisions, packedPages, siteLink, titleOf, ungrouped } from "../../docs/.vitepress/pages.js";
import { GROUPS, INSIDE } from "../../docs/.vitepress/sidebar.js";
import { allPages, ROOT } from "./pages.js";

test("the site's sidebar has every page once, and no other", () => {
  const written = allPages().flatMap(({ path }) => (path.startsWith("docs/") ? path.slice(5, -3) : []));
  const shown = [...GROUPS.flatMap(({ pages }) => pages), ...ungrouped(), INSIDE, ...decisions()];

  expect([...shown].sort()).toEqual(written.sort());
});

test("every page has a title of its own", () => {
  const titles = GROUPS.flatMap(({ pages }) => pages.map(titleOf));

  expect(new Set(titles).size).toBe(titles.length);
});

test.each([
  ["../src/index.ts", "README.md", "https://github.com/loopwright/loopwright/blob/main/src/index.ts"],
  [
    "../../examples/01-hello.ts#x",
    "guides/a.md",
    "https://github.com/loopwright/loopwright/blob/main/examples/01-hello.ts#x",
  ],
  ["../why.md#x", "guides/a.md", "../why.md#x"],
  ["#here", "guides/a.md", "#here"],
  ["https://a.b/../c", "guides/a.md", "https://a.b/../c"],
  ["https://github.com/loopwright/loopwright/blob/main/docs/benchmarks.md#x", "guides/a.md", "../benchmarks.md#x"],
  [
    "https://github.com/loopwright/loopwright/blob/main/src/index.ts",
    "why.md",
    "https://github.com/loopwright/loopwright/blob/main/src/index.ts",
  ],
])("a link to %s on %s leads to %s on the site", (href, page, target) => {
  expect(siteLink(href, page)).toBe(target);
});

test("llms.txt leads to every page of the map, in the package where it is there, but for decisions", () => {
  const text = llmsText();
  const map = readFileSync(join(ROOT, "docs/README.md"), "utf8").split("**For those who change")[0]!;
  const links = [...map.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  const inPackage = [...text.matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, page]) => page!);

  expect(links.length).toBeGreaterThan(40);
  const isThere = (link: string) => [`](${link})`, `/docs/${link})`].some((form) => text.includes(form));
  expect(links.filter((link) => !isThere(link))).toEqual([]);
  expect(inPackage.filter((page) => !packedPages().includes(page))).toEqual([]);
  expect(text.length).toBeLessThan(20_000);
});

test("where-it-runs.md says of every import path, or of one above it, where it runs", () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
  const paths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const rows = readFileSync(join(ROOT, "docs/where-it-runs.md"), "utf8").match(/^\| `[^|]+/gm)!;
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));

  const isNamed = (path: string) =>
    named.some((name) => path === name || (name !== "loopwright" && path.startsWith(`${name}/`)));
  expect(paths.map((path) => `loopwright${path.slice(1)}`).filter((path) => !isNamed(path))).toEqual([]);
  expect(named.filter((name) => !paths.includes(`.${name.slice("loopwright".length)}`))).toEqual([]);
});
