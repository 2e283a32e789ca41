// What the permission tests share: a real directory with a workspace, and short ways to ask.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionDecision, PermissionRequest } from "../../src/index.js";
import {
  createPermissionChecker,
  type PermissionChecker,
  type PermissionCheckerOptions,
} from "../../src/permissions/index.js";
import { createWorkspace } from "../../src/workspace/index.js";

/** A small project with the things rules are about: sources, secrets, hooks, and links in all directions. */
export async function project() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-permissions-")));
  const root = join(home, "app");
  const outside = join(home, "outside");
  for (const directory of [
    "app/src",
    "app/docs",
    "app/secrets",
    "app/.github/workflows",
    "app/.git/hooks",
    "outside",
  ]) {
    mkdirSync(join(home, directory), { recursive: true });
  }
  for (const file of [
    "app/src/a.ts",
    "app/README.md",
    "app/.env",
    "app/secrets/key.txt",
    "app/package.json",
    "outside/x",
  ]) {
    writeFileSync(join(home, file), "content\n");
  }
  symlinkSync("../secrets/key.txt", join(root, "src/innocent.txt"));
  symlinkSync(outside, join(root, "out"));
  symlinkSync("src", join(root, "lib"));
  const workspace = await createWorkspace({ root });
  return {
    root,
    outside,
    workspace,
    async close() {
      await workspace.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export type Asked = Partial<PermissionRequest> & Pick<PermissionRequest, "tool" | "input">;

/** What a checker with these options says of a call. */
export async function decide(options: PermissionCheckerOptions, request: Asked): Promise<PermissionDecision> {
  return createPermissionChecker(options).decide(request);
}

export function bash(command: string): Asked {
  return { tool: "bash", input: { command } };
}

export async function behaviorOf(checker: PermissionChecker, request: Asked): Promise<PermissionDecision["behavior"]> {
  return (await checker.decide(request)).behavior;
}
