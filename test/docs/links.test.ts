import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { anchorOf } from "../../docs/.vitepress/anchors.js";
import { packedPages, repositoryPath } from "../../docs/.vitepress/pages.js";
import { allPages, type Page, ROOT, readPage } from "./pages.js";

/** Links of a page, without what stands in code. */
function linksOf({ text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf({ text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
}

/** Where a link leads, relative to the repository, with its anchor. */
function targetOf(link: string, page: Page): string {
  if (link.startsWith("#")) return page.path + link;
  return repositoryPath(link) ?? join(dirname(page.path), link);
}

function brokenLinks(page: Page): string[] {
  return linksOf(page)
    .filter((link) => repositoryPath(link) !== null || !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target = "", anchor] = targetOf(link, page).split("#");
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor);
    })
    .map((link) => `${page.path}: ${link}`);
}

test("every link of the docs into the repository leads to a file, and its anchor to a heading", () => {
  expect(allPages().flatMap(brokenLinks)).toEqual([]);
});

test("every page of docs/ is reached from the map, docs/README.md, and every decision from the architecture", () => {
  const maps = [readPage("docs/README.md"), readPage("docs/architecture.md")];
  const linked = new Set(maps.flatMap((map) => linksOf(map).map((link) => targetOf(link, map).split("#")[0]!)));

  const pages = allPages().filter(({ path }) => path.startsWith("docs/") && path !== "docs/README.md");

  expect(pages.filter(({ path }) => !linked.has(path)).map(({ path }) => path)).toEqual([]);
});

test("every link of the docs in the package leads to a file of the package, or is a whole address", () => {
  const packed = ["README.md", "CHANGELOG.md", ...packedPages().map((page) => `docs/${page}`)];
  const inPackage = new Set([...packed, "LICENSE"]);

  const dead = packed.map(readPage).flatMap((page) =>
    linksOf(page)
      .filter(
        (link) =>
          !/^https?:/.test(link) && !inPackage.has(join(dirname(page.path), link.split("#")[0] || basename(page.path))),
      )
      .map((link) => `${page.path}: ${link}`),
  );

  expect(packed.length).toBeGreaterThan(70);
  expect(dead).toEqual([]);
});
