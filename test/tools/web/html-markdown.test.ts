import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { htmlToMarkdown } from "../../../src/tools/web/html-markdown.js";
import { piecesOf, plainText, withoutHidden } from "../../../src/tools/web/html-pieces.js";

const { signal } = new AbortController();
const convert = (html: string, timeoutMs = 20_000) => htmlToMarkdown(html, { timeoutMs, signal });

test("a page becomes Markdown, without what is not for readers", async () => {
  const html = `<!doctype html><html><head><title>T</title><style>a { b: "<p>c" }</style></head><body>
    <script>document.write("<h1>no</h1>")</script><!-- <h1>no</h1> --><h1>Cats</h1><p>All <b>about</b>
    <a href="/cats">cats</a> &amp; more.</p><ul><li>one</li><li>two</li></ul><pre><code>a\n  b</code></pre>
    <table><tr><th>k</th></tr><tr><td>v</td></tr></table><svg><text>no</text></svg><ScRiPt>no</sCrIpT ></body></html>`;

  const { markdown, isPartlyPlain } = await convert(html);

  expect(isPartlyPlain).toBe(false);
  expect(markdown).toBe(
    "# Cats\n\nAll **about** [cats](/cats) & more.\n\n* one\n* two\n\n```\na\n  b\n```\n\n| k |\n| - |\n| v |",
  );
});

test("a long page is converted in pieces that read as one", async () => {
  const part = (at: number) => `<h2>Part ${at}</h2><p>${"word ".repeat(40)}</p><ul><li><p>item ${at}</p></li></ul>`;
  const html = `<body><div>${Array.from({ length: 2_000 }, (_, at) => part(at)).join("")}</div></body>`;

  const { markdown, isPartlyPlain } = await convert(html);

  expect(piecesOf(html).join("")).toBe(html);
  expect(piecesOf(html).length).toBeGreaterThan(5);
  expect(isPartlyPlain).toBe(false);
  expect(markdown.match(/^## Part \d+$/gm)).toHaveLength(2_000);
  expect(markdown.match(/^\* +item \d+$/gm)).toHaveLength(2_000);
});

const many = (text: string, count = 100_000) => text.repeat(count);
test.each([
  ["nested blocks", many("<div>")],
  ["nested text", many("<b>")],
  ["nested lists", many("<ul><li>")],
  ["nested tables", many("<table><tr><td>")],
  ["tags that never end", many("<a x='")],
  ["angle brackets", many("<", 1_000_000)],
  ["comments that never end", many("<!--")],
  ["scripts that never end", many("<script>")],
  ["ends without starts", many("</div>")],
  ["entities", many("&amp;", 1_000_000)],
  ["whitespace", many(" \n", 1_000_000)],
])("hostile HTML ends in time and hurts nobody: %s", async (_what, html) => {
  const { markdown } = await convert(`${html}The end.`, 300);

  expect(typeof markdown).toBe("string");
});

test("what cannot be converted in time comes as bare text", async () => {
  const { markdown, isPartlyPlain } = await convert(`<p>One &lt; two</p>${many("<b>")}Three`, 1);

  expect(isPartlyPlain).toBe(true);
  expect(markdown).toBe("One < two\nThree");
});

test("without the package that converts it, HTML comes as bare text", async () => {
  const directory = await mkdtemp(join(tmpdir(), "loopwright-html-"));
  const outfile = join(directory, "html-markdown.mjs");
  const entryPoints = ["src/tools/web/html-markdown.ts"];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm" });
  const installed: { htmlToMarkdown: typeof htmlToMarkdown } = await import(pathToFileURL(outfile).href);

  const converted = await installed.htmlToMarkdown("<h1>Cats</h1><p>All</p>", { timeoutMs: 60_000, signal });
  await rm(directory, { recursive: true });

  expect(converted).toEqual({
    markdown: "Cats\nAll",
    isPartlyPlain: true,
    withoutConverter: 'to get Markdown, the package "node-html-markdown" has to be installed',
  });
});

test("an abort ends the conversion", async () => {
  const controller = new AbortController();
  const running = htmlToMarkdown(many("<b>"), { timeoutMs: 60_000, signal: controller.signal });

  controller.abort(new Error("enough"));

  await expect(running).rejects.toThrow("enough");
});

test("bare text has neither tags nor empty lines", () => {
  expect(plainText("<h1>A</h1>\n\n<p>b &amp;&quot;&#39;&nbsp;c</p> <i>d</i> <")).toBe("A\nb &\"' c\nd\n<");
});

test("hidden parts are taken away to their ends", () => {
  expect(withoutHidden("a<!-->b<!-- x -->c<style>d</style>e<SVG><p>f</p></SVG>g<noscript>h")).toBe("abceg");
  expect(withoutHidden("a<scripted>b</scripted>İ<script>x</script>c")).toBe("a<scripted>b</scripted>İc");
});
