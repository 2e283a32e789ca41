import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { anchorOf } from "../../docs/.vitepress/anchors.js";
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

function brokenLinks(page: Page): string[] {
  return linksOf(page)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page.path : join(dirname(page.path), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor);
    })
    .map((link) => `${page.path}: ${link}`);
}

test("every relative link of the docs leads to a file, and its anchor to a heading", () => {
  expect(allPages().flatMap(brokenLinks)).toEqual([]);
});

test("every page of docs/ is reached from the map, docs/README.md", () => {
  const map = readPage("docs/README.md");
  const linked = new Set(linksOf(map).map((link) => join("docs", link.split("#")[0]!)));

  const missing = allPages().filter(({ path }) => path.startsWith("docs/") && path !== map.path && !linked.has(path));

  expect(missing.map(({ path }) => path)).toEqual([]);
});
