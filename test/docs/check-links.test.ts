import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { brokenSiteLinks } from "../../docs/.vitepress/check-links.js";

function siteWith(files: Readonly<Record<string, string>>): string {
  const dist = mkdtempSync(join(tmpdir(), "loopwright-site-"));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  for (const [file, html] of Object.entries(files)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), html);
  }
  return dist;
}

test("links of a built site are followed, with their anchors, from any base", () => {
  const good =
    '<a href="/docs/a/b.html#x"></a><a href="./a/"></a><a href="https://elsewhere.org/no"></a><a href="#y"></a>';
  const bad = '<a href="/docs/a/c.html"></a><a href="./b.html#z"></a><a href="../index.html#no"></a>';
  const dist = siteWith({
    "index.html": `<p id="y">${good}</p>`,
    "a/index.html": "<p></p>",
    "a/b.html": `<h1 id="x">${bad}</h1>`,
  });

  expect(brokenSiteLinks(dist, "/docs/")).toEqual([
    "a/b.html: /docs/a/c.html",
    "a/b.html: ./b.html#z",
    "a/b.html: ../index.html#no",
  ]);
});
