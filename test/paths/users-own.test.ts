import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isUsersOwn } from "../../src/paths/users-own.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

test("what really lies in an agents' directory of the home directory is the user's own", async () => {
  const home = await temporaryDirectory();
  const project = await temporaryDirectory();
  for (const dir of [".claude/skills", ".loopwright", ".agents", ".claude-other", "work/.claude"]) {
    mkdirSync(join(home, dir), { recursive: true });
  }
  symlinkSync(project, join(home, ".claude", "linked"));
  symlinkSync(join(home, ".claude", "skills"), join(project, "skills"));

  const own = async (path: string) => isUsersOwn(path, home);

  expect(await Promise.all([".claude/skills", ".loopwright", ".agents"].map((dir) => own(join(home, dir))))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await own(join(project, "skills"))).toBe(true);
  // A link out of it leads to what others have written.
  expect(await own(join(home, ".claude", "linked"))).toBe(false);
  for (const dir of ["work/.claude", ".claude-other", "", "missing"])
    expect(await own(join(home, dir)), dir).toBe(false);
  expect(await isUsersOwn(join(home, ".claude"), null)).toBe(false);
});

test("a home directory that is reached through a link is the same one", async () => {
  const base = await temporaryDirectory();
  mkdirSync(join(base, "real/.claude/skills"), { recursive: true });
  symlinkSync("real", join(base, "home"));

  expect(await isUsersOwn(join(base, "real/.claude/skills"), join(base, "home"))).toBe(true);
});
