import type { Workspace } from "../../../contracts/workspace.js";

/** The branch that is checked out at the workspace's root, or the beginning of a commit's id; `undefined` outside a repository. */
export async function branchOfRepository({ root, files }: Workspace): Promise<string | undefined> {
  const read = async (path: string) => new TextDecoder().decode(await files.read(path)).trim();
  try {
    // In a work tree it is a file that names the directory.
    const { kind } = await files.stat(`${root}/.git`);
    const directory = kind === "file" ? (await read(`${root}/.git`)).replace(/^gitdir: /, "") : `${root}/.git`;
    const head = await read(`${directory.startsWith("/") ? directory : `${root}/${directory}`}/HEAD`);
    return head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 8) || undefined;
  } catch {
    return undefined;
  }
}
