import { createMemoryWorkspace, workspaceContract } from "loopwright/testing";
import { createWorkspace } from "loopwright/workspace";
import { describe, expect, test } from "vitest";
import type { FileAccess, Workspace } from "../../../src/contracts/workspace.js";
import { temporaryDirectory } from "../../workspace/temporary-workspace.js";
import { failingCases } from "../failing-cases.js";

describe("createWorkspace", () => {
  for (const { name, run } of workspaceContract(async () => createWorkspace({ root: await temporaryDirectory() }))) {
    test(name, run);
  }
});

describe("createMemoryWorkspace", () => {
  for (const { name, run } of workspaceContract(() => createMemoryWorkspace())) test(name, run);
});

/** What each broken workspace does differently from a right one, and a case that has to notice. */
const broken: Record<string, [breakIt: (files: FileAccess) => Partial<FileAccess>, noticedBy: string]> = {
  "reads outside": [
    (files) => ({ read: (path) => (path.startsWith("/") ? Promise.resolve(new Uint8Array()) : files.read(path)) }),
    "whatever leads out is refused with PATH_OUTSIDE, by every use",
  ],
  "locks nothing": [
    () => ({ withLock: (_path, _access, work) => work() }),
    "readers share a file, a writer is alone, and they take turns as they came",
  ],
  "keeps the version": [
    (files) => ({ write: async (path, content) => ({ ...(await files.write(path, content)), version: "1" }) }),
    "a status has kind and size, and its version changes with every write and at no other time",
  ],
  "removes directories with all that is in them": [
    (files) => {
      const remove = async (path: string): Promise<void> => {
        const isDirectory = (await files.stat(path)).kind === "directory";
        for (const { name } of isDirectory ? await files.list(path) : []) await remove(`${path}/${name}`);
        await files.remove!(path);
      };
      return { remove };
    },
    "a directory is removed only when nothing is in it",
  ],
  "hands out its own bytes": [
    (files) => {
      const known = new Map<string, Promise<Uint8Array>>();
      const read = (path: string) => known.get(path) ?? known.set(path, files.read(path)).get(path)!;
      return { read };
    },
    "a file keeps its own bytes, whatever happens to those that were passed or read",
  ],
};

test.each(Object.entries(broken))("a workspace that %s is found out", async (_name, [breakIt, noticedBy]) => {
  const create = async (): Promise<Workspace> => {
    const workspace = await createMemoryWorkspace();
    const { files } = workspace;
    const bound = Object.fromEntries(
      (["resolve", "stat", "open", "read", "write", "remove", "makeDirectory", "list", "withLock"] as const).map(
        (name) => [name, (files[name] as unknown as (...args: unknown[]) => unknown).bind(files)],
      ),
    ) as unknown as FileAccess;
    return { ...workspace, files: { ...bound, ...breakIt(files) } };
  };

  expect(await failingCases(workspaceContract(create))).toContain(noticedBy);
});
