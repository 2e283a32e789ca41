import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { type InputOf, object, string } from "../../schema/fields.js";
import { quoteName } from "../../text/quote-name.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { assertDecided } from "./decided-path.js";
import { pathClaims, permissionOf } from "./file-tool.js";
import { missingDirectories } from "./missing-path.js";
import { callInSession } from "./session-call.js";

const createDirInput = object({
  path: string("The directory to create, relative to the workspace.", { minLength: 1 }),
});

const description = `Creates a directory and its missing parents. write_file does so for its file itself.`;

/**
 * The tool `create_dir`: makes a directory with its parents, in one step of the sandbox.
 *
 * A file in the place of the directory is an error, and so is whatever the sandbox refuses to write.
 */
export function createCreateDirTool(workspace: Workspace): BaseTool<InputOf<typeof createDirInput>> {
  const { files, journal } = workspace;

  return defineBuiltinTool({
    name: "create_dir",
    description,
    input: createDirInput,
    permission: "read_write",
    effects: { writes: true },
    targets: ({ path }) => [{ field: "path", kind: "path", value: path }],
    worksIn: workspace,
    describe: ({ path }) => ({ title: `Create directory ${path ?? ""}`, kind: "edit", paths: [path] }),
    claims: ({ path }) => pathClaims(workspace, path, "write"),
    checkPermission: ({ path }, about) => permissionOf(workspace, path, "write", about),
    async execute({ path }, context) {
      const { signal, sessionId, turn } = context;
      const real = await files.resolve(path, "write");
      await assertDecided(workspace, { path, access: "write", real }, context);
      const made = await files.withLock(real, "write", async () => {
        signal.throwIfAborted();
        const directories = await missingDirectories(workspace, real);
        const about = { sessionId, turn, ...callInSession(context), path: real, before: null, mode: 0, directories };
        if (directories.length > 0) await journal?.before(about);
        await files.makeDirectory(real);
        return directories.length > 0;
      });
      return made ? `Created the directory ${quoteName(path)}.` : `The directory ${quoteName(path)} exists already.`;
    },
  });
}
