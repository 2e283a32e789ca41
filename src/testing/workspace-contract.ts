import type { FileAccess, PathAccess, Workspace } from "../contracts/workspace.js";
import { type ContractCase, claim, claimFailure, claimSame, show, within } from "./contract-case.js";

/**
 * What every `Workspace` promises the tools: paths, files, locks and what it knows of a session.
 *
 * `create` is called once for each case and gives an empty workspace whose root may be written; it is closed after the
 * case. Its shell is not asked to run anything, since what it runs is the host's.
 *
 * @example
 * for (const c of workspaceContract(() => createMemoryWorkspace())) test(c.name, c.run);
 */
export function workspaceContract(create: () => Workspace | Promise<Workspace>): ContractCase[] {
  const cases = { ...pathCases, ...fileCases, ...folderCases, ...lockCases, ...stateCases };
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => {
      const workspace = await create();
      try {
        await check(workspace, workspace.files);
      } finally {
        await workspace.close();
      }
    },
  }));
}

type Check = (workspace: Workspace, files: FileAccess) => Promise<void>;

const SETTLE_MS = 5_000;
const ACCESSES: readonly PathAccess[] = ["read", "write"];

const pathCases: Record<string, Check> = {
  "paths are relative to the root, or absolute inside it, and resolve to absolute ones": async (workspace, files) => {
    const path = await files.resolve("new/a.txt", "write");

    claim(path.startsWith(`${workspace.root}/`), `"new/a.txt" resolved to ${show(path)}, outside the root.`);
    for (const same of ["./new//a.txt", "x/../new/a.txt", path]) {
      claimSame(await files.resolve(same, "write"), path, `the path of ${show(same)}`);
    }
    claimSame(await workspace.resolve("new/a.txt", "read"), path, "workspace.resolve");
    claimSame(await files.resolve(".", "write"), workspace.root, "the path of the root");
  },

  "whatever leads out is refused with PATH_OUTSIDE, by every use": async ({ root }, files) => {
    const paths = ["..", "../x", "a/../../x", "/", "/etc/passwd", `${root}-other`, `${root}/../x`];
    for (const path of paths) await claimRefused(files, path, "PATH_OUTSIDE");
  },

  "what is no path is refused with PATH_INVALID, by every use": async (_workspace, files) => {
    const paths = ["", "a\0b", "~", "~/a", "file:///etc/passwd", "half\ud800"];
    for (const path of paths) await claimRefused(files, path, "PATH_INVALID");
  },

  "odd names of files are names like others": async (_workspace, files) => {
    const names = ["..a", "...", "a b", "-a", "line\nbreak", "é😀", "./~a", "a'\"`$*?"];

    for (const name of names) await files.write(name, bytes(name));

    for (const name of names) claimSame(text(await files.read(name)), name, `the content of ${show(name)}`);
  },

  "private keys are refused, and git's own files are not written": async (_workspace, files) => {
    await claimRefused(files, "id_rsa", "PATH_PROTECTED");
    for (const path of [".git/config", "a/.GIT/hooks/x"]) {
      await claimFailure(() => files.write(path, bytes("x")), "PATH_PROTECTED", `writing ${path}`);
      await claimFailure(() => files.makeDirectory(path), "PATH_PROTECTED", `making ${path}`);
    }
  },

  "files that others execute, trust or keep secret need a yes, also before they exist": async (workspace) => {
    for (const path of [".env", ".bashrc", ".npmrc", ".vscode/settings.json", ".github/workflows/ci.yml"]) {
      const reason = workspace.needsApproval(path, "write");
      claim(typeof reason === "string" && reason !== "", `writing ${path} needs no approval: ${show(reason)}.`);
    }
    claim(workspace.needsApproval(".env", "read") !== null, "reading .env needs no approval.");
    for (const path of ["src/a.ts", "../.env", ""]) {
      for (const access of ACCESSES)
        claimSame(workspace.needsApproval(path, access), null, `approval for ${show(path)}`);
    }
  },
};

