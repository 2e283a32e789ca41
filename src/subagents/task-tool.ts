import pLimit, { type LimitFunction } from "p-limit";
import { ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { RunResult } from "../contracts/run.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { BaseTool, SpawnOptions, ToolContext, ToolOutput } from "../contracts/tool.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { latestMedia } from "../engine/transcript/message-shape.js";
import { OWN_WORDS } from "../labels/join-labels.js";
import { choice, flag, object, optional, string } from "../schema/fields.js";
import { clip } from "../text/cut.js";
import { asOneLine } from "../text/one-line.js";
import { GENERAL_PURPOSE } from "./builtin-subagents.js";
import { shortSubagentId } from "./subagent-id.js";
import { findSubagent, MAX_LISTED, type SubagentTeam } from "./subagent-team.js";
import type { Worktrees } from "./worktrees/worktrees.js";

/** The part of a final text that the parent reads; the whole is an artifact. */
const MAX_TEXT_CHARS = 5_000;
const MAX_LISTED_CHARS = 400;

/** The tool `task`: hands a piece of work to a sub-agent. */
export function createTaskTool(team: SubagentTeam): BaseTool {
  const { subagents, maxDepth, worktrees, count } = team;
  const queue = new AgentQueues(team.maxConcurrent);
  const tool = defineTool({
    name: "task",
    description: descriptionOf([...subagents.values()]),
    input: inputOf(worktrees !== undefined),
    permission: "none",
    returns: OWN_WORDS,
    describe: ({ description = "a task", subagent_type = "Sub-agent" }) => ({
      title: `${subagent_type}: ${description}`,
      kind: "think",
    }),
    spawns: { maxDepth, find: (name) => subagents.get(name) },
    claims: () => [],
    replayable: false,
    onUnknown: "retry",
    timeoutMs: null,
    maxResultChars: MAX_TEXT_CHARS,
    async execute(
      { prompt, description, subagent_type = GENERAL_PURPOSE.name, run_in_background, isolation },
      context,
    ) {
      const found = findSubagent(subagents, subagent_type);
      const inBackground = run_in_background ?? found.kind === "background";
      const isIsolated = (isolation ?? found.isolation) === "worktree";
      if (inBackground && isIsolated) throw cannotBeBoth();
      if (!context.spawn) throw notInRun();
      count.add(found.name, context);
      if (inBackground) return startInBackground(found, prompt, context);
      context.progress({ subagent: found.name, description: description ?? "", status: "running" });
      const definition: SubagentDefinition = found.kind === "background" ? { ...found, kind: "fresh" } : found;
      if (isIsolated && !worktrees) throw noWorktrees(found.name);
      const spawn = (options?: SpawnOptions) => context.spawn!(definition, prompt, options);
      return queue.run(context, async () => {
        if (!isIsolated) return outputOf(found.name, await spawn());
        const { result, note, details } = await worktrees!.run(context, found.name, spawn);
        return outputOf(found.name, result, note, details);
      });
    },
    ...(worktrees && {
      // An agent's calls are on record before its model is asked again.
      reminder: ({ transcriptId }) => worktrees.onRecorded(transcriptId),
      endSession: (sessionId) => worktrees.endSession(sessionId),
      endCall: (call) => worktrees.endCall(call),
    }),
  });
  return worktrees ? clearingFirst(tool, worktrees) : tool;
}

/** Before its first run, an engine clears away what processes that died have left. */
function clearingFirst(tool: BaseTool, worktrees: Worktrees): BaseTool {
  return Object.freeze({
    ...tool,
    async ready() {
      await tool.ready?.();
      await worktrees.storeLeftovers();
    },
  });
}

function inputOf(hasWorktrees: boolean) {
  const fields = {
    description: optional(string("What it is about, in three to five words.", { maxLength: 200 })),
    prompt: string(
      "The whole task. The sub-agent sees nothing of this conversation: say what to do, where, and what to report.",
      { trim: true, minLength: 1, maxLength: 200_000 },
    ),
    subagent_type: optional(string(`The sub-agent to use. Default: ${GENERAL_PURPOSE.name}.`)),
    run_in_background: optional(flag("Do not wait: its result reaches you as a message.")),
    isolation: optional(
      choice(
        ["worktree"],
        hasWorktrees ? "worktree: it changes files in a git work tree of its own." : "Not available here.",
      ),
    ),
  };
  return object(fields, { strict: true });
}

function descriptionOf(subagents: readonly SubagentDefinition[]): string {
  const listed = subagents.slice(0, MAX_LISTED).map(({ name, description }) => {
    return `- ${name}: ${clip(asOneLine(description), MAX_LISTED_CHARS)}`;
  });
  const more = subagents.length - listed.length;
  if (more > 0) listed.push(`- and ${more} more`);
  return `Gives a piece of work to a sub-agent, which reports once: work that would fill this conversation, such as a broad
search, or parts that can be done side by side, in several calls of one message. Not for what one or two calls do. Sub-agents:
${listed.join("\n")}`;
}

async function startInBackground(definition: SubagentDefinition, prompt: string, context: ToolContext) {
  if (!context.background) {
    throw new ToolError("TOOL_FAILED", {
      message: "Sub-agents cannot run in the background here. Leave out run_in_background.",
    });
  }
  const { id, name } = await context.background.start({ ...definition, kind: "background" }, prompt);
  const short = shortSubagentId(id);
  return {
    output: `Sub-agent "${name}" is working in the background as ${short}. Its result reaches you as a message; continue with something else. subagent_output, subagent_message and subagent_stop take this id.`,
    details: { subagent: name, id, status: "running" },
  };
}

const UNFINISHED: { readonly [Status in RunResult["status"]]?: string } = {
  "max-turns": "it used all of its turns",
  "budget-exceeded": "the budget was used up",
  deadline: "it ran out of time",
  "hook-stopped": "a hook stopped it",
  aborted: "it was aborted",
  "output-invalid": "its answer did not fit the schema",
  failed: "it failed",
};

function outputOf(name: string, result: RunResult, note = "", more: JsonValue = null): ToolOutput {
  const { status, text, turns, usage, costUsd, sessionId, error, output: structured } = result;
  const details = { subagent: name, id: sessionId, status, turns, usage: { ...usage }, costUsd };
  const all = more === null ? details : { ...details, worktree: more };
  const whole = note === "" ? text : `${text}\n\n${note}`;
  const media = latestMedia(result.messages());
  const value = { status, text, ...(structured !== undefined && { output: structured as JsonValue }) };
  if (status === "completed") {
    return { output: media.length > 0 ? [{ type: "text", text: whole }, ...media] : whole, details: all, value };
  }
  const why = `${UNFINISHED[status] ?? status}${error ? `: ${error.message}` : ""}`;
  const output = `[Sub-agent "${name}" did not finish: ${clip(why, 500).replace(/\.$/, "")}. Its last message follows.]\n\n${whole}`;
  if (status !== "failed" && status !== "output-invalid") return { output, details: all, value };
  return { output, isError: true, details: { ...all, code: error?.code ?? "TOOL_FAILED" }, value };
}

function notInRun(): ToolError {
  return new ToolError("TOOL_FAILED", {
    message:
      "Sub-agents work within the run of an engine, and this call is outside of one. Give the tool to an AgentEngine and call run().",
  });
}

function cannotBeBoth(): ToolError {
  return new ToolError("TOOL_INPUT_INVALID", {
    message: "A sub-agent in the background cannot have a work tree. Leave out run_in_background or isolation.",
  });
}

function noWorktrees(name: string): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `Sub-agent "${name}" was not started: there are no work trees here (createSubagentTools() has no option worktrees).`,
  });
}

/** One queue for each agent: agents that wait for their own sub-agents never wait for each other's. */
class AgentQueues {
  readonly #queues = new Map<string, LimitFunction>();

  constructor(private readonly maxConcurrent: number) {}

  async run<T>({ transcriptId, signal }: ToolContext, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(transcriptId) ?? pLimit(this.maxConcurrent);
    this.#queues.set(transcriptId, queue);
    try {
      return await queue(() => {
        signal.throwIfAborted();
        return work();
      });
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) this.#queues.delete(transcriptId);
    }
  }
}
