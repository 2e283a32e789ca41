// What the playground runs: the real engine, over a model that says what the reader wrote.
import { AgentEngine, defineTool, type EngineEvent, type PendingRequest } from "loopwright";
import { type ScriptedPiece, scripted, text, toolCall } from "loopwright/providers/scripted";

/** A model turn as the reader writes it: text, a call, or several pieces. */
type WrittenPiece = string | { readonly tool: string; readonly arguments?: unknown };

/** A run to start from. */
export interface Scenario {
  readonly name: string;
  readonly prompt: string;
  /** The model's turns, as JSON. */
  readonly turns: string;
}

const turns = (...written: readonly (WrittenPiece | readonly WrittenPiece[])[]) => JSON.stringify(written, null, 2);

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "A tool call",
    prompt: "What is 19 + 23?",
    turns: turns({ tool: "add", arguments: { a: 19, b: 23 } }, "It is 42."),
  },
  {
    name: "A call that asks",
    prompt: "Tidy up my notes.",
    turns: turns(
      ["I'll look first.", { tool: "list_notes", arguments: {} }],
      { tool: "delete_note", arguments: { name: "old.txt" } },
      "Done: whatever you allowed is gone.",
    ),
  },
  {
    name: "Arguments that are wrong",
    prompt: "What is one and two?",
    turns: turns({ tool: "add", arguments: { a: "one" } }, { tool: "add", arguments: { a: 1, b: 2 } }, "It is 3."),
  },
  {
    name: "Three calls at once",
    prompt: "Add some numbers.",
    turns: turns(
      [
        { tool: "add", arguments: { a: 1, b: 2 } },
        { tool: "add", arguments: { a: 3, b: 4 } },
        { tool: "list_notes", arguments: {} },
      ],
      "3 and 7, and two notes.",
    ),
  },
  {
    name: "A model that goes in circles",
    prompt: "Find my keys.",
    turns: turns(...Array.from({ length: 6 }, () => ({ tool: "list_notes", arguments: {} }))),
  },
];

/** As a model streams: a few letters at a time. */
const PACE = { chunkSize: 6, chunkDelayMs: 20 };

/** Answers a question of the run with yes or no. */
export type AskReader = (request: PendingRequest) => Promise<boolean>;

/**
 * Runs a prompt over the turns, and reports each event as it happens. Resolves with how the run ended.
 *
 * @throws Error for turns that are not the JSON of turns
 */
export async function play(
  scenario: Pick<Scenario, "prompt" | "turns">,
  onEvent: (event: EngineEvent) => void,
  ask: AskReader,
): Promise<string> {
  const engine = new AgentEngine({
    provider: scripted(readTurns(scenario.turns)),
    tools: tools(),
    approver: async (request) => ({ decision: (await ask(request)) ? "allow" : "deny" }),
  });
  const run = engine.stream(scenario.prompt);
  for await (const event of run) onEvent(event);
  const { status, text: answer, error } = await run.result;
  await engine.close();
  return error ? `${status}: ${error.message}` : `${status}: ${answer}`;
}

function readTurns(json: string): ScriptedPiece[][] {
  const written: unknown = JSON.parse(json);
  if (!Array.isArray(written)) throw new Error('Write an array of turns, such as ["Hello."].');
  return written.map((turn) => (Array.isArray(turn) ? turn : [turn]).map(readPiece));
}

function readPiece(piece: WrittenPiece): ScriptedPiece {
  if (typeof piece === "string") return text(piece, PACE);
  if (typeof piece?.tool === "string") return toolCall(piece.tool, (piece.arguments ?? {}) as never);
  throw new Error('A turn is a string, { "tool": name, "arguments": { … } }, or an array of these.');
}

function tools() {
  const notes = new Map([
    ["shopping.txt", "milk"],
    ["old.txt", "call Bob in 2019"],
  ]);
  const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
  const number = { type: "number" } as const;
  return [
    defineTool<{ a: number; b: number }>({
      name: "add",
      description: "Adds two numbers.",
      input: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
      permission: "none",
      execute: ({ a, b }) => `${a + b}`,
    }),
    defineTool({
      name: "list_notes",
      description: "Lists the notes.",
      permission: "read_only",
      execute: () => [...notes.keys()].join("\n"),
    }),
    defineTool<{ name: string }>({
      name: "delete_note",
      description: "Deletes a note.",
      input: named,
      permission: "read_write",
      execute: ({ name }) => (notes.delete(name) ? `Deleted ${name}.` : `There is no note "${name}".`),
    }),
  ];
}

/** An event in a line: what it says besides where and when. */
export function describeEvent(event: EngineEvent): string {
  const {
    runId: _run,
    sessionId: _session,
    agentPath: _path,
    at: _at,
    seq: _seq,
    turn: _turn,
    type: _type,
    ...said
  } = event;
  const json = JSON.stringify(said);
  return json === "{}" ? "" : json.length > 300 ? `${json.slice(0, 299)}…` : json;
}
