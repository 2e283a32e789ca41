// A life of an agent whose model writes a program: `node killed-program.mjs <dir> <killAt>`. It kills itself at the killAt-th moment: before
// or after a write to a session, before or after the effect of a call. Run again, it goes on. Prints how a life that comes to its end ended.
//
// <dir>/effects has a line for each effect.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { AgentEngine, ToolRegistry } from "../../src/index.js";
import { withPrograms } from "../../src/programs/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { ALLOW, resultsOf, tool } from "../engine/kit.js";
import { killingMoment, sessionsWithMoments } from "../sessions/killing-moments.js";

const [dir, killAt] = process.argv.slice(2) as [string, string];

const moment = killingMoment(Number(killAt));
const sessions = sessionsWithMoments(dir, moment);

const pay = tool("pay", async (input) => {
  moment();
  appendFileSync(join(dir, "effects"), `${JSON.stringify(input)}\n`);
  moment();
  return { output: "paid", value: input };
});

const PROGRAM = `
  const seen = [];
  for (const n of [1, 2]) {
    try { seen.push(...(await Promise.all([tools.pay({ n }), tools.pay({ n: -n })])).map(({ n }) => n)); }
    catch ({ code }) { seen.push(code); }
  }
  return seen;`;

const provider = scripted(
  [
    ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? text("done")
        : toolCall("run_program", { program: PROGRAM }, { id: "p" }),
  ],
  { loop: true },
);
const engine = new AgentEngine({
  provider,
  tools: withPrograms(new ToolRegistry([pay])),
  permissions: ALLOW,
  sessions,
});
let isNew = true;
for await (const _entry of sessions.read("s")) isNew = false;
const result = isNew ? await engine.run("go", { sessionId: "s" }) : await engine.resume("s").result;
const { output } = resultsOf(result).p ?? {};
console.log(JSON.stringify({ status: result.status, output, error: result.error?.message }));
await engine.close();
