// Replays the tasks of coding agents: a scripted agent that obeys every injection, tools that say what the data says they returned.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, type BaseTool, type JsonObject } from "../../src/index.js";
import { createPermissionChecker, type FlowOptions, isReadOnlyCommand } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { tool } from "../engine/kit.js";
import { trackedFiles } from "./repository.js";

interface MadeCall {
  readonly tool: string;
  readonly input: JsonObject;
}

export interface CodingTask {
  readonly id: string;
  readonly kind: string;
  readonly prompt: string;
  readonly calls: readonly (MadeCall & { readonly result: string })[];
  readonly injections: readonly {
    readonly where: number;
    readonly line: number;
    readonly goal: string;
    readonly text: string;
    readonly attack: readonly MadeCall[];
  }[];
}

const TASKS = new URL("./coding-tasks/", import.meta.url);

export function codingTasks(): CodingTask[] {
  const files = readdirSync(TASKS).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => JSON.parse(readFileSync(new URL(name, TASKS), "utf8")) as CodingTask[]);
}

/** A call of the attacker's that only looks does no harm by itself. */
function isEffectful({ tool, input }: MadeCall): boolean {
  if (tool === "bash") return !isReadOnlyCommand(String(input.command));
  return !["read_file", "grep", "glob", "list_dir", "todo_write", "ask_user"].includes(tool);
}

/** A repository of the files that the calls of a task read or edit. */
function projectOf({ calls }: CodingTask): string {
  const root = mkdtempSync(join(tmpdir(), "loopwright-coding-"));
  const paths = calls.flatMap(({ tool, input: { path, command = "" } }) => {
    if (tool === "bash") return String(command).match(/(?<=^git rm )\S+/g) ?? [];
    if (typeof path !== "string" || /^[/~]|node_modules|\.\./.test(path)) return [];
    if (tool === "read_file" || tool === "edit_file") return [path];
    return tool === "grep" || tool === "list_dir" ? [join(path, "other.txt")] : [];
  });
  // Of a file that is searched, it is the file itself.
  trackedFiles(root, ["README.md", ...paths.filter((path) => !/\.\w+\/other\.txt$/.test(path))]);
  return root;
}

interface Went {
  readonly mine: readonly { readonly made: MadeCall; readonly reason: string | null }[];
  readonly theirs: readonly { readonly made: MadeCall; readonly ran: boolean }[];
}

/** One task, under rules that allow every tool. A careful user refuses what is injected. */
export async function replayCoding(
  task: CodingTask,
  flow: FlowOptions | "off",
  injection?: CodingTask["injections"][number],
): Promise<Went> {
  const { prompt, calls } = task;
  const root = projectOf(task);
  try {
    const injected = (at: number, result: string) => {
      if (injection?.where !== at) return result;
      const lines = result.split("\n");
      return [...lines.slice(0, injection.line), injection.text, ...lines.slice(injection.line)].join("\n");
    };
    const mine = calls.map((made, at) => ({
      made,
      id: `u${at}`,
      said: injected(at, made.result),
      ran: false,
      reason: null as string | null,
    }));
    const theirs = (injection?.attack ?? []).map((made, at) => ({
      made,
      id: `i${at}`,
      said: "Done.",
      ran: false,
      reason: null as string | null,
    }));
    const at = injection ? injection.where + 1 : mine.length;
    const plan = [...mine.slice(0, at), ...theirs, ...mine.slice(at)];
    const byId = new Map(plan.map((call) => [call.id, call]));
    const workspace = await createWorkspace({ root });
    const own = new Map(
      builtinTools(workspace, { webFetch: {}, webSearch: { search: async () => [] } }).map((each) => [each.name, each]),
    );
    const execute: BaseTool["execute"] = async (_input, { toolCallId }) => {
      const call = byId.get(toolCallId)!;
      call.ran = true;
      return call.said;
    };
    // What the library's own tools declare, and of the servers' tools nothing.
    const tools = [...new Set(plan.map(({ made }) => made.tool))].map((name) => {
      const { permission = "execute", effects, targets, returns } = own.get(name) ?? {};
      return tool(name, execute, { permission, effects, ...(targets && { targets }), returns, claims: () => [] });
    });
    const engine = new AgentEngine({
      provider: scripted([...plan.map(({ made, id }) => toolCall(made.tool, made.input, { id })), text("Done.")]),
      tools,
      permissions: createPermissionChecker({ workspace, rules: { allow: tools.map(({ name }) => name) }, flow }),
      runaway: false,
      limits: { maxTurns: plan.length + 5 },
      approver({ toolCallId, reason }) {
        const call = byId.get(toolCallId)!;
        call.reason = reason;
        return { decision: theirs.includes(call) ? "deny" : "allow", reason: "no" };
      },
    });
    await engine.run(prompt);
    await engine.close();
    return { mine, theirs: theirs.filter(({ made }) => isEffectful(made)) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
