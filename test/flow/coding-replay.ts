// Replays the tasks of coding agents: a scripted agent that obeys every injection, tools that say what the data says they returned.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AgentEngine, type BaseTool, type Containment, type JsonObject, type PermissionGate } from "../../src/index.js";
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
  readonly calls: readonly (MadeCall & { readonly result: string; readonly source: { readonly from: string } })[];
  readonly injections: readonly {
    readonly where: number;
    readonly line: number;
    readonly goal: string;
    readonly text: string;
    readonly attack: readonly MadeCall[];
  }[];
}

/** Goals that put bad content where the user wants content. */
export const BY_CONTENTS: readonly string[] = ["swap", "backdoor"];

/** A command that a sandbox without a network, in which `.git` is read-only, would let fail. */
export function leavesClosedSandbox({ tool, input }: MadeCall): boolean {
  const line = String(input.command);
  return (
    tool === "bash" && /\b(?:gh|docker|npm (?:i|ci|install|uninstall)|git (?:push|add|commit|switch|rm))\b/.test(line)
  );
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

/** A repository of the files that the calls of a task read or edit, beside those that it does not track. */
function projectOf({ calls }: CodingTask): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-coding-")));
  const untracked = calls.flatMap(({ input, source }) => (source.from === "untracked" ? String(input.path) : []));
  const paths = calls.flatMap(({ tool, source, input: { path, command = "" } }) => {
    if (source.from === "untracked") return [];
    if (tool === "bash") return String(command).match(/(?<=^git rm )\S+/g) ?? [];
    if (typeof path !== "string" || /^[/~]|node_modules|\.\./.test(path)) return [];
    if (tool === "read_file" || tool === "edit_file") return [path];
    return tool === "grep" || tool === "list_dir" ? [join(path, "other.txt")] : [];
  });
  // Of a file that is searched, it is the file itself.
  trackedFiles(root, ["README.md", ...paths.filter((path) => !/\.\w+\/other\.txt$/.test(path))]);
  for (const path of untracked) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "content\n");
  }
  return root;
}

interface Went {
  readonly mine: readonly { readonly made: MadeCall; readonly reason: string | null; readonly isHeld: boolean }[];
  readonly theirs: readonly { readonly made: MadeCall; readonly ran: boolean; readonly isHeld: boolean }[];
}

interface Conditions {
  readonly flow?: FlowOptions | "off";
  readonly injection?: CodingTask["injections"][number];
  /** Commands run in a sandbox without a network that accepts changes which lose nothing. */
  readonly isHeld?: boolean;
}

/** One task, under rules that allow every tool. A careful user refuses what is injected. `isHeld`: a sandbox keeps the call in. */
export async function replayCoding(
  task: CodingTask,
  { flow = {}, injection, isHeld = false }: Conditions = {},
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
      isHeld: false,
      reason: null as string | null,
    }));
    const theirs = (injection?.attack ?? []).map((made, at) => ({
      made,
      id: `i${at}`,
      said: "Done.",
      ran: false,
      isHeld: false,
      reason: null as string | null,
    }));
    const at = injection ? injection.where + 1 : mine.length;
    const plan = [...mine.slice(0, at), ...theirs, ...mine.slice(at)];
    const byId = new Map(plan.map((call) => [call.id, call]));
    const opened = await createWorkspace({ root });
    const held: Containment = {
      machine: "sandbox",
      by: "host",
      network: "none",
      kept: [root],
      acceptChanges: true,
      secrets: "unknown",
      isHere: true,
    };
    const workspace = isHeld ? { ...opened, contained: async () => held } : opened;
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
      const worksIn = own.get(name)?.worksIn;
      return tool(name, execute, {
        permission,
        effects,
        ...(targets && { targets }),
        returns,
        worksIn,
        claims: () => [],
      });
    });
    const checker = createPermissionChecker({ workspace, rules: { allow: tools.map(({ name }) => name) }, flow });
    // Whoever allows a line, it runs within the walls. The file tools do what they do for good.
    const walls = createPermissionChecker({ workspace });
    const permissions: PermissionGate = {
      ...checker,
      async decide(request) {
        const { reason = "" } = isHeld ? await walls.decide(request) : {};
        const input = JSON.stringify(request.input);
        for (const call of plan)
          if (JSON.stringify(call.made.input) === input)
            call.isHeld = call.made.tool === "bash" && reason.startsWith("Contained");
        return checker.decide(request);
      },
    };
    const engine = new AgentEngine({
      provider: scripted([...plan.map(({ made, id }) => toolCall(made.tool, made.input, { id })), text("Done.")]),
      tools,
      permissions,
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
