// A session as real work leaves it: files edited, commands run, sub-agents, a question, hooks, a plan and a compaction.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, HookRunner, type ProviderRequest, type SessionEntry, type SessionStore } from "loopwright";
import { createCompactionPipeline, createCompactTool } from "loopwright/compaction";
import { createAuditTrail, queryAudit } from "loopwright/observability";
import { createPermissionChecker } from "loopwright/permissions";
import { type ScriptedTurn, scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { builtinTools } from "loopwright/tools";
import { createArtifactStore, createWorkspace } from "loopwright/workspace";

const SOURCE = `export interface Order {
  id: string;
  total: number;
}

/** Sums what a customer has ordered. */
export function sum(orders: Order[]): number {
  let result = 0;
  for (let index = 0; index <= orders.length; index++) {
    result += orders[index].total;
  }
  return result;
}
`;

const ANSWER = `The sum went **one past the end** of the list. I fixed it and added a guard.

## What changed

- \`src/orders.ts\`: the loop ends at \`orders.length\`
- a list that is not one counts as empty

\`\`\`ts
for (const { total } of orders) result += total;
\`\`\`

1. The tests pass.
2. Nothing was pushed: *you* decide.`;

export interface SampleSession {
  readonly id: string;
  readonly store: SessionStore;
  readonly entries: readonly SessionEntry[];
  readonly artifacts: ReturnType<typeof createArtifactStore>;
  audit(): ReturnType<typeof queryAudit>;
  remove(): Promise<void>;
}

/** Runs it. `remove` takes away its files. */
export async function sampleSession(): Promise<SampleSession> {
  const root = await mkdtemp(join(tmpdir(), "loopwright-page-"));
  await writeFile(join(root, "orders.ts"), SOURCE);
  const artifacts = createArtifactStore({ dir: join(root, ".artifacts") });
  const workspace = await createWorkspace({ root, artifacts });
  const store = createMemorySessionStore();
  const file = join(root, "audit.jsonl");
  const trail = await createAuditTrail({ file });
  const todos = (status: readonly string[]) => ({
    todos: ["Find the cause", "Fix it", "Run the tests"].map((content, at) => ({ content, status: status[at] })),
  });
  const main: readonly ScriptedTurn[] = [
    {
      reasoning: "The total is wrong by one order. I look at the loop first, then at who calls it.",
      text: "I look at the code first.",
      toolCalls: [
        { name: "todo_write", arguments: todos(["in_progress", "pending", "pending"]) },
        { name: "read_file", arguments: { path: "orders.ts" } },
        { name: "grep", arguments: { pattern: "orders", path: "." } },
      ],
      usage: { inputTokens: 3_150, outputTokens: 210, cacheReadTokens: 0, cacheWriteTokens: 3_000 },
    } as never,
    {
      text: "Two reviewers read it side by side.",
      toolCalls: [
        {
          name: "task",
          arguments: {
            prompt: "Find what can go wrong in orders.ts.",
            subagent_type: "reviewer",
            description: "Review the sum",
          },
        },
        { name: "bash", arguments: { command: "seq 1 9000", description: "Some output" } },
      ],
      usage: { inputTokens: 4_400, outputTokens: 160, cacheReadTokens: 3_100, reasoningTokens: 40 },
    } as never,
    {
      text: "The loop goes one too far.",
      toolCalls: [
        {
          name: "edit_file",
          arguments: {
            path: "orders.ts",
            old_text:
              "  for (let index = 0; index <= orders.length; index++) {\n    result += orders[index].total;\n  }",
            new_text: "  for (const { total } of orders ?? []) {\n    result += total;\n  }",
          },
        },
        { name: "edit_file", arguments: { path: "orders.ts", old_text: "no such line", new_text: "x" } },
      ],
      usage: { inputTokens: 9_700, outputTokens: 300, cacheReadTokens: 4_300 },
    } as never,
    {
      toolCalls: [
        { name: "todo_write", arguments: todos(["completed", "completed", "in_progress"]) },
        {
          name: "bash",
          arguments: { command: "echo '\u001b[32m3 passed\u001b[0m' && exit 0", description: "Run the tests" },
        },
        { name: "compact", arguments: { focus: "the fix" } },
      ],
      usage: { inputTokens: 10_300, outputTokens: 120, cacheReadTokens: 9_700 },
    } as never,
    toolCall("bash", { command: "git push origin main" }) as never,
    toolCall("bash", { command: "rm -rf /" }) as never,
    { text: ANSWER, usage: { inputTokens: 5_200, outputTokens: 240, cacheReadTokens: 2_000 } } as never,
  ];
  let next = 0;
  const provider = scripted(
    [
      ({ system, messages }: ProviderRequest) => {
        if (!system[0]?.text.startsWith("You review")) return main[next++]!;
        return messages.at(-1)?.role === "tool"
          ? { ...text("Line 9: `<=` reads one past the end."), usage: { inputTokens: 900, outputTokens: 40 } }
          : { ...toolCall("read_file", { path: "orders.ts" }), usage: { inputTokens: 700, outputTokens: 30 } };
      },
    ] as never,
    { loop: true, contextWindow: 20_000 },
  );
  const engine = new AgentEngine({
    provider,
    sessions: store,
    artifacts,
    systemPrompt: "You fix bugs in a small shop.",
    tools: [
      ...builtinTools(workspace),
      createCompactTool(),
      ...createSubagentTools({
        subagents: [defineSubagent({ name: "reviewer", description: "Reviews.", systemPrompt: "You review code." })],
      }),
    ],
    compaction: createCompactionPipeline(),
    permissions: createPermissionChecker({
      mode: "acceptEdits",
      rules: { allow: ["bash(seq:*)", "bash(echo:*)"], deny: ["bash(rm:*)"] },
    }),
    prices: (_model, usage) => (usage.inputTokens * 3 + usage.outputTokens * 15) / 1e6,
    hooks: new HookRunner({
      PostToolUse: [
        {
          run: async ({ toolName }) =>
            toolName === "edit_file" ? { additionalContext: "Run the formatter before you finish." } : {},
        },
      ],
    }),
  });
  trail.watch(engine);
  const id = "fix-the-sum";
  await engine.run("The sum of an order list is wrong. Find out why, fix it, and push.", { sessionId: id });
  for (let turn = 0; turn < 3; turn++) {
    const pending = (await engine.resume(id).result).pending;
    if (pending.length === 0) break;
    const answers = pending.map(({ id }) => ({ id, decision: "deny" as const, reason: "Not on a Friday.", by: "ada" }));
    await engine.resume(id, { answers }).result;
  }
  await engine.close();
  await trail.close();
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(id)) entries.push(entry);
  return {
    id,
    store,
    entries,
    artifacts,
    audit: () => queryAudit(file),
    async remove() {
      await workspace.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
