// One process of a session with sub-agents three deep: `node depth-program.mjs <dir> <start|resume> <answers.json> <fault>`.
// Prints its result as JSON. `fault`: "none", or the number of the store's append after which the process kills itself.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { AgentEngine, type BaseTool, type ProviderRequest, type SessionStore } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";

const [dir, mode, answers, fault] = process.argv.slice(2) as [string, string, string, string];
const DEPTH = 3;
const sessions = createFileSessionStore({ dir: join(dir, "sessions"), durability: "process" });
let appends = 0;
const dying: SessionStore = {
  append: async (id, entries) => {
    await sessions.append(id, entries);
    if (String(++appends) === fault) process.kill(process.pid, "SIGKILL");
  },
  read: (id) => sessions.read(id),
  lock: (id) => sessions.lock(id),
  list: (filter) => sessions.list(filter),
  delete: (id) => sessions.delete(id),
};

const agents = [1, 2, 3].map((n) =>
  defineSubagent({ name: `level-${n}`, description: `Level ${n}.`, systemPrompt: `level ${n}` }),
);
const provider = scripted(
  [
    (request: ProviderRequest) => {
      const last = request.messages.at(-1)!;
      if (last.role === "tool") return text(`ended: ${last.content.map(({ output }) => output).join("+")}`);
      const depth = Number(/level (\d)/.exec(request.system[0]?.text ?? "")?.[1] ?? 0);
      if (depth === DEPTH) return ["a", "b"].map((what) => toolCall("act", { what }));
      return toolCall("task", { prompt: "go on", subagent_type: `level-${depth + 1}` });
    },
  ] as never,
  { loop: true },
);
const act: BaseTool = {
  name: "act",
  permission: "execute",
  onUnknown: "retry",
  definition: () => ({ name: "act", description: "Acts.", inputSchema: { type: "object" } }),
  execute: async ({ what }: { what: string }) => {
    appendFileSync(join(dir, "acts.txt"), `${what}\n`);
    return `did ${what}`;
  },
};
const engine = new AgentEngine({
  provider,
  sessions: dying,
  tools: [act, ...createSubagentTools({ subagents: agents, maxDepth: DEPTH })],
  permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "act" ? "ask" : "allow" }) },
});
const run =
  mode === "start"
    ? engine.stream("go", { sessionId: "s" })
    : engine.resume("s", { answers: JSON.parse(answers) as never });
const { status, text: said, pending } = await run.result;
await engine.close();
console.log(JSON.stringify({ status, text: said, pending }));
