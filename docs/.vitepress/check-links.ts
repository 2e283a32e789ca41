import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Links of a built site that lead to no page of it, or to no element of that page, as `page: link`. */
export function brokenSiteLinks(dist: string, base: string): string[] {
  const pages = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .map((file) => file.replaceAll("\\", "/"));
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (page: string) => {
    const known = anchors.get(page) ?? new Set(idsIn(readFileSync(join(dist, page), "utf8")));
    anchors.set(page, known);
    return known;
  };
  return pages.flatMap((page) =>
    [...new Set(linksIn(readFileSync(join(dist, page), "utf8")))]
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const target = targetOf(path, page, base);
        if (!existsSync(join(dist, target))) return true;
        return anchor && target.endsWith(".html") && !anchorsOf(target).has(decodeURIComponent(anchor));
      })
      .map((link) => `${page}: ${link}`),
  );
}

function targetOf(path: string, page: string, base: string): string {
  if (path === "") return page;
  const target = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path);
  return target === "" || target.endsWith("/") ? `${target}index.html` : decodeURIComponent(target);
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/\shref="([^"]*)"/g)]
    .map(([, link]) => unescaped(link!))
    .filter((link) => !/^[a-z]+:/.test(link));
}

function idsIn(html: string): string[] {
  return [...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => unescaped(id!));
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
