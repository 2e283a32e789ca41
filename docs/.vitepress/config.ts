import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf } from "./anchors.js";
import { DOCS, packedPages, REPOSITORY, sidebar, siteLink } from "./pages.js";

const src = fileURLToPath(new URL("../../src", import.meta.url));

/** The site: `npm run docs`. Everything is built from files; nothing is fetched. */
export default defineConfig({
  title: "loopwright",
  description: "An embeddable agent harness for TypeScript.",
  // Below another path than the root of its host, as on GitHub Pages.
  base: process.env.DOCS_BASE ?? "/",
  lastUpdated: false,
  markdown: {
    anchor: { slugify: anchorOf },
    config(md) {
      // Double braces in code are code, not an expression of the page.
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index]!.content)}</code>`;
      md.core.ruler.push("links-out-of-docs", ({ tokens, env }) => {
        for (const { children } of tokens) {
          for (const token of children ?? []) {
            const href = token.type === "link_open" ? token.attrGet("href") : null;
            if (href) token.attrSet("href", siteLink(href, env.relativePath));
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/getting-started" },
      { text: "Why", link: "/why" },
      { text: "Playground", link: "/playground" },
      { text: "Errors", link: "/reference/errors" },
      { text: "API", link: "/api/" },
    ],
    sidebar: sidebar(),
    socialLinks: [{ icon: "github", link: REPOSITORY }],
  },
  vite: {
    // The playground runs the library from its source.
    resolve: {
      alias: [
        { find: /^loopwright$/, replacement: join(src, "index.ts") },
        { find: /^loopwright\/(.+)$/, replacement: join(src, "$1/index.ts") },
      ],
    },
    build: { chunkSizeWarningLimit: 5_000 },
  },
  buildEnd({ outDir }) {
    for (const file of ["llms.txt", ...packedPages()]) {
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      copyFileSync(join(DOCS, file), join(outDir, file));
    }
  },
});
