import { claim, claimFailure, claimSame } from "../contract-case.js";
import { bytes, textOfBytes, type WorkspaceCheck } from "./workspace-case.js";

/** Making and listing. */
export const directoryCases: Record<string, WorkspaceCheck> = {
  "directories are made with their parents, and one that exists is fine": async (_workspace, files) => {
    await files.makeDirectory("a/b/c");
    await files.makeDirectory("a/b/c");
    await files.makeDirectory(".");

    claimSame((await files.stat("a/b/c")).kind, "directory", "the kind");
  },

  "a list has the names and kinds of what is in a directory, and nothing deeper": async (_workspace, files) => {
    await files.write("a/file", bytes("x"));
    await files.write("a/directory/deeper", bytes("x"));
    const listed = [...(await files.list("a"))].sort((one, other) => (one.name < other.name ? -1 : 1));

    claimSame(
      listed.map(({ name, kind }) => ({ name, kind })),
      [
        { name: "directory", kind: "directory" },
        { name: "file", kind: "file" },
      ],
      "the entries",
    );
    await files.makeDirectory("empty");
    claimSame((await files.list("empty")).length, 0, "entries of an empty directory");
  },

  "no file is left behind beside those that were written": async (_workspace, files) => {
    for (const content of ["1", "2"]) await files.write("f/a", bytes(content));
    await claimFailure(() => files.write("f", bytes("x")), "FILE_UNSUPPORTED", "writing a directory");

    claimSame(
      (await files.list("f")).map(({ name }) => name),
      ["a"],
      "names",
    );
  },
};

/** Taking away, where a workspace can. */
export const removeCases: Record<string, WorkspaceCheck> = {
  "a file that is removed is gone, and its directory stays": async (_workspace, files) => {
    if (!files.remove) return;
    await files.write("directory/a", bytes("a"));
    await files.write("directory/b", bytes("b"));
    const open = await files.open("directory/a");

    await files.remove("directory/a");

    await claimFailure(() => files.stat("directory/a"), "PATH_NOT_FOUND", "the status of a removed file");
    claimSame(
      (await files.list("directory")).map(({ name }) => name),
      ["b"],
      "what is left in the directory",
    );
    const target = new Uint8Array(1);
    await open.read(target, 0);
    await open.close();
    claimSame(textOfBytes(target), "a", "what a file that was open still reads");
    await files.write("directory/a", bytes("again"));
    claimSame(textOfBytes(await files.read("directory/a")), "again", "the content of a file made again");
  },

  "a directory is removed only when nothing is in it": async (_workspace, files) => {
    if (!files.remove) return;
    await files.write("directory/inner/a", bytes("a"));

    for (const path of ["directory", "directory/inner"]) {
      const failed = await files.remove(path).then(
        () => false,
        () => true,
      );
      claim(failed, `removing "${path}", which holds something, did not fail.`);
    }
    claimSame(textOfBytes(await files.read("directory/inner/a")), "a", "the file inside");
    await files.remove("directory/inner/a");
    await files.remove("directory/inner");
    await files.remove("directory");
    await claimFailure(() => files.stat("directory"), "PATH_NOT_FOUND", "the status of a removed directory");
  },

  "what is missing cannot be removed": async (_workspace, files) => {
    if (!files.remove) return;
    for (const path of ["missing", "missing/deeper"]) {
      await claimFailure(() => files.remove!(path), "PATH_NOT_FOUND", `removing ${path}`);
    }
  },
};
