import type { Look, LookQuestion, ManyFiles } from "../../contracts/many-files.js";
import type { FileAccess } from "../../contracts/workspace.js";
import type { DriverSandbox } from "./driver-sandbox.js";

/** The files with the answers about many of them, which the sandbox remembers: it need not follow those paths again. */
export function withMany(files: FileAccess, many: ManyFiles | undefined, sandbox: DriverSandbox): FileAccess {
  if (!many) return files;

  async function lookAt(question: LookQuestion): Promise<Look> {
    const isPlain = !question.stat && !question.names && question.maxBytes === undefined;
    const known = isPlain ? sandbox.seen(question.path) : undefined;
    if (known) return known;
    const [look] = await many!.look([question]);
    sandbox.remember(question.path, look!);
    return look!;
  }

  return {
    ...files,
    many: {
      look: (questions) => Promise.all(questions.map(lookAt)),
      async tree(directories, leaveOut) {
        const tree = await many.tree(directories, leaveOut);
        for (const { path, kind } of tree?.files ?? []) {
          if (kind !== "symlink") sandbox.remember(path, { path, kind, links: [] });
        }
        return tree;
      },
      async readMany(paths, maxBytes) {
        const contents = await many.readMany(paths, maxBytes);
        for (const [path, bytes] of contents) sandbox.remember(path, { path, kind: "file", links: [] }, bytes);
        return contents;
      },
      narrow: (directory, options) => many.narrow(directory, options),
    },
  };
}
