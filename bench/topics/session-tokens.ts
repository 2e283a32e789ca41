// What three recorded sessions of 20 turns send to a model, of the coding agent on a small project: in all, in the last request, and by
// the tools whose calls and results fill it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonValue } from "loopwright";
import { estimateTokens } from "loopwright/compaction";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { type Row, report } from "../row.js";

type Calls = readonly (readonly [name: string, input: JsonValue])[];

const FILES = Array.from({ length: 12 }, (_, at) => `src/part-${at}.js`);
const file = (at: number) => FILES[at % FILES.length]!;

/** Who looks for something: searches, and the files that they lead to. */
const LOOKING: Calls = Array.from({ length: 19 }, (_, at) => {
  if (at % 5 === 0) return ["glob", { pattern: `src/*-${at}*.js` }];
  if (at % 5 === 1) return ["grep", { pattern: `value${at}`, path: "src" }];
  if (at % 5 === 2) return ["list_dir", { path: "src" }];
  return ["read_file", { path: file(at) }];
});

/** Who changes something: reads, edits and runs the checks. */
const CHANGING: Calls = Array.from({ length: 19 }, (_, at) => {
  if (at % 3 === 0) return ["read_file", { path: file(at) }];
  if (at % 3 === 1) {
    const value = `value${at - 1}`;
    return ["edit_file", { path: file(at - 1), old_text: `${value} = ${at - 1};`, new_text: `${value} = ${at};` }];
  }
  return ["bash", { command: "node check.js", description: "Run the checks" }];
});

/** Who has a plan: the list of what is to be done, commands, and notes. */
const PLANNING: Calls = Array.from({ length: 19 }, (_, at) => {
  const todos = Array.from({ length: 6 }, (_, index) => ({
    content: `Change part ${index}`,
    status: index < at / 3 ? "completed" : "pending",
  }));
  if (at % 3 === 0) return ["todo_write", { todos }];
  if (at % 3 === 1) return ["bash", { command: `wc -l ${file(at)}`, description: "Count lines" }];
  return ["remember", { fact: `Part ${at} has forty values.`, subject: `part ${at}`, said_by_user: false }];
});

const tokensOf = (value: unknown) => estimateTokens(JSON.stringify(value));

async function measure(what: string, calls: Calls): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), "session-tokens-"));
  for (const [at, path] of FILES.entries()) {
    const lines = Array.from({ length: 40 }, (_, value) => `export const value${value} = ${value}; // of part ${at}`);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${lines.join("\n")}\n`);
  }
  writeFileSync(
    join(root, "check.js"),
    'for (let at = 0; at < 20; at++) console.log("ok", at, "a check of the parts");\n',
  );
  const provider = scripted([...calls.map(([name, input]) => toolCall(name, input)), text("Done.")]);
  const agent = await createCodingAgent({
    root,
    provider,
    home: null,
    mode: "bypassPermissions",
    limits: { maxTurns: 30 },
  });
  const { status } = await agent.engine.run("Go on.");
  await agent.close();
  rmSync(root, { recursive: true, force: true });
  if (status !== "completed" || provider.requests.length !== 20)
    throw new Error(`The session "${what}" ended as ${status} after ${provider.requests.length} turns.`);

  // Models are not sent the schema of a tool's value.
  const shown = provider.requests[0]!.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  const sent = provider.requests.map(({ system, messages }) => tokensOf([shown, system, messages]));
  const byTool = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { content } of provider.requests.at(-1)!.messages) {
    for (const part of content) {
      if (part.type === "tool-call") names.set(part.id, part.name);
      const id = part.type === "tool-call" ? part.id : part.type === "tool-result" ? part.toolCallId : undefined;
      const name = id === undefined ? undefined : names.get(id);
      if (name !== undefined) byTool.set(name, (byTool.get(name) ?? 0) + tokensOf(part));
    }
  }
  const most = [...byTool].sort(([, one], [, other]) => other - one).slice(0, 3);
  return [
    { what: `20 turns of one who ${what}: sent in all`, unit: "tokens", ours: sent.reduce((sum, one) => sum + one, 0) },
    { what: `of it the last request of one who ${what}`, unit: "tokens", ours: sent.at(-1)! },
    ...most.map(([name, tokens]) => ({
      what: `in the last request of one who ${what}: calls and results of ${name}`,
      unit: "tokens",
      ours: tokens,
    })),
  ];
}

report([
  ...(await measure("looks for something", LOOKING)),
  ...(await measure("changes something", CHANGING)),
  ...(await measure("has a plan", PLANNING)),
]);
