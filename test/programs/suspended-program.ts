// A life of an agent whose program asks: `node suspended-program.mjs <dir> [answer]`. The first one prints the id of the question, the next
// one takes the answer to it, and prints what the program has returned.
import { AgentEngine, ToolRegistry } from "../../src/index.js";
import { withPrograms } from "../../src/programs/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { resultsOf, tool } from "../engine/kit.js";

const [dir, answered] = process.argv.slice(2) as [string, string | undefined];

const look = tool("look", async (input) => ({ output: "seen", value: input }), { permission: "none" });
const pay = tool("pay", async (input) => ({ output: "paid", value: input }));

/** What differs between engines of JavaScript, or between two runs, is in what it calls with and returns. */
const PROGRAM = `
  const start = [Date.now(), Math.random(), [5, 25, 100].sort().join(), (0.1 + 0.2).toString(), "ß".localeCompare("s")];
  const seen = await Promise.all([3, 1, 2].map((n) => tools.look({ n, at: start })));
  const paid = await tools.pay({ n: seen.map(({ n }) => n), luck: Math.random(), at: new Date().toISOString() });
  return { start, paid, end: [Date.now() >= start[0], Math.random()] };`;

const engine = new AgentEngine({
  provider: scripted(
    [
      ({ messages }) =>
        messages.some(({ role }) => role === "tool")
          ? text("done")
          : toolCall("run_program", { program: PROGRAM }, { id: "p" }),
    ],
    { loop: true },
  ),
  tools: withPrograms(new ToolRegistry([look, pay])),
  permissions: {
    decide: ({ tool: asked }) =>
      Object(asked).name === "pay" ? { behavior: "ask", reason: "It costs." } : { behavior: "allow" },
  },
  sessions: createFileSessionStore({ dir }),
});
const result =
  answered === undefined
    ? await engine.run("go", { sessionId: "s" })
    : await engine.resume("s", { answers: [{ id: answered, decision: "allow" }] }).result;
const { status, pending } = result;
const { output } = resultsOf(result).p ?? {};
console.log(JSON.stringify({ node: process.versions.node, status, asked: pending[0], output }));
await engine.close();
