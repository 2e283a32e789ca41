import type { Workspace } from "../contracts/workspace.js";
import type { ContractCase } from "./contract-case.js";
import { directoryCases, removeCases } from "./workspace-directory-cases.js";
import { fileCases } from "./workspace-file-cases.js";
import { lockCases } from "./workspace-lock-cases.js";
import { pathCases } from "./workspace-path-cases.js";
import { stateCases } from "./workspace-state-cases.js";

/**
 * What every `Workspace` promises the tools: paths, files, locks and what it knows of a session.
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
