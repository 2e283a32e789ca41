/**
 * The four trips as a host makes them, by public exports alone: inner files may be renamed and moved. Bundled and run by
 * trips.ts; prints which function bodies each trip entered.
 */
import { AgentEngine, defineTool } from "loopwright";
import { createCompactionPipeline } from "loopwright/compaction";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

/** Where the probes write while a trip is recorded. */
const probed = globalThis as { entered?: number[] };

async function recorded<T>(go: () => Promise<T>): Promise<{ entered: number[]; result: T }> {
  const entered: number[] = [];
  probed.entered = entered;
  try {
    return { result: await go(), entered };
  } finally {
    delete probed.entered;
  }
}

const add = defineTool({
  name: "add",
  description: "Adds",
  input: z.object({ a: z.number(), b: z.number() }),
  permission: "none",
  execute: async ({ a, b }) => `${a + b}`,
});

const output = Array.from({ length: 200 }, (_, line) => `line ${line} error: something failed in file${line}.ts`);
const read = defineTool({
  name: "read",
  description: "Reads",
  input: z.object({ page: z.number() }),
  permission: "none",
  execute: async ({ page }) => `${output.join("\n")}\npage ${page}`,
});

async function complete(engine: AgentEngine, prompt: string): Promise<void> {
  const { status, error } = await engine.run(prompt);
  if (status !== "completed") throw new Error(`The run of a trip ended as ${status}: ${error?.message}`);
}

async function enteredByRun(...turns: Parameters<typeof scripted>[0][number][]): Promise<number[]> {
  const engine = new AgentEngine({ provider: scripted(turns), tools: [add] });
  return (await recorded(() => complete(engine, "hi"))).entered;
}

async function enteredByDecision(command: string): Promise<number[]> {
  const gate = createPermissionChecker({ rules: { allow: ["bash(git status)", "bash(git status *)"] } });
  const ask = (line: string) =>
    gate.decide({ tool: { name: "bash", permission: "execute" }, input: { command: line } });
  await ask("git log | wc");
  const { entered, result } = await recorded(async () => ask(command));
  if (result.behavior !== "allow") throw new Error(`${command}: ${result.behavior}`);
  return entered;
}

/** From the beginning of the first turn that compacts to its request to the model, by the events of the run. */
async function enteredByCompaction(): Promise<number[]> {
  const calls = Array.from({ length: 12 }, (_, page) => toolCall("read", { page }));
  const provider = scripted([...calls, text("done")], { contextWindow: 16_000 });
  const engine = new AgentEngine({ provider, tools: [read], compaction: createCompactionPipeline() });
  let stage: string | undefined;
  let [from, to]: (number | undefined)[] = [];
  engine.on("turn-start", () => {
    if (!stage) from = probed.entered?.length;
  });
  engine.on("compaction", ({ report }) => {
    stage ??= report.stage;
  });
  engine.on("model-call-start", () => {
    if (stage) to ??= probed.entered?.length;
  });
  const { entered } = await recorded(() => complete(engine, "go"));
  if (stage !== "sessionMemory") throw new Error(`The first compaction ended at ${stage}, not at sessionMemory.`);
  return entered.slice(from, to);
}

const TRIPS: Readonly<Record<string, () => Promise<number[]>>> = {
  "a prompt that needs no tool": () => enteredByRun(text("ok")),
  "a prompt that needs one tool": () => enteredByRun(toolCall("add", { a: 1, b: 2 }), text("3")),
  "a permission decision": () => enteredByDecision("git status | head"),
  "a compaction": enteredByCompaction,
};

// A first round loads what is loaded when it is needed, and does not count.
for (const trip of Object.values(TRIPS)) await trip();
const entered: Record<string, number[]> = {};
for (const [name, trip] of Object.entries(TRIPS)) entered[name] = await trip();
process.stdout.write(JSON.stringify(entered));
