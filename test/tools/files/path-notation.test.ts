// Odd notations of a path lead to the file they mean, and never to a new one of that name.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaseTool } from "loopwright";
import { fakeToolContext } from "loopwright/testing";
import { createEditFileTool, createReadFileTool, createWriteFileTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { expect, onTestFinished, test } from "vitest";

async function setUp() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "notation-")));
  const workspace = await createWorkspace({ root });
  onTestFinished(async () => {
    await workspace.close();
    await rm(root, { recursive: true, force: true });
  });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "one\n");
  const call = async <Input>(tool: BaseTool<Input>, input: object) =>
    tool.execute(await tool.parse!(input as never), fakeToolContext());
  return {
    root,
    read: (path: string) => call(createReadFileTool(workspace), { path }),
    write: (path: string) => call(createWriteFileTool(workspace), { path, content: "new\n" }),
    edit: (path: string) => call(createEditFileTool(workspace), { path, old_text: "one", new_text: "two" }),
  };
}

const posix = process.platform !== "win32";
const NOTATIONS = [
  ...(posix ? ["src\\a.ts", ".\\src\\a.ts"] : []),
  "@src/a.ts",
  "@./src/a.ts",
  '"src/a.ts"',
  "'src/a.ts'",
  "`src/a.ts`",
  "src/a.ts ",
  " src/a.ts",
  "src/a.ts\n",
  '@"src/a.ts"',
];

test("an odd notation is refused with the path it means, by read_file, edit_file and write_file", async () => {
  const { root, read, write, edit } = await setUp();
  for (const path of NOTATIONS) {
    for (const tool of [read, write, edit]) {
      await expect(tool(path), JSON.stringify(path)).rejects.toMatchObject({
        code: "PATH_NOT_FOUND",
        message: expect.stringMatching(/Did you mean "[^"]*src\/a\.ts"\?/),
      });
    }
  }
  expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("one\n");
  expect(readdirSync(root)).toEqual(["src"]);
});

test("an address is refused as what it is", async () => {
  const { root, read, write } = await setUp();
  await expect(read(`file://${root}/src/a.ts`)).rejects.toThrow(/src\/a\.ts/);
  await expect(write(`file://${root}/src/new.ts`)).rejects.toThrow(/src\/new\.ts/);
  expect(readdirSync(join(root, "src"))).toEqual(["a.ts"]);
});

test("no new file is made under an odd notation either", async () => {
  const { root, write } = await setUp();
  for (const path of ["@src/new.ts", '"src/new.ts"', "new.ts\n", ...(posix ? ["src\\new.ts"] : [])]) {
    await expect(write(path), path).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  }
  expect(readdirSync(root)).toEqual(["src"]);
});

test("a plain path, a leading ./ and a scope that means itself go on working", async () => {
  const { root, read, write } = await setUp();
  await read("./src/a.ts");
  await write("./src/b.ts");
  await write("@types/x.d.ts");
  await write("@types/y.d.ts");
  await write('it\'s "quoted".txt');
  expect(existsSync(join(root, "src/b.ts")) && existsSync(join(root, "@types/y.d.ts"))).toBe(true);
});

test("a file whose name really is so is still reached", async () => {
  const { root, edit } = await setUp();
  for (const path of ["@odd", '"quoted"', "blank ", ...(posix ? ["back\\slash"] : [])]) {
    writeFileSync(join(root, path), "one\n");
    await edit(path);
    expect(readFileSync(join(root, path), "utf8"), path).toBe("two\n");
  }
});
