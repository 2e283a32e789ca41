import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { walkPath } from "../../../src/workspace/paths/path-walk.js";
import { temporaryDirectory } from "../temporary-workspace.js";

const deep = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`).join("/");

test("a long path is real as far as it exists, whatever is missing behind it", async () => {
  const base = await temporaryDirectory();
  await mkdir(join(base, deep(100)), { recursive: true });
  await writeFile(join(base, deep(100), "file"), "");

  for (const rest of ["", "/file", "/new", "/new/../other", "/../../new", "/a/../../d99/file"]) {
    const walk = walkPath(`${base}/${deep(100)}${rest}`);
    expect({ ...walk, stats: walk.stats !== undefined }).toEqual({
      path: join(base, deep(100), rest).replace(/\/$/, ""),
      stats: rest === "" || rest.endsWith("file"),
      links: [],
    });
  }
});

test("a symbolic link is seen wherever it stands on a long path", async () => {
  const base = await temporaryDirectory();
  await mkdir(join(base, "target", deep(90)), { recursive: true });
  for (const depth of [1, 2, 23, 24, 25, 26, 47, 48, 49, 89, 90]) {
    const parent = join(base, `at${depth}`, deep(depth - 1));
    await mkdir(parent, { recursive: true });
    await symlink(join(base, "target"), join(parent, "link"));
    const path = join(parent, "link", deep(90));

    const walk = walkPath(path);

    expect([walk.path, walk.links], String(depth)).toEqual([join(base, "target", deep(90)), [join(parent, "link")]]);
    expect(walkPath(join(parent, "link")).path).toBe(join(base, "target"));
    expect(walkPath(join(parent, "link", "new", deep(60))).path).toBe(join(base, "target", "new", deep(60)));
  }
});

test("names in a missing directory leave it with `..` as in one that exists", async () => {
  const base = await temporaryDirectory();
  await symlink("/etc", join(base, "link"));

  expect(walkPath(`${base}/new/../link/x-new`).path).toBe("/etc/x-new");
  expect(walkPath(`${base}/new/deep/../../link`)).toMatchObject({ path: "/etc", links: [join(base, "link")] });
  expect(walkPath(`${base}/new/${"n".repeat(300)}`)).toMatchObject({ trouble: "too-long" });
});
