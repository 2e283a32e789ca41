// Random programs whose process is killed after any append of the store, again and again: they come to their end, what they have called
// is done once or they are told that nobody knows, and they never do anything else than before.
import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentEngine, type Answer, type SessionStore, ToolRegistry } from "../../src/index.js";
import { inline, nodeWorker, withPrograms } from "../../src/programs/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { resultsOf } from "../engine/kit.js";
import { WASM } from "../programs/isolate/run-source.js";
import { runs } from "../runs.js";
import { type Outside, SESSION, toolNamed } from "./composed-calls.js";
import { type Cut, Mortal } from "./mortal.js";

const TOOLS = ["look", "once", "many", "check", "pay", "fail"] as const;

/** A program's parts: `step` keeps what each call came to, as a program sees it. */
const statement = fc.letrec<{ part: string; block: string }>((tie) => {
  const name = fc.constantFrom(...TOOLS);
  const names = fc.array(name, { minLength: 2, maxLength: 3 });
  return {
    part: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      name.map((one) => `await step("${one}");`),
      names.map((some) => `await Promise.all([${some.map((one) => `step("${one}")`)}]);`),
      name.map((one) => `{ const made = step("${one}"); await step("look"); await made; }`),
      fc.constant('await searchTools("money");'),
      fc.constant("console.log(seen.length, Date.now(), Math.random());"),
      tie("block").map((block) => `for (let n = 0; n < 2; n++) { ${block} }`),
      fc
        .tuple(tie("block"), tie("block"))
        .map(([one, other]) => `if (Math.random() < 0.5) { ${one} } else { ${other} }`),
      tie("block").map((block) => `if (seen.some(([, status]) => status !== "success")) { ${block} }`),
    ),
    block: fc.array(tie("part"), { minLength: 1, maxLength: 2 }).map((parts) => parts.join("\n")),
  };
});

const program = fc.array(statement.part, { minLength: 1, maxLength: 4 }).map(
  (parts) => `
    const seen = [];
    const step = async (name) => {
      try { seen.push([name, "success", (await tools[name]({ after: seen.length, at: Date.now() })).did]); }
      catch ({ code }) { seen.push([name, code, null]); }
    };
    ${parts.join("\n")}
    return seen;`,
);

function toolsFor({ moment, note }: Outside) {
  const effect = (name: string, about: object = {}) =>
    toolNamed(
      name,
      async (_input, { toolCallId }) => {
        await moment();
        note(`${name} ${toolCallId}`);
        await moment();
        return { output: "Done.", value: { did: toolCallId } };
      },
      about,
    );
  const fail = async () => {
    throw new Error("No.");
  };
  return [
    toolNamed("look", async () => ({ output: "Seen.", value: { did: "look" } }), { permission: "read_only" }),
    effect("once"),
    effect("many", { onUnknown: "retry" }),
    effect("check", { onUnknown: "ask" }),
    effect("pay", { permission: "execute" }),
    toolNamed("fail", fail, {}),
  ];
}

/** Goes on with the session, or begins it, to its end or its next question. */
async function live(
  isolate: ReturnType<typeof inline>,
  source: string,
  sessions: SessionStore,
  outside: Outside,
  answers: readonly Answer[],
) {
  const turn = toolCall("run_program", { program: source }, { id: "p" });
  const provider = scripted([({ messages }) => (messages.some(({ role }) => role === "tool") ? text("Done.") : turn)], {
    loop: true,
  });
  const tools = withPrograms(new ToolRegistry(toolsFor(outside)), { isolate });
  const engine = new AgentEngine({ provider, sessions, tools, limits: { maxConcurrentTools: 2 } });
  let isNew = true;
  for await (const _entry of sessions.read(SESSION)) isNew = false;
  const result = isNew
    ? await engine.run("Go.", { sessionId: SESSION })
    : await engine.resume(SESSION, { answers: [...answers] }).result;
  await engine.close();
  return result;
}

type Seen = readonly (readonly [name: string, status: string, did: string | null])[];

/** What does not hold of what the program saw, and of what was done. */
function brokenLaws(lines: readonly string[], seen: Seen): string[] {
  const problems: string[] = [];
  const allowed = (id: string) => lines.filter((line) => line === `allow ${id}`).length;
  const done = lines.filter((line) => !line.startsWith("allow "));
  const succeeded = new Set(seen.flatMap(([name, , did]) => (did === null ? [] : [`${name} ${did}`])));
  for (const one of succeeded) if (!one.startsWith("look ") && !done.includes(one)) problems.push(`${one}: not done`);
  for (const one of new Set(done)) {
    const [name, id] = one.split(" ") as [string, string];
    const times = done.filter((line) => line === one).length;
    const most = name === "many" ? times : name === "check" ? 1 + allowed(id) : 1;
    if (times > most) problems.push(`${one}: done ${times} times`);
    if (name === "pay" && allowed(id) === 0) problems.push(`${one}: done, and nobody allowed it`);
  }
  for (const name of TOOLS) {
    const untold = new Set(done.filter((line) => line.startsWith(`${name} `) && !succeeded.has(line))).size;
    const told = seen.filter(([called, status]) => called === name && /UNKNOWN|DENIED/.test(status)).length;
    if (untold > told) problems.push(`${name}: done ${untold} times more often than the program knows`);
    if (name === "many" && seen.some(([called, status]) => called === name && status !== "success"))
      problems.push("many: not done in the end");
  }
  return problems;
}

async function problemsOf(isolate: ReturnType<typeof inline>, source: string, cuts: readonly Cut[], yes: number) {
  const mortal = new Mortal();
  const result = await mortal.livesThrough(cuts, yes, (...life) => live(isolate, source, ...life));
  if (result?.status !== "completed") return [`the run ended as ${result?.status}: ${result?.error?.message}`];
  const { output, isError } = resultsOf(result).p!;
  if (isError) return [`the program failed: ${output}`];
  return brokenLaws(mortal.lines, JSON.parse(String(output).split("\n").at(-1)!));
}

/** The first appends are those of a run that has not come to its program. */
const cut = fc.record({ at: fc.integer({ min: 4, max: 16 }), isKept: fc.boolean() });
const cuts = fc.array(cut, { minLength: 1, maxLength: 5 });

test.each([
  ["this thread", inline(WASM), runs(80, 120, 1_000)],
  ["workers", nodeWorker(), runs(3, 5, 100)],
] as const)("random programs in %s survive random cuts", { timeout: 900_000 }, async (_, isolate, numRuns) => {
  await fc.assert(
    fc.asyncProperty(program, cuts, fc.nat({ max: 2 }), async (...plan) => {
      expect(await problemsOf(isolate, ...plan)).toEqual([]);
    }),
    { numRuns },
  );
});
