import { posix } from "node:path";
import type { Walk } from "../../contracts/many-files.js";

/** As many links as Linux follows before it calls a path a loop. */
const MAX_LINKS = 40;

/**
 * Follows an absolute path name by name, for the `walk` of a driver. `look` says what one path is, its last name not followed: the
 * kind, the target of a link, or `null` for nothing. What it throws is trouble on the way.
 */
export async function followPath(
  path: string,
  look: (path: string) => Promise<{ readonly kind: NonNullable<Walk["kind"]> } | { readonly target: string } | null>,
): Promise<Walk> {
  const links: string[] = [];
  const pending = path.split("/").reverse();
  let [at, kind]: [string, Walk["kind"]] = ["/", "directory"];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "" || name === ".") continue;
    if (kind === "file" || kind === "other") return { path: at, kind, links, trouble: "not-a-directory" };
    if (name === "..") {
      at = posix.dirname(at);
      // A directory above a missing name may be missing, too.
      if (kind === null) kind = await kindAt(at, look);
      continue;
    }
    const next = posix.join(at, name);
    if (kind === null) {
      at = next;
      continue;
    }
    const found = await look(next).catch(() => undefined);
    if (found === undefined) return { path: next, kind: null, links, trouble: "unreadable" };
    if (found && "target" in found) {
      if (links.push(next) > MAX_LINKS) return { path: at, kind: null, links, trouble: "loop" };
      if (found.target.startsWith("/")) at = "/";
      pending.push(...found.target.split("/").reverse());
    } else [at, kind] = [next, found?.kind ?? null];
  }
  return { path: at, kind, links };
}

/** The kind of file at a path that was followed already. */
async function kindAt(path: string, look: Parameters<typeof followPath>[1]): Promise<Walk["kind"]> {
  if (path === "/") return "directory";
  const found = await look(path).catch(() => null);
  return found && "kind" in found ? found.kind : null;
}