const fileCases: Record<string, Check> = {
  "what was written is read back, byte for byte": async (_workspace, files) => {
    const contents = [bytes(""), bytes("text\r\n"), Uint8Array.from({ length: 256 }, (_, index) => index)];

    for (const [index, content] of contents.entries()) await files.write(`folder/${index}`, content);

    for (const [index, content] of contents.entries()) {
      claimSame([...(await files.read(`folder/${index}`))], [...content], `the content of file ${index}`);
    }
  },

  "a file keeps its own bytes, whatever happens to those that were passed or read": async (_workspace, files) => {
    const passed = bytes("one");
    await files.write("a", passed);
    passed.fill(0);
    (await files.read("a")).fill(0);

    claimSame(text(await files.read("a")), "one", "the content");
  },

  "a status tells kind and size, and its version changes with every write and not otherwise": async (_w, files) => {
    const versions = new Set<string>();
    for (const content of ["a", "b", "b", "longer"]) versions.add((await files.write("f/a", bytes(content))).version);
    const { kind, size, version } = await files.stat("f/a");

    claimSame({ kind, size }, { kind: "file", size: 6 }, "the status of a file");
    claimSame((await files.stat("f")).kind, "directory", "the kind of a folder");
    claimSame(versions.size, 4, "different versions after 4 writes");
    await files.read("f/a");
    claimSame((await files.stat("f/a")).version, version, "the version after a read");
  },

  "an open file tells what it is, and reads from any position": async (_workspace, files) => {
    await files.write("a", bytes("0123456789"));
    const file = await files.open("a");
    const target = new Uint8Array(4);

    claimSame([file.path, file.stat.size], [await files.resolve("a", "read"), 10], "path and size");
    claimSame([await file.read(target, 0), text(target)], [4, "0123"], "the first 4 bytes");
    claimSame([await file.read(target, 8), text(target.subarray(0, 2))], [2, "89"], "the last 2 bytes");
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

    claimSame(text(target.subarray(0, count)), "old", "what the open file reads");
  },

  "of many writes at once one wins whole": async (_workspace, files) => {
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(1_000 + index));

    await Promise.all(contents.map((content) => files.write("a", bytes(content))));

    claim(contents.includes(text(await files.read("a"))), "the file holds none of the contents written.");
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
    await files.makeDirectory("folder");

    for (const use of [
      () => files.read("folder"),
      () => files.open("folder"),
      () => files.write("folder", bytes("")),
    ]) {
      await claimFailure(use, "FILE_UNSUPPORTED", "a folder used as a file");
    }
    for (const use of [() => files.list("file"), () => files.makeDirectory("file")]) {
      await claimFailure(use, "FILE_UNSUPPORTED", "a file used as a folder");
    }
    for (const use of [() => files.read("file/x"), () => files.write("file/x", bytes(""))]) {
      await claimFailure(use, "PATH_INVALID", "a file used as a folder on the way");
    }
    claimSame(text(await files.read("file")), "x", "the file");
  },
};

const folderCases: Record<string, Check> = {
  "folders are made with their parents, and one that exists is fine": async (_workspace, files) => {
    await files.makeDirectory("a/b/c");
    await files.makeDirectory("a/b/c");
    await files.makeDirectory(".");

    claimSame((await files.stat("a/b/c")).kind, "directory", "the kind");
  },

  "a list has the names and kinds of what is in a folder, and nothing deeper": async (_workspace, files) => {
    await files.write("a/file", bytes("x"));
    await files.write("a/folder/deeper", bytes("x"));
    const listed = [...(await files.list("a"))].sort((one, other) => (one.name < other.name ? -1 : 1));

    claimSame(
      listed.map(({ name, kind }) => ({ name, kind })),
      [
        { name: "file", kind: "file" },
        { name: "folder", kind: "directory" },
      ],
      "the entries",
    );
    await files.makeDirectory("empty");
    claimSame((await files.list("empty")).length, 0, "entries of an empty folder");
  },

  "no file is left behind beside those that were written": async (_workspace, files) => {
    for (const content of ["1", "2"]) await files.write("f/a", bytes(content));
    await claimFailure(() => files.write("f", bytes("x")), "FILE_UNSUPPORTED", "writing a folder");

    claimSame(
      (await files.list("f")).map(({ name }) => name),
      ["a"],
      "names",
    );
  },
};

