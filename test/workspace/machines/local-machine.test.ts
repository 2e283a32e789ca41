import { workspaceContract } from "loopwright/testing";
import { localMachine } from "loopwright/workspace";
import { describe, test } from "vitest";
import type { ClientSide } from "../../../src/acp/client-side.js";
import { editorWorkspace } from "../../../src/acp/editor/editor-workspace.js";
import { shellSuite } from "../shell/shell-suite.js";
import { machineShells, openMachine, sharedDirectory } from "./open-machine.js";

describe("the shell of a machine", () => shellSuite(machineShells(() => localMachine())));

describe("files of a machine", () => {
  const create = async () => openMachine(localMachine(), { root: await sharedDirectory() });
  for (const { name, run } of workspaceContract(create)) test(name, run);
});

describe("an editor around a machine", () => {
  const create = async () => {
    const workspace = await openMachine(localMachine(), { root: await sharedDirectory() });
    const client = { editor: { readsFiles: false, writesFiles: false, runsCommands: false } } as ClientSide;
    return editorWorkspace(workspace, client, {}, async () => {});
  };
  for (const { name, run } of workspaceContract(create)) test(name, run);
});
