import type { Workspace } from "../../../contracts/workspace.js";
import { DiskSource } from "./disk-source.js";
import { FilesSource } from "./files-source.js";
import type { SearchSource } from "./search-source.js";
import { SnapshotSource } from "./snapshot-source.js";

/** The disk itself where the files of a workspace are on it, which is many times as fast; else as few round trips as may be. */
export function searchSource({ files, root }: Workspace): SearchSource {
  if (files.onDisk) return new DiskSource(root);
  return files.many ? new SnapshotSource(files, files.many, root) : new FilesSource(files, root);
}
