import type { FileAccess, PathAccess, Workspace } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import { createFileAccess } from "../file-access.js";
import { processLocks } from "../path-locks.js";
import { PathSandbox } from "../paths/path-sandbox.js";

/**
 * The same workspace, which also reads the files in a directory of this machine: kept outputs, whose paths a model gets. Nothing there
 * can be written, and the machine is not asked.
 */
export function withKeptArtifacts(workspace: Workspace, directory: string): Workspace {
  const rules = { readRoots: [], writeRoots: [], outside: "deny", protectedPaths: [] } as const;
  const here = createFileAccess(new PathSandbox({ root: directory, ...rules }), processLocks());
  const { files } = workspace;
  const of = (path: string): FileAccess => (isInside(path, directory) ? here : files);
  const resolve = (path: string, access: PathAccess) => (access === "read" ? of(path) : files).resolve(path, access);
  const kept: Workspace = {
    ...workspace,
    ...(workspace.forCall && {
      forCall: (given: Workspace) =>
        given === kept ? withKeptArtifacts(workspace.forCall!(workspace), directory) : given,
    }),
    resolve,
    needsApproval: async (path, access, sessionId) =>
      access === "read" && isInside(path, directory) ? null : workspace.needsApproval(path, access, sessionId),
    files: {
      ...files,
      ...(files.many && {
        many: {
          ...files.many,
          tree: async (directories: readonly string[], leaveOut: readonly string[]) =>
            directories.some((each) => isInside(each, directory)) ? null : files.many!.tree(directories, leaveOut),
        },
      }),
      resolve,
      stat: (path) => of(path).stat(path),
      open: (path) => of(path).open(path),
      read: (path) => of(path).read(path),
      list: (path) => of(path).list(path),
      withLock: (path, access, work) => (access === "read" ? of(path) : files).withLock(path, access, work),
    },
  };
  return kept;
}
