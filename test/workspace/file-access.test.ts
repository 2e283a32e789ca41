import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "./temporary-workspace.js";

test("writing makes parents, keeps mode and links, and leaves no temporary file", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await writeFile(join(root, "run.sh"), "old");
  await chmod(join(root, "run.sh"), 0o750);
  await symlink("run.sh", join(root, "link"));
  await symlink("deep/target", join(root, "dangling"));

  await workspace.files.write("a/b/c.txt", Buffer.from("c"));
  const changed = await workspace.files.write("link", Buffer.from("new"));
  await workspace.files.write("dangling", Buffer.from("t"));

  expect(await readFile(join(root, "a/b/c.txt"), "utf8")).toBe("c");
  expect(await readFile(join(root, "run.sh"), "utf8")).toBe("new");
  expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o750);
  expect(await readlink(join(root, "link"))).toBe("run.sh");
  expect(await readFile(join(root, "deep/target"), "utf8")).toBe("t");
  expect(changed).toEqual(await workspace.files.stat("run.sh"));
  expect((await readdir(root, { recursive: true })).filter((name) => name.includes("loopwright"))).toEqual([]);
});

test("files are reported, opened, read and listed", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await writeFile(join(root, "a.txt"), "0123456789");
  await mkdir(join(root, "sub"));
  await symlink("a.txt", join(root, "link"));

  const file = await workspace.files.open("link");
  const target = new Uint8Array(4);

  expect(file.path).toBe(join(root, "a.txt"));
  expect([await file.read(target, 8), Buffer.from(target.subarray(0, 2)).toString()]).toEqual([2, "89"]);
  expect(await file.read(target, 10)).toBe(0);
  await file.close();
  expect(await workspace.files.stat("a.txt")).toMatchObject({ kind: "file", size: 10 });
  expect([...(await workspace.files.list("."))].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "a.txt", kind: "file" },
    { name: "link", kind: "symlink" },
    { name: "sub", kind: "directory" },
  ]);
});

test("what is missing or of another kind is said with a code", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await mkdir(join(root, "sub"));
  await writeFile(join(root, "file"), "");
  const { files } = workspace;
  const missing = { code: "PATH_NOT_FOUND" };
  const otherKind = { code: "FILE_UNSUPPORTED" };

  await expect(files.read("nope")).rejects.toMatchObject(missing);
  await expect(files.stat("nope/deeper")).rejects.toMatchObject(missing);
  await expect(files.list("nope")).rejects.toMatchObject(missing);
  await expect(files.read("sub")).rejects.toMatchObject(otherKind);
  await expect(files.write("sub", Buffer.from("x"))).rejects.toMatchObject(otherKind);
  await expect(files.list("file")).rejects.toMatchObject(otherKind);
  await expect(files.makeDirectory("file")).rejects.toMatchObject(otherKind);
  await expect(files.write("file/x", Buffer.from("x"))).rejects.toMatchObject({ code: "PATH_INVALID" });
});

test("the version of a file differs after every write, also one of the same size", async () => {
  const { workspace } = await temporaryWorkspace();

  const versions = new Set<string>();
  for (let count = 0; count < 20; count++) {
    versions.add((await workspace.files.write("a", Buffer.from(String(count % 10)))).version);
  }

  expect(versions.size).toBe(20);
});

test("files and empty directories are removed, a full directory and what is refused are not", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  const remove = workspace.files.remove!;
  await mkdir(join(root, "full/empty"), { recursive: true });
  await writeFile(join(root, "full/file"), "1");
  await writeFile(join(outside, "file"), "1");
  await symlink(outside, join(root, "out"));

  await expect(remove("full")).rejects.toMatchObject({ code: "TOOL_FAILED" });
  await expect(remove("gone")).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  await expect(remove("out/file")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(remove(".git/config")).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  for (const path of ["full/file", "full/empty", "full"]) await remove(path);

  expect(await readdir(root)).toEqual(["out"]);
  expect(await readdir(outside)).toEqual(["file"]);
});

test("a mode that is reported wins over the one a file has", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await workspace.files.write("a", Buffer.from("1"), { mode: 0o755 });
  await workspace.files.write("b", Buffer.from("1"));

  await workspace.files.write("b", Buffer.from("2"), { mode: 0o600 });

  expect((await stat(join(root, "a"))).mode & 0o777).toBe(0o755);
  expect((await stat(join(root, "b"))).mode & 0o777).toBe(0o600);
});
