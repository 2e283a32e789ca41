import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf } from "./anchors.js";
import { DOCS, packedPages, REPOSITORY, siteLink } from "./pages.js";
import { miniSearch } from "./search.js";
import { siteSidebar } from "./site-sidebar.js";

const src = fileURLToPath(new URL("../../src", import.meta.url));

// Below another path than the root of its host, as on GitHub Pages.
const base = process.env.DOCS_BASE ?? "/";

/** The site: `npm run docs`. Everything is built from files; nothing is fetched. */
export default defineConfig({
  title: "loopwright",
  description: "An embeddable agent harness for TypeScript.",
  base,
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }],
    ["meta", { name: "theme-color", content: "#0f766e" }],
  ],
  lastUpdated: false,
  // Once for all pages, not in each: it has the sidebars.
  metaChunk: true,
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
    search: { provider: "local", options: { miniSearch } },
    logo: "/favicon.svg",
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/getting-started" },
      { text: "Why", link: "/why" },
      { text: "Playground", link: "/playground" },
      { text: "Errors", link: "/reference/errors" },
      { text: "API", link: "/api/" },
    ],
    sidebar: siteSidebar(),
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
