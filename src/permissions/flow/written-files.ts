// Which files were written from untrusted content, by the workspace that they are in: for every session, whatever reads them.
import { parse } from "node:path";
import type { Label } from "../../contracts/label.js";
import type { FileState, Workspace } from "../../contracts/workspace.js";
import { joinLabels, NO_LABEL } from "../../labels/join-labels.js";
import { isInside } from "../../paths/inside.js";

/** More files are not told apart: then every file counts as written so. */
const MAX_FILES = 20_000;

const WRITTEN = new WeakMap<FileState, Map<string, Label>>();

/** Notes that a file, or what is below a directory, may have been written from such content. Real and absolute. */
export function noteWrittenFrom({ fileState }: Workspace, path: string, label: Label): void {
  const files = WRITTEN.get(fileState) ?? new Map<string, Label>();
  WRITTEN.set(fileState, files);
  const place = files.size < MAX_FILES || files.has(path) ? path : parse(path).root;
  files.set(place, joinLabels(files.get(place) ?? NO_LABEL, label));
}

/** What the files at or below the paths, or the directories around them, were written from, where that was untrusted. */
export function writtenFrom(workspace: Workspace | undefined, paths: readonly string[] | "all"): Label {
  const files = workspace ? WRITTEN.get(workspace.fileState) : undefined;
  const near = [...(files ?? [])].filter(
    ([at]) => paths === "all" || paths.some((path) => isInside(at, path) || isInside(path, at)),
  );
  return near.reduce((all, [, label]) => joinLabels(all, label), NO_LABEL);
}