const lockCases: Record<string, Check> = {
  "readers share a file, a writer is alone, and they take turns as they came": async (_workspace, files) => {
    const log: string[] = [];
    const release = pending();
    const use = (name: string, access: PathAccess, until?: Promise<void>) =>
      files.withLock("a", access, async () => {
        log.push(`${name} begins`);
        await until;
        log.push(`${name} ends`);
      });

    const first = [use("reader 1", "read", release.promise), use("reader 2", "read", release.promise)];
    const writer = use("writer", "write");
    const late = use("late reader", "read");
    await files.withLock("b", "write", async () => {});
    claimSame(log, ["reader 1 begins", "reader 2 begins"], "what began while the readers were at work");
    release.resolve();
    await within(SETTLE_MS, Promise.all([...first, writer, late]), "four uses of one file");

    claimSame(log.slice(4), ["writer begins", "writer ends", "late reader begins", "late reader ends"], "the order");
  },

  "a lock is let go when its work fails, and passes on what the work answers": async (_workspace, files) => {
    const failed = await files.withLock("a", "write", () => Promise.reject(new Error("no"))).catch(String);

    claimSame(failed, "Error: no", "the failure");
    claimSame(
      await within(
        SETTLE_MS,
        files.withLock("a", "write", async () => 42),
        "the next lock",
      ),
      42,
      "the answer",
    );
  },

  "different spellings of one path are one lock": async (_workspace, files) => {
    let isHeld = false;
    const use = () => {
      claim(!isHeld, "two writers were at work on one file.");
      isHeld = true;
      return new Promise<void>((done) =>
        setTimeout(() => {
          isHeld = false;
          done();
        }),
      );
    };
    const absolute = await files.resolve("a", "write");

    await Promise.all(["a", "./a", "x/../a", absolute].map((path) => files.withLock(path, "write", use)));
  },
};

const stateCases: Record<string, Check> = {
  "the file state keeps digests per session until it ends": async ({ fileState }) => {
    fileState.note("s", "/a", "1");
    fileState.note("s", "/a", "2");
    fileState.note("other", "/a", "3");
    fileState.note("s", "/b", "4");

    claimSame([fileState.get("s", "/a"), fileState.get("other", "/a")], ["2", "3"], "digests");
    claimSame(fileState.paths("s"), ["/b", "/a"], "paths");
    fileState.endSession("s");
    claimSame([fileState.get("s", "/a") ?? null, fileState.get("other", "/a")], [null, "3"], "digests after the end");
    fileState.endSession();
    claimSame(fileState.paths("other"), [], "paths after the end of all");
  },

  "the file state tells each change of a version once, and keeps the digest": async ({ fileState }) => {
    fileState.note("s", "/a", "digest", "v1");
    const seen = ["v1", "v2", "v2", null, null, "v3"].map((version) => fileState.see("s", "/a", version));

    claimSame(seen, [null, "change", null, "unlink", null, "add"], "what became of the file");
    claimSame(fileState.get("s", "/a"), "digest", "the digest");
    claimSame(fileState.see("s", "/unknown", "v1"), null, "what became of a file nobody noted");
  },

  "shell folders are kept per agent until it, or its session, ends": async ({ shellFolders }) => {
    shellFolders.set({ transcriptId: "agent", sessionId: "s" }, "/folder");
    claimSame(shellFolders.get("agent"), "/folder", "the folder");
    claimSame(shellFolders.get("other") ?? null, null, "the folder of another");
    shellFolders.endSession("s");
    claimSame(shellFolders.get("agent") ?? null, null, "the folder after the end");
  },
};

/** Everything that can be done with a path. */
async function claimRefused(
  files: FileAccess,
  path: string,
  code: "PATH_OUTSIDE" | "PATH_INVALID" | "PATH_PROTECTED",
): Promise<void> {
  const uses: Record<string, () => Promise<unknown>> = {
    "resolve to read": () => files.resolve(path, "read"),
    "resolve to write": () => files.resolve(path, "write"),
    stat: () => files.stat(path),
    open: () => files.open(path),
    read: () => files.read(path),
    write: () => files.write(path, bytes("x")),
    makeDirectory: () => files.makeDirectory(path),
    list: () => files.list(path),
    withLock: () => files.withLock(path, "write", async () => {}),
  };
  for (const [name, use] of Object.entries(uses)) await claimFailure(use, code, `${name} of ${show(path)}`);
}

function pending(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function text(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}
