import { mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { onTestFinished } from "vitest";
import { SandboxError } from "../../src/contracts/errors.js";
import type { JsonValue } from "../../src/contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../src/contracts/tool.js";
import type { ArtifactStore, Workspace } from "../../src/contracts/workspace.js";
import { createLocalShell } from "../../src/workspace/local-shell.js";

/** A temporary folder, by its real path, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "loopwright-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A real workspace over `root`, with the parts the search and shell tools use. Closed after the test. */
export function openWorkspace(root: string, options: { env?: Record<string, string>; artifacts?: ArtifactStore } = {}) {
  const inside = async (path: string) => {
    const real = await realpath(resolve(root, path));
    if (real !== root && !real.startsWith(root + sep)) {
      throw new SandboxError("PATH_OUTSIDE", { message: `"${path}" is outside.` });
    }
    return real;
  };
  const shell = createLocalShell({ root, env: options.env ?? {} });
  onTestFinished(() => shell.close());
  const files = {
    resolve: inside,
    async stat(path: string) {
      const found = await stat(await inside(path));
      return { kind: found.isDirectory() ? "directory" : "file", size: found.size, mtimeMs: found.mtimeMs, mode: 0 };
    },
  };
  return { root, resolve: inside, shell, files, artifacts: options.artifacts } as unknown as Workspace;
}

/** Keeps artifacts as files of a folder. */
export function folderArtifacts(folder: string): ArtifactStore & { names(): Promise<string[]> } {
  return {
    async put(content) {
      const { writeFile } = await import("node:fs/promises");
      const path = join(folder, `artifact-${(await readdir(folder)).length}`);
      await writeFile(path, content);
      return { id: path, path, bytes: content.length, mediaType: "text/plain" };
    },
    get: (id) => readFile(id),
    names: () => readdir(folder),
  };
}

/** A context for a call of session `s1` unless said otherwise. */
export function callContext(overrides: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    toolCallId: "call-1",
    runId: "run-1",
    turn: 1,
    agentPath: [],
    sessionId: "s1",
    transcriptId: "s1",
    app: undefined,
    progress() {},
    suspend() {
      throw new Error("These tools do not suspend.");
    },
    ...overrides,
  };
}

/** Parses and executes one call as the engine does; answers its text and details. */
export async function callTool(
  tool: BaseTool,
  args: JsonValue,
  context: ToolContext = callContext(),
): Promise<{ text: string; details: JsonValue | undefined }> {
  const input = tool.parse ? await tool.parse(args) : args;
  const output = (await tool.execute(input, context)) as ToolOutput;
  if (typeof output === "string") return { text: output, details: undefined };
  return { text: output.output as string, details: output.details };
}
