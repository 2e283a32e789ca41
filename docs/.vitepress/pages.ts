// What the site is made of: pages, their titles, and links that lead out of docs/.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { GROUPS, INSIDE } from "./sidebar.js";

export const DOCS = fileURLToPath(new URL("..", import.meta.url));
export const REPOSITORY = "https://github.com/loopwright/loopwright";

/** Where TypeDoc writes the reference of the import paths. */
export const API = "api";

/** A page's first heading, without markup. */
export function titleOf(page: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), "utf8"))?.[1] ?? page;
  return heading.replace(/[`*]/g, "");
}

export function decisions(): string[] {
  return readdirSync(join(DOCS, "decisions"))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => `decisions/${file.slice(0, -3)}`);
}

/** Pages that no group names yet, so that a new guide is on the site from its first day. */
export function ungrouped(): string[] {
  const named = new Set([...GROUPS.flatMap(({ pages }) => pages), INSIDE, "index"]);
  return readdirSync(DOCS, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".md") && !/^(?:api|decisions|\.vitepress)\//.test(file))
    .map((file) => file.slice(0, -3))
    .filter((page) => !named.has(page))
    .sort();
}

/** Pages that the package has, relative to docs/: what package.json names of them. */
export function packedPages(): string[] {
  const { files } = JSON.parse(readFileSync(join(DOCS, "../package.json"), "utf8")) as { files: string[] };
  return files
    .filter((file) => file.startsWith("docs/"))
    .map((file) => file.slice("docs/".length))
    .flatMap((file) => (file.includes(".") ? [file] : readdirSync(join(DOCS, file)).map((name) => `${file}/${name}`)))
    .filter((file) => file.endsWith(".md"));
}

/** Where a link into the repository by its whole address leads, relative to its root; `null` for any other link. */
export function repositoryPath(href: string): string | null {
  return new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/(.+)$`).exec(href)?.[1] ?? null;
}

/**
 * A link that leads out of docs/ goes to the repository, and a whole address of a page to that page of the site; any other stays as
 * it is. `page` is relative to docs/.
 */
export function siteLink(href: string, page: string): string {
  const whole = repositoryPath(href);
  if (whole !== null && /^docs\/[^#]+\.md/.test(whole)) return posix.relative(posix.join("docs", dirname(page)), whole);
  if (/^[a-z]+:|^#|^\//.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.normalize(posix.join("docs", dirname(page), path));
  if (target.startsWith("docs/")) return href;
  return `${REPOSITORY}/blob/main/${target}${anchor === undefined ? "" : `#${anchor}`}`;
}
