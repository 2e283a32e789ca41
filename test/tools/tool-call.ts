import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JsonValue } from "../../src/contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../src/contracts/tool.js";
import type { Workspace } from "../../src/contracts/workspace.js";
import { fakeToolContext } from "../../src/testing/fake-tool-context.js";
import { createWorkspace, type WorkspaceOptions } from "../../src/workspace/index.js";

/** A temporary folder, by its real path, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "loopwright-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace that is closed after the test. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const workspace = await createWorkspace(options);
  onTestFinished(() => workspace.close());
  return workspace;
}

/** Parses and executes one call as the engine does; answers its text and details. */
export async function callTool(
  tool: BaseTool,
  args: JsonValue,
  context: Partial<ToolContext> = {},
): Promise<{ text: string; details: JsonValue | undefined }> {
  const input = tool.parse ? await tool.parse(args) : args;
  const session = { sessionId: "s1", transcriptId: "s1", ...context };
  const output = (await tool.execute(input, fakeToolContext(session))) as ToolOutput;
  if (typeof output === "string") return { text: output, details: undefined };
  return { text: output.output as string, details: output.details };
}
