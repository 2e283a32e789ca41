// A program with the interactive terminal and a model that plays a script: `node fixture.js <scenario> <sessions> [session]`.
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { createCompactionPipeline } from "../../../src/compaction/index.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { connectMcp } from "../../../src/mcp/index.js";
import { createMemoryFactStore } from "../../../src/memory/index.js";
import { createPermissionChecker, isReadOnlyCommand } from "../../../src/permissions/index.js";
import { loadPromptCommands } from "../../../src/program/project/prompt-commands.js";
import { sessionModes } from "../../../src/program/sessions/session-modes.js";
import { sessionNames } from "../../../src/program/sessions/session-names.js";
import { runTerminal } from "../../../src/program/terminal/run-terminal.js";
import { readTerminalSettings } from "../../../src/program/terminal/settings/terminal-settings.js";
import { scripted } from "../../../src/providers/scripted/index.js";
import { createCheckpoints, createFileSessionStore } from "../../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { SCENARIOS } from "./scenarios.js";

const [scenario = "", dir = "", wanted] = process.argv.slice(2);
const { turns, mode, prompt, server } = SCENARIOS[scenario]!;
const provider = Object.assign(scripted([...turns], { loop: true }), { contextWindow: 100_000 });
const sessions = createFileSessionStore({ dir: `${dir}/sessions`, durability: "process" });
const checkpoints = createCheckpoints({ dir: `${dir}/checkpoints`, sessions, durability: "process" });

const newest = async () => {
  for await (const { id } of sessions.list({ limit: 1 })) return id;
  return undefined;
};
const sessionId = wanted === "latest" ? await newest() : wanted;

/** A tool that calls others. */
const survey = defineTool({
  name: "survey",
  description: "Reads files.",
  input: z.object({ paths: z.array(z.string()) }),
  permission: "none",
  timeoutMs: null,
  onUnknown: "retry",
  execute: async ({ paths }, { calls }) => {
    const read = await calls!.run(paths.map((path) => ({ name: "read_file", input: { path } })));
    return `${read.filter(({ isError }) => !isError).length} read`;
  },
});

process.exitCode = await runTerminal({
  provider,
  mode,
  prompt: sessionId === undefined ? prompt : undefined,
  sessionId,
  historyFile: `${dir}/history.jsonl`,
  promptCommands: () => loadPromptCommands(process.cwd(), dir),
  settings: readTerminalSettings({ LOOPWRIGHT_HOME: dir }),
  names: sessionNames(`${dir}/names.jsonl`),
  modes: sessionModes(`${dir}/modes.jsonl`),
  trust: {
    asksFor: async () => [{ part: "mcp", what: "node \u202e server.js" }],
    read: async () => (existsSync(`${dir}/trusted`) ? true : undefined),
    keep: async (isTrusted) => writeFileSync(`${dir}/trusted`, String(isTrusted)),
  },
  async open(approver) {
    await setTimeout(Number(process.env.OPEN_MS ?? 0));
    if (process.env.OPEN_FAILS) throw new Error("The agent cannot be opened.");
    const workspace = await createWorkspace({ root: process.cwd(), journal: checkpoints });
    const rules = { allow: ["mcp__dinner__*"], deny: ["bash(git push:*)"] };
    const checker = createPermissionChecker({ workspace, rules });
    const command = { name: "dinner", command: process.execPath, args: [process.env.HOSTILE_SERVER!, server!] };
    const connections = server === undefined ? [] : [connectMcp(command)];
    await Promise.all(connections.map(({ ready }) => ready));
    const engine = new AgentEngine({
      provider,
      sessions,
      approver,
      permissions: checker,
      compaction: createCompactionPipeline(),
      tools: [
        ...connections.flatMap((connection) => connection.tools()),
        survey,
        ...builtinTools(workspace, { bash: { isReadOnlyCommand } }),
        ...createSubagentTools({
          subagents: [
            defineSubagent({ name: "reviewer", description: "Reviews.", systemPrompt: "You review.", readOnly: true }),
          ],
        }),
      ],
    });
    return {
      engine,
      workspace,
      sessions,
      connections,
      checker,
      forget: checkpoints.forget,
      facts: createMemoryFactStore(),
      rewinder: await checkpoints.open(workspace),
      rules: [{ source: "flag", deny: ["bash(git push:*)"] }],
      async close() {
        await engine.close();
        await Promise.all(connections.map((connection) => connection.close()));
        await workspace.close();
      },
    };
  },
});
