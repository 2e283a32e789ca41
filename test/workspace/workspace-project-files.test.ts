import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ProjectFileError, readProjectFile } from "../../src/files/project-files.js";
import { createMemoryWorkspace } from "../../src/testing/index.js";
import { createWorkspace, projectFiles } from "../../src/workspace/index.js";

async function troubleOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    ({ trouble }: ProjectFileError) => trouble,
  );
}

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "project-files-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test.each(["disk", "memory"])("a file is read whole, from inside its directory, or not at all (%s)", async (where) => {
  const dir = directory();
  mkdirSync(join(dir, "a/folder"), { recursive: true });
  for (const [path, content] of [
    ["a/one", "1234"],
    ["two", "56"],
  ] as const)
    writeFileSync(join(dir, path), content);
  const memory = await createMemoryWorkspace({ files: { "a/one": "1234", "a/folder/x": "", two: "56" } });
  const workspace = where === "disk" ? await createWorkspace({ root: dir }) : memory;
  const { root } = workspace;
  const files = projectFiles(workspace);
  const inside = { maxBytes: 4, within: join(root, "a") };

  expect(new TextDecoder().decode(await readProjectFile(files, join(root, "a/one"), inside))).toBe("1234");
  expect(await troubleOf(readProjectFile(files, join(root, "a/one"), { maxBytes: 3 }))).toBe("too large");
  expect(await troubleOf(readProjectFile(files, join(root, "a/none"), inside))).toBe("missing");
  expect(await troubleOf(readProjectFile(files, join(root, "a/one/x"), inside))).toBe("missing");
  expect(await troubleOf(readProjectFile(files, join(root, "a/folder"), inside))).toBe("not a file");
  expect(await troubleOf(readProjectFile(files, join(root, "two"), inside))).toBe("outside");
  expect([...(await files.list(join(root, "a")))].map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual([
    "folder directory",
    "one file",
  ]);
  expect(await files.list(join(root, "none"))).toEqual([]);
  await workspace.close();
});

test("a link that leads out of its directory is not read, wherever it leads", async () => {
  const dir = directory();
  mkdirSync(join(dir, "a"));
  writeFileSync(join(dir, "secret"), "x");
  symlinkSync("../secret", join(dir, "a/link"));
  const files = projectFiles(await createWorkspace({ root: dir }));
  expect(await troubleOf(readProjectFile(files, join(dir, "a/link"), { maxBytes: 9, within: join(dir, "a") }))).toBe(
    "outside",
  );
});

test("files elsewhere are read once each, and 16 MB of them at most", async () => {
  const large = new Uint8Array(6 * 1024 * 1024);
  const workspace = await createMemoryWorkspace({ files: { a: large, b: large, c: large, d: "x" } });
  const at = (name: string) => join(workspace.root, name);
  const files = projectFiles(workspace);
  const read = (name: string) => readProjectFile(files, at(name), { maxBytes: large.length });

  const before = await read("a");
  await workspace.files.write(at("a"), new TextEncoder().encode("changed"));
  expect(await read("a")).toBe(before);
  await read("b");
  expect(await troubleOf(read("c"))).toBe("unreadable");
  await expect(read("c")).rejects.toThrow("it was not read: all files take over 16777216 bytes; keep fewer");
});
