import type { FileAccess, PathAccess } from "../../contracts/workspace.js";
import { claim, claimFailure, claimSame, show } from "../contract-case.js";
import { bytes, textOfBytes, type WorkspaceCheck } from "./workspace-case.js";

const ACCESSES: readonly PathAccess[] = ["read", "write"];

/** The paths of a workspace, and which are refused. */
export const pathCases: Record<string, WorkspaceCheck> = {
  "paths are relative to the root, or absolute inside it, and resolve to absolute ones": async (workspace, files) => {
    const path = await files.resolve("new/a.txt", "write");

    claim(path.startsWith(`${workspace.root}/`), `"new/a.txt" resolved to ${show(path)}, outside the root.`);
    for (const same of ["./new//a.txt", "x/../new/a.txt", path]) {
      claimSame(await files.resolve(same, "write"), path, `the path of ${show(same)}`);
    }
    claimSame(await workspace.resolve("new/a.txt", "read"), path, "workspace.resolve");
    claimSame(await files.resolve(".", "write"), workspace.root, "the path of the root");
  },

  "whatever leads out is refused with PATH_OUTSIDE, by every use": async ({ root }, files) => {
    const paths = ["..", "../x", "a/../../x", "/", "/etc/passwd", `${root}-other`, `${root}/../x`];
    for (const path of paths) await claimRefused(files, path, "PATH_OUTSIDE");
  },

  "what is not a path is refused with PATH_INVALID, by every use": async (_workspace, files) => {
    const paths = ["", "a\0b", "~", "~/a", "file:///etc/passwd", "half\ud800"];
    for (const path of paths) await claimRefused(files, path, "PATH_INVALID");
  },

  "odd names of files are names like others": async (_workspace, files) => {
    const names = ["..a", "...", "a b", "-a", "line\nbreak", "é😀", "./~a", "a'\"`$*?"];

    for (const name of names) await files.write(name, bytes(name));

    for (const name of names) claimSame(textOfBytes(await files.read(name)), name, `the content of ${show(name)}`);
  },

  "private keys are refused, and git's own files are not written": async (_workspace, files) => {
    await claimRefused(files, "id_rsa", "PATH_PROTECTED");
    for (const path of [".git/config", "a/.GIT/hooks/x"]) {
      await claimFailure(() => files.write(path, bytes("x")), "PATH_PROTECTED", `writing ${path}`);
      await claimFailure(() => files.makeDirectory(path), "PATH_PROTECTED", `making ${path}`);
    }
  },

  "files that others execute, trust or keep secret need approval, also before they exist": async (workspace) => {
    for (const path of [".env", ".bashrc", ".npmrc", ".vscode/settings.json", ".github/workflows/ci.yml"]) {
      const reason = await workspace.needsApproval(path, "write");
      claim(typeof reason === "string" && reason !== "", `writing ${path} needs no approval: ${show(reason)}.`);
    }
    claim((await workspace.needsApproval(".env", "read")) !== null, "reading .env needs no approval.");
    for (const path of ["src/a.ts", "../.env", ""]) {
      for (const access of ACCESSES)
        claimSame(await workspace.needsApproval(path, access), null, `approval for ${show(path)}`);
    }
  },
};

/** Everything that can be done with a path. */
async function claimRefused(
  files: FileAccess,
  path: string,
  code: "PATH_OUTSIDE" | "PATH_INVALID" | "PATH_PROTECTED",
): Promise<void> {
  const uses: Record<string, () => Promise<unknown>> = {
    "resolve to read": () => files.resolve(path, "read"),
    "resolve to write": () => files.resolve(path, "write"),
    stat: () => files.stat(path),
    open: () => files.open(path),
    read: () => files.read(path),
    write: () => files.write(path, bytes("x")),
    makeDirectory: () => files.makeDirectory(path),
    list: () => files.list(path),
    ...(files.remove && { remove: () => files.remove!(path) }),
    withLock: () => files.withLock(path, "write", async () => {}),
  };
  for (const [name, use] of Object.entries(uses)) await claimFailure(use, code, `${name} of ${show(path)}`);
}
