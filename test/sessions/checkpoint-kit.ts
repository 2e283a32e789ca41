// A workspace with checkpoints, and an agent that is a list of calls: each call leaves the entries a run would leave.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import type { BaseTool } from "../../src/contracts/tool.js";
import type { FileAccess, Workspace } from "../../src/contracts/workspace.js";
import type { JsonValue } from "../../src/index.js";
import { checkpointsOn } from "../../src/sessions/checkpoints/checkpoints.js";
import { type FileSystem, nodeFiles } from "../../src/sessions/file-system.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import {
  createBashTool,
  createCreateDirTool,
  createEditFileTool,
  createReadFileTool,
  createWriteFileTool,
} from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";

export const SESSION = "s";

/** A directory with `root` and `checkpoints` in it, gone after the test. */
export function place() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-checkpoints-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "root");
  mkdirSync(root);
  return { base, root, dir: join(base, "checkpoints") };
}

export interface SetUpOptions {
  readonly root: string;
  readonly dir: string;
  readonly sessions?: SessionStore;
  readonly files?: FileSystem;
  /** Exchanges the file access that rewinds use. */
  readonly access?: (files: FileAccess) => FileAccess;
  readonly maxBytes?: number;
  /** Default: `"process"`. */
  readonly durability?: "power" | "process";
}

export async function openAgent({
  root,
  dir,
  sessions = createMemorySessionStore(),
  files = nodeFiles,
  access = (each) => each,
  maxBytes,
  durability = "process",
}: SetUpOptions) {
  const checkpoints = checkpointsOn(files, { dir, sessions, durability, ...(maxBytes && { maxBytes }) });
  const workspace = await createWorkspace({ root, journal: checkpoints });
  const seen: Workspace = { ...workspace, files: access(workspace.files) };
  const rewinder = await checkpoints.open(seen);
  const tools: Record<string, BaseTool> = {
    read: createReadFileTool(workspace),
    write: createWriteFileTool(workspace),
    edit: createEditFileTool(workspace),
    mkdir: createCreateDirTool(workspace),
    bash: createBashTool(workspace),
  };
  let calls = 0;
  let entries = 0;

  async function record(entry: object): Promise<string> {
    const id = `e${++entries}`;
    const about = { v: 1, id, parent: entries === 1 ? null : `e${entries - 1}`, at: Date.now(), runId: "run", turn: 1 };
    await sessions.append(SESSION, [{ ...about, ...entry } as SessionEntry]);
    return id;
  }

  /** Runs one tool and records its answer. Resolves with the entry's id; a failure is an answer, too. */
  async function call(name: keyof typeof tools, args: JsonValue): Promise<string> {
    const toolCallId = `call_${++calls}`;
    const context = fakeToolContext({ sessionId: SESSION, runId: "run", toolCallId });
    let isError = false;
    try {
      const tool = tools[name]!;
      const execution = tool.execute(await tool.parse!(args), context) as AsyncGenerator | Promise<unknown>;
      if (Symbol.asyncIterator in execution) while (!(await execution.next()).done);
      else await execution;
    } catch {
      isError = true;
    }
    return record({
      type: "tool-result",
      result: { toolCallId, name, output: "", isError, status: isError ? "failure" : "success", durationMs: 0 },
    });
  }

  return {
    checkpoints,
    workspace,
    /** What rewinds use. */
    seen,
    rewinder,
    sessions,
    call,
    /** An entry without a call, such as a prompt. */
    mark: (at = Date.now()) => record({ at, type: "custom", name: "mark", data: null }),
    close: () => workspace.close(),
  };
}

/** The agent of a test, in a place of its own. */
export async function agentIn(options: Partial<SetUpOptions> = {}) {
  const { base, root, dir } = place();
  const agent = await openAgent({ root, dir, ...options });
  onTestFinished(() => agent.close());
  return { base, root, dir, ...agent };
}

/** What a directory holds: texts with their mode, targets of links, and directories, by path. */
export function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path);
    if (entry.isDirectory()) tree[name] = "directory";
    else if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(path)}`;
    else tree[name] = `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path, "utf8")}`;
  }
  return tree;
}
