import { claimSame } from "./contract-case.js";
import type { WorkspaceCheck } from "./workspace-case.js";

/** What a workspace knows of a session. */
export const stateCases: Record<string, WorkspaceCheck> = {
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
