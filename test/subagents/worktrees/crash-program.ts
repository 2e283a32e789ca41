// A process that dies in a work tree: `node crash-program.mjs <root> <trees> <sessions> <moment> [<home>]`. With a home, the work tree is
// on a machine whose user has it. Its sub-agent writes
// "first.txt" there; at the moment "written" the process then kills itself, at "writing" while it writes the next file, at
// "waiting" it asks the host and ends, at "merged" it kills itself once the file is among the parent's.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { entryPaths, isTemporaryName, writeAtomically } from "../../../src/files/atomic-write.js";
import { AgentEngine, type BaseTool, type ProviderRequest } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { createMachineWorkspace, localMachine } from "../../../src/workspace/index.js";

const [root, trees, sessions, moment, home] = process.argv.slice(2) as [string, string, string, string, string?];
const machine = () =>
  createMachineWorkspace({ machine: localMachine({ prefix: ["env", `HOME=${home}`], name: "m" }), root });
const writing = (dir: string): BaseTool => ({
  name: "write",
  permission: "read_write",
  definition: () => ({ name: "write", description: "Writes.", inputSchema: { type: "object" } }),
  execute: async ({ name, content }: { name: string; content: string }) => {
    if (name !== "first.txt" && moment === "writing") {
      void writeAtomically(entryPaths(dir), name, Buffer.alloc(10_000_000, "x"));
      while (!readdirSync(dir).some(isTemporaryName)) await nextTurn();
    }
    if (name !== "first.txt" && moment !== "merged") process.kill(process.pid, "SIGKILL");
    writeFileSync(join(dir, name), content);
    return "wrote";
  },
});
const provider = scripted(
  [
    ({ system, messages }: ProviderRequest) => {
      if (system[0]!.text === "You are main.")
        return toolCall("task", { prompt: "x", subagent_type: "x" }, { id: "x" });
      const step = messages.filter(({ role }) => role === "assistant").length;
      if (step > 1) return text("done");
      return toolCall("write", { name: step === 0 ? "first.txt" : "second.txt", content: "by the child\n" });
    },
  ],
  { loop: true },
);
const engine = new AgentEngine({
  provider,
  systemPrompt: "You are main.",
  hooks: {
    WorktreeRemove: [
      {
        run: () => {
          if (moment === "merged") process.kill(process.pid, "SIGKILL");
        },
      },
    ],
  },
  sessions: createFileSessionStore({ dir: sessions, durability: "process" }),
  permissions: {
    decide: ({ input }) => {
      const asks = moment === "waiting" && Reflect.get(input as object, "name") === "second.txt";
      return { behavior: asks ? "ask" : "allow" };
    },
  },
  tools: [
    writing(root),
    ...createSubagentTools({
      subagents: [defineSubagent({ name: "x", description: "x", systemPrompt: "You are x.", isolation: "worktree" })],
      worktrees: { root: home === undefined ? root : await machine(), dir: trees, tools: (dir) => [writing(dir)] },
    }),
  ],
});
const { status } = await engine.run("go", { sessionId: "s" });
console.log(status);
