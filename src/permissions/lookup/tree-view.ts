// Another tree of the workspace's files, as a sub-agent has one: its calls are judged by the names of the workspace, and by what lies there.
import { join, relative } from "node:path";
import type { PermissionRequest } from "../../contracts/permission.js";
import type { Workspace } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import type { DiskView } from "./disk-view.js";

/** The workspace that a tool works in: a sub-agent's may be another tree of the same files. */
export function treeOf(tool: PermissionRequest["tool"]): Workspace | undefined {
  const there = Object(typeof tool !== "string" && tool.worksIn) as Partial<Workspace>;
  return there.root !== undefined && there.files && there.fileState ? (there as Workspace) : undefined;
}

/** The same place in another tree; what lies elsewhere stays where it is. */
export function moved(path: string, from: string, to: string): string {
  return from !== to && isInside(path, from) ? join(to, relative(from, path)) : path;
}

/** The view of a tree `there`, by the names that its files have `here`. Git's own directory is the one that both share. */
export function treeView(disk: DiskView, here: string, there: string): DiskView {
  if (here === there) return disk;
  const git = join(here, ".git");
  const place = (path: string) => (path !== git && isInside(path, git) ? path : moved(path, here, there));
  return {
    entriesOf: (path) => disk.entriesOf(place(path)),
    realPathOf(path) {
      const at = place(path);
      const real = disk.realPathOf(at);
      return real === null || at === path ? real : moved(real, disk.realPathOf(there) ?? there, here);
    },
    kindOf: (path) => disk.kindOf(place(path)),
    isLink: (path) => disk.isLink(place(path)),
    contentOf: (path, maxBytes) => disk.contentOf(place(path), maxBytes),
    holdsKey: (path) => disk.holdsKey(place(path)),
    homes: disk.homes,
  };
}
