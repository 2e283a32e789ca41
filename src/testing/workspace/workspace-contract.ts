import type { Workspace } from "../../contracts/workspace.js";
import type { ContractCase } from "../contract-case.js";
import { claimSame } from "../contract-case.js";
import type { WorkspaceCheck } from "./workspace-case.js";
import { directoryCases, removeCases } from "./workspace-directory-cases.js";
import { fileCases } from "./workspace-file-cases.js";
import { lockCases } from "./workspace-lock-cases.js";
import { pathCases } from "./workspace-path-cases.js";

/**
 * The promises of every `Workspace` to the tools: paths, files, locks and what it knows of a session.
 *
 * `create` is called once for each case and gives an empty workspace whose root may be written; it is closed after the
 * case. Its shell is not asked to run anything, since what it runs is the host's.
 *
 * @example
 * for (const c of workspaceContract(() => createMemoryWorkspace())) test(c.name, c.run);
 */
export function workspaceContract(create: () => Workspace | Promise<Workspace>): ContractCase[] {
  const cases = { ...pathCases, ...fileCases, ...directoryCases, ...removeCases, ...lockCases, ...stateCases };
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => {
      const workspace = await create();
      try {
        await check(workspace, workspace.files);
      } finally {
        await workspace.close();
      }
    },
  }));
}

/** A workspace's knowledge of a session. */
const stateCases: Record<string, WorkspaceCheck> = {
  "the file state keeps digests per session until it ends": async ({ fileState }) => {
    fileState.note("s", "/a", "1");
    fileState.note("s", "/a", "2");
    fileState.note("other", "/a", "3");
    fileState.note("s", "/b", "4");

    claimSame([fileState.get("s", "/a"), fileState.get("other", "/a")], ["2", "3"], "digests");
    claimSame(fileState.paths("s"), ["/b", "/a"], "paths");
    fileState.endSession("s");
    claimSame([fileState.get("s", "/a") ?? null, fileState.get("other", "/a")], [null, "3"], "digests after the end");
    fileState.endSession();
    claimSame(fileState.paths("other"), [], "paths after the end of all");
  },

  "the file state reports each change of a version once, and keeps the digest": async ({ fileState }) => {
    fileState.note("s", "/a", "digest", "v1");
    const seen = ["v1", "v2", "v2", null, null, "v3"].map((version) => fileState.see("s", "/a", version));

    claimSame(seen, [null, "change", null, "unlink", null, "add"], "what became of the file");
    claimSame(fileState.get("s", "/a"), "digest", "the digest");
    claimSame(fileState.see("s", "/unknown", "v1"), null, "what became of a file that was never noted");
  },

  "shell directories are kept per agent until it, or its session, ends": async ({ shellDirectories }) => {
    shellDirectories.set({ transcriptId: "agent", sessionId: "s" }, "/directory");
    claimSame(shellDirectories.get("agent"), "/directory", "the directory");
    claimSame(shellDirectories.get("other") ?? null, null, "the directory of another");
    shellDirectories.endSession("s");
    claimSame(shellDirectories.get("agent") ?? null, null, "the directory after the end");
  },
};
