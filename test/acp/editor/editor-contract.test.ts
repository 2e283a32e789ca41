import { Bash } from "just-bash";
import { createMemoryWorkspace, workspaceContract } from "loopwright/testing";
import { createJustBashWorkspace, createWorkspace } from "loopwright/workspace";
import { describe, test } from "vitest";
import type { ClientSide } from "../../../src/acp/client-side.js";
import { editorWorkspace } from "../../../src/acp/editor/editor-workspace.js";
import type { Workspace } from "../../../src/contracts/workspace.js";
import { temporaryDirectory } from "../../workspace/temporary-workspace.js";

/** An editor that works on the files of the workspace, without unsaved changes. */
function editorOver(inner: Workspace): ClientSide {
  const request = async (method: string, { path, content }: { path: string; content?: string }) => {
    if (method === "fs/write_text_file") return void (await inner.files.write(path, Buffer.from(content ?? "")));
    return { content: new TextDecoder().decode(await inner.files.read(path)) };
  };
  return { editor: { readsFiles: true, writesFiles: true, runsCommands: false }, request } as unknown as ClientSide;
}

const inner: Record<string, () => Promise<Workspace>> = {
  "this disk": async () => createWorkspace({ root: await temporaryDirectory() }),
  memory: () => createMemoryWorkspace(),
  "just-bash": () => createJustBashWorkspace({ bash: new Bash() }),
};

describe.each(Object.entries(inner))("an editor around %s", (_name, open) => {
  const create = async () => {
    const workspace = await open();
    return editorWorkspace(workspace, editorOver(workspace), {}, async () => {});
  };
  for (const { name, run } of workspaceContract(create)) test(name, run);
});
