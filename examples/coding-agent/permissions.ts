import type { Workspace } from "loopwright";
import { createPermissionChecker, type PermissionChecker } from "loopwright/permissions";

/** What the agent may never do, whoever says yes. */
const DENY = ["Bash(git push:*)", "Read(**/*.pem)", "Edit(**/*.pem)"];

/**
 * Decides each tool call in the directory.
 *
 * What only reads there runs. The first write and the first unknown command are asked; "always" is remembered for the
 * session. `yes` is the mode `bypassPermissions`: nothing is asked but what a tool or a rule insists on; what is denied stays denied.
 */
export function codingPermissions(workspace: Workspace, { yes = false } = {}): PermissionChecker {
  return createPermissionChecker({
    workspace,
    mode: yes ? "bypassPermissions" : "default",
    rules: { deny: DENY },
  });
}
