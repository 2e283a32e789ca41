// A process that dies while one of three sub-agents is still at work: `node ends-program.mjs <root> <trees> <sessions> <changes>
// [fails] [recorded]`. The work trees of "x" and "y" have ended by then, and their results may be recorded; both have changed the first
// line of "a.txt", "x" before "y", whose model may have failed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentEngine, type BaseTool, ProviderError, type ProviderRequest } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { createSubagentTools, defineSubagent, type WorktreeOptions } from "../../../src/subagents/index.js";

type Changes = WorktreeOptions["changes"];
const [root, trees, sessions, changes, ...more] = process.argv.slice(2) as [
  string,
  string,
  string,
  Changes,
  ...string[],
];

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}
const [xHasEnded, yHasEnded, zIsAtWork] = [signal(), signal(), signal()];

const writing = (dir: string): BaseTool => ({
  name: "write",
  permission: "read_write",
  claims: () => [],
  definition: () => ({ name: "write", description: "Writes.", inputSchema: { type: "object" } }),
  execute: async ({ by }: { by: string }) => {
    if (by === "z") {
      zIsAtWork.give();
      await Promise.all([xHasEnded.given, yHasEnded.given]);
      process.kill(process.pid, "SIGKILL");
    }
    await zIsAtWork.given;
    if (by === "y") await xHasEnded.given;
    writeFileSync(join(dir, "a.txt"), `from ${by}\ntwo\nthree\n`);
    return "wrote";
  },
});
const names = ["x", "y", "z"];
const provider = scripted(
  [
    ({ system, messages }: ProviderRequest) => {
      const by = /^You are (.)\.$/.exec(system[0]!.text)?.[1];
      if (!by) return names.map((name) => toolCall("task", { prompt: "x", subagent_type: name }, { id: name }));
      if (!messages.some(({ role }) => role === "assistant")) return toolCall("write", { by });
      if (by === "y" && more.includes("fails"))
        throw new ProviderError("BAD_REQUEST", { message: "No.", retryable: false });
      return text(`${by} is done`);
    },
  ],
  { loop: true },
);
const store = createFileSessionStore({ dir: sessions, durability: "process" });
// It dies before the results of "x" and "y" are written.
const append = store.append.bind(store);
store.append = (id, entries) => append(id, id === "s" ? entries.filter(({ type }) => type !== "tool-result") : entries);
const engine = new AgentEngine({
  provider,
  systemPrompt: "You are main.",
  sessions: store,
  permissions: { decide: () => ({ behavior: "allow" }) },
  tools: [
    writing(root),
    ...createSubagentTools({
      subagents: names.map((name) =>
        defineSubagent({ name, description: name, systemPrompt: `You are ${name}.`, isolation: "worktree" }),
      ),
      worktrees: { root, dir: trees, tools: (dir) => [writing(dir)], changes },
    }),
  ],
});
engine.on("tool-call-end", ({ result, agentPath }) => {
  if (agentPath.length > 0) return;
  if (result.toolCallId === "x") xHasEnded.give();
  if (result.toolCallId === "y") yHasEnded.give();
});
const { status } = await engine.run("go", { sessionId: "s" });
console.log(status);
