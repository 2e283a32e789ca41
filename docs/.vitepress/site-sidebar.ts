// What the site shows at the side: every page of the docs, and in the reference the names of one import path at a time.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { DefaultTheme } from "vitepress";
import { API, DOCS, decisions, titleOf, ungrouped } from "./pages.js";
import { GROUPS, INSIDE } from "./sidebar.js";

export function siteSidebar(): DefaultTheme.SidebarMulti {
  return { "/": pages(), ...reference() };
}

function pages(): DefaultTheme.SidebarItem[] {
  const item = (page: string) => ({ text: titleOf(page), link: `/${page}` });
  const rest = ungrouped().map(item);
  return [
    ...GROUPS.map(({ title, pages }, index) => ({ text: title, collapsed: index > 2, items: pages.map(item) })),
    ...(rest.length > 0 ? [{ text: "More", items: rest }] : []),
    { text: "Import paths", collapsed: true, items: importPaths() },
    { text: "Inside", collapsed: true, items: [INSIDE, ...decisions()].map(item) },
  ];
}

/** A sidebar for the pages of each import path, by where they are. */
function reference(): DefaultTheme.SidebarMulti {
  const paths = importPaths();
  return Object.fromEntries(
    paths.map(({ text, link }) => [
      link!,
      [
        { text, link, items: namesAt(link!) },
        link === `/${API}/` ? { text: "Import paths", items: paths } : { text: "All import paths", link: `/${API}/` },
      ],
    ]),
  );
}

/** The import paths, once TypeDoc has written their pages; the root is first. */
function importPaths(): DefaultTheme.SidebarItem[] {
  if (!existsSync(join(DOCS, API))) return [];
  return readdirSync(join(DOCS, API), { recursive: true, encoding: "utf8" })
    .map((file) => `${API}/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith("/index.md"))
    .map((file) => ({ text: titleOf(file.slice(0, -3)), link: `/${dirname(file)}/` }))
    .sort((a, b) => (a.link < b.link ? -1 : 1));
}

/** The names of an import path under the headings of its index. */
function namesAt(link: string): DefaultTheme.SidebarItem[] {
  const [, ...groups] = readFileSync(join(DOCS, link, "index.md"), "utf8").split(/^## /m);
  return groups
    .map((group) => ({
      text: group.split("\n", 1)[0]!,
      rows: [...group.matchAll(/^- \[`(.+?)`\]\((.+?)\.md\)/gm)].filter(([, name]) => !name!.includes("/")),
    }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ text, rows }) => ({
      text,
      collapsed: text === "Types",
      items: rows.map(([, name, page]) => ({ text: name!, link: posix.join(link, page!) })),
    }));
}
