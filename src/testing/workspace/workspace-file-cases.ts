import { claim, claimFailure, claimSame } from "../contract-case.js";
import { bytes, textOfBytes, type WorkspaceCheck } from "./workspace-case.js";

/** The content of files, and what is known of them. */
export const fileCases: Record<string, WorkspaceCheck> = {
  "what was written is read back, byte for byte": async (_workspace, files) => {
    const contents = [bytes(""), bytes("text\r\n"), Uint8Array.from({ length: 256 }, (_, index) => index)];

    for (const [index, content] of contents.entries()) await files.write(`directory/${index}`, content);

    for (const [index, content] of contents.entries()) {
      claimSame([...(await files.read(`directory/${index}`))], [...content], `the content of file ${index}`);
    }
  },

  "a file keeps its own bytes, whatever happens to those that were passed or read": async (_workspace, files) => {
    const passed = bytes("one");
    await files.write("a", passed);
    passed.fill(0);
    (await files.read("a")).fill(0);

    claimSame(textOfBytes(await files.read("a")), "one", "the content");
  },

  "a status has kind and size, and its version changes with every write and at no other time": async (_w, files) => {
    const versions = new Set<string>();
    for (const content of ["a", "b", "b", "longer"]) versions.add((await files.write("f/a", bytes(content))).version);
    const { kind, size, version } = await files.stat("f/a");

    claimSame({ kind, size }, { kind: "file", size: 6 }, "the status of a file");
    claimSame((await files.stat("f")).kind, "directory", "the kind of a directory");
    claimSame(versions.size, 4, "different versions after 4 writes");
    await files.read("f/a");
    claimSame((await files.stat("f/a")).version, version, "the version after a read");
  },

  "an open file says what it is, and reads from any position": async (_workspace, files) => {
    await files.write("a", bytes("0123456789"));
    const file = await files.open("a");
    const target = new Uint8Array(4);

    claimSame([file.path, file.stat.size], [await files.resolve("a", "read"), 10], "path and size");
    claimSame([await file.read(target, 0), textOfBytes(target)], [4, "0123"], "the first 4 bytes");
    claimSame([await file.read(target, 8), textOfBytes(target.subarray(0, 2))], [2, "89"], "the last 2 bytes");
    claimSame(await file.read(target, 10), 0, "bytes read at the end");
    await file.close();
  },

  "an open file stays what it was when another takes its place": async (_workspace, files) => {
    await files.write("a", bytes("old"));
    const file = await files.open("a");
    await files.write("a", bytes("new and longer"));
    const target = new Uint8Array(20);

    const count = await file.read(target, 0);
    await file.close();

    claimSame(textOfBytes(target.subarray(0, count)), "old", "what the open file reads");
  },

  "of many writes at once one wins whole": async (_workspace, files) => {
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(1_000 + index));

    await Promise.all(contents.map((content) => files.write("a", bytes(content))));

    claim(contents.includes(textOfBytes(await files.read("a"))), "the file holds none of the contents written.");
  },

  "what is missing is PATH_NOT_FOUND": async (_workspace, files) => {
    for (const path of ["missing", "missing/deeper"]) {
      for (const name of ["stat", "open", "read", "list"] as const) {
        await claimFailure(() => files[name](path), "PATH_NOT_FOUND", `${name} of ${path}`);
      }
    }
  },

  "what is of another kind is FILE_UNSUPPORTED, and a way through a file PATH_INVALID": async (_workspace, files) => {
    await files.write("file", bytes("x"));
    await files.makeDirectory("directory");

    for (const use of [
      () => files.read("directory"),
      () => files.open("directory"),
      () => files.write("directory", bytes("")),
    ]) {
      await claimFailure(use, "FILE_UNSUPPORTED", "a directory used as a file");
    }
    for (const use of [() => files.list("file"), () => files.makeDirectory("file")]) {
      await claimFailure(use, "FILE_UNSUPPORTED", "a file used as a directory");
    }
    for (const use of [() => files.read("file/x"), () => files.write("file/x", bytes(""))]) {
      await claimFailure(use, "PATH_INVALID", "a file used as a directory on the way");
    }
    claimSame(textOfBytes(await files.read("file")), "x", "the file");
  },
};
