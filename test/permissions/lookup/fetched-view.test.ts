import { expect, test } from "vitest";
import type { ManyFiles } from "../../../src/contracts/many-files.js";
import { FetchedView } from "../../../src/permissions/lookup/fetched-view.js";

/** Files that are all there, each a file with its own path in it; requests are noted. */
function everywhere(change: Partial<ManyFiles> = {}) {
  const asked: string[][] = [];
  const many: ManyFiles = {
    async look(questions) {
      asked.push(questions.map(({ path }) => path));
      return questions.map(({ path, maxBytes }) => {
        const bytes = maxBytes === undefined ? {} : { bytes: Buffer.from(path) };
        return { path, kind: "file" as const, links: [], ...bytes };
      });
    },
    tree: async () => null,
    readMany: async () => new Map(),
    narrow: async () => null,
    ...change,
  };
  return { asked, view: new FetchedView(many, "/r", ["/home"]) };
}

test("what is asked in vain is fetched in one trip, and the work done again", async () => {
  const { asked, view } = everywhere();
  let times = 0;

  const found = await view.settle(() => {
    times++;
    return [view.kindOf("/r/a"), view.kindOf("/r/b"), view.contentOf("/r/a", 10)?.toString()];
  });

  expect(found).toEqual(["file", "file", "/r/a"]);
  expect(asked).toEqual([["/r/a", "/r/b"]]);
  expect(times).toBe(2);
});

test("after six rounds, and beyond 3,000 questions, what is asked is not known", async () => {
  const { asked, view } = everywhere();
  let path = "/r";
  const deep = await view.settle(() => {
    for (path = "/x"; view.kindOf(path) !== "unknown"; ) path += "/x";
    return view.kindOf(path);
  });
  expect(deep).toBe("unknown");
  expect(asked.length).toBe(6);

  const wide = everywhere();
  const paths = Array.from({ length: 3_001 }, (_, index) => `/r/${index}`);
  const kinds = await wide.view.settle(() => paths.map((each) => wide.view.kindOf(each)));
  expect([new Set(kinds), wide.asked.length]).toEqual([new Set(["unknown"]), 0]);
});

test("below the root one list answers for all directories, but for those that are seldom looked into", async () => {
  const trees: string[][] = [];
  const file = (path: string, kind: "file" | "directory" | "symlink") => ({ path, kind, size: 1, mtimeMs: 1 });
  const { view } = everywhere({
    async tree([top]) {
      trees.push([top!]);
      const files =
        top === "/r"
          ? [
              file("/r/a", "directory"),
              file("/r/a/b.ts", "file"),
              file("/r/l", "symlink"),
              file("/r/.git", "directory"),
            ]
          : [file("/r/.git/HEAD", "file")];
      return { directories: [top!], files, ignoreFiles: new Map([["/r/.gitignore", "*.log"]]), repositories: [] };
    },
  });

  const found = await view.settle(() => ({
    names: ["/r", "/r/a", "/r/.git"].map((path) => view.entriesOf(path)?.map(({ name, kind }) => `${kind} ${name}`)),
    kinds: [view.kindOf("/r/a"), view.kindOf("/r/a/none"), view.isLink("/r/l"), view.realPathOf("/r/a/b.ts")],
    rules: String(Buffer.from(view.contentOf("/r/.gitignore", 100) ?? "")),
  }));

  expect(found).toEqual({
    names: [["directory a", "link l", "directory .git"], ["file b.ts"], ["file HEAD"]],
    kinds: ["directory", null, true, "/r/a/b.ts"],
    rules: "*.log",
  });
  expect(trees).toEqual([["/r"], ["/r/.git"]]);
});

test("a failure of the machine ends the work with that failure", async () => {
  const { view } = everywhere({ look: () => Promise.reject(new Error("connection lost")) });

  await expect(view.settle(() => view.kindOf("/r/a"))).rejects.toThrow("connection lost");
});
