// One run after another, so that every hook point of the loop is passed.
import { AgentEngine, type ContextPolicy, type HookMap, HookRunner } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { tool } from "../kit.js";

const ELSEWHERE = { type: "addDirectories", directories: ["/elsewhere"], destination: "session" } as const;

/** One story that passes every point of the loop. */
export async function passEveryPoint(hooks: HookMap): Promise<void> {
  const report = { stage: "snip", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: null };
  let compacted = false;
  const compaction: ContextPolicy = {
    async prepare({ entryIds }) {
      if (compacted || entryIds.length < 2) return [];
      compacted = true;
      return [{ stage: "snip", from: entryIds[0]!, to: entryIds[0]!, replacement: [], report }];
    },
    recover: async () => [],
  };
  const tools = [
    tool(
      "look",
      async (_input, { notify }) => {
        notify?.("FileChanged", { filePath: "/a/b.ts", event: "add" });
        notify?.("CwdChanged", { oldCwd: "/a", newCwd: "/b" });
        const task = { taskId: "t1", taskSubject: "dig", taskDescription: "a hole", teamName: "t" };
        notify?.("TaskCreated", task);
        notify?.("TaskCompleted", { ...task, teammateName: "main" });
        notify?.("TeammateIdle", { teammateName: "main", teamName: "t" });
        return "seen";
      },
      { permission: "read_only" },
    ),
    tool("broken", async () => Promise.reject(new Error("no"))),
    tool("forbidden", async () => ""),
    tool("risky", async () => "ok", { claims: () => [], describe: () => ({ title: "Take the risk", kind: "other" }) }),
    tool(
      "ask",
      async (_input, context) =>
        context.resumed
          ? "thanks"
          : context.suspend({ kind: "elicitation", reason: "Your name?", input: { type: "string" } }),
      { claims: () => [] },
    ),
    tool("scout", async (_input, { spawn }) => {
      const found = await spawn!({ name: "scout", description: "Looks.", systemPrompt: "Look." }, "look");
      return found.text;
    }),
  ];
  const provider = scripted([
    [
      toolCall("look", { path: "a" }),
      toolCall("broken"),
      toolCall("forbidden"),
      toolCall("risky"),
      toolCall("ask"),
      toolCall("scout"),
    ],
    text("found"),
    text("done"),
  ]);
  const engine = new AgentEngine({
    provider,
    tools,
    hooks,
    compaction,
    modelOptions: { reasoning: "high" },
    prices: (_model, { cacheWriteTokens = 0 }) => cacheWriteTokens / 1000,
    contextSources: [{ id: "notes", load: async () => ({ id: "notes", text: "Be brief." }) }],
    sessions: createMemorySessionStore(),
    permissions: {
      decide: (request) => {
        const { name } = request.tool as { name: string };
        if (name === "forbidden") return { behavior: "deny", reason: "Never." };
        return name === "risky" ? { behavior: "ask", reason: "Sure?" } : { behavior: "allow" };
      },
    },
  });

  const { pending } = await engine.run("go", { sessionId: "s" });
  const answers = pending.map((request) =>
    request.kind === "approval"
      ? { id: request.id, decision: "allow" as const, remember: [ELSEWHERE] }
      : { id: request.id, value: "Ada" },
  );
  await engine.resume("s", { answers }).result;
  await engine.run("fail", { sessionId: "s", provider: scripted([], { id: "other", model: "o1" }) });
  const command = { commandName: "review", commandArgs: "a.ts", commandSource: "/a/review.md", prompt: "Review a.ts" };
  await engine.notify("UserPromptExpansion", { expansionType: "slash_command", ...command }, "s");
  await engine.endSession("s");
  await passPointsBesideTheLoop(hooks);
}

/** Points whose sources are the program, watched settings and work trees: parts that run hooks by themselves. */
async function passPointsBesideTheLoop(hooks: HookMap): Promise<void> {
  const runner = new HookRunner(hooks);
  const about = { sessionId: "s", runId: "", agentPath: [] };
  const options = { signal: new AbortController().signal };
  const filePath = "/a/.claude/settings.json";
  await runner.run({ hookEventName: "Setup", ...about, trigger: "init" }, options);
  await runner.run({ hookEventName: "ConfigChange", ...about, source: "project_settings", filePath }, options);
  const skill = { toolName: "bash", toolInput: { command: "ls" }, toolUseId: "k", commandName: "deploy" };
  await runner.run({ hookEventName: "PreSkillShellCommand", ...about, ...skill, invokedBy: "user" }, options);
  await runner.run({ hookEventName: "WorktreeCreate", ...about, name: "scout-1" }, options);
  await runner.run({ hookEventName: "WorktreeRemove", ...about, worktreePath: "/trees/scout-1" }, options);
}
