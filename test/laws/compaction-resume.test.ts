import {
  AgentEngine,
  defineTool,
  type ProviderAdapter,
  type ProviderEvent,
  type SessionEntry,
  validateTranscript,
} from "loopwright";
import { createCompactionPipeline, createCompactTool } from "loopwright/compaction";
import { scripted, text } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { expect, test } from "vitest";
import { runs } from "../runs.js";
import { rebuilt } from "./run-checks.js";

const TURNS = 60;
const STEP = runs(13, 5, 1);

const summaries = ["<summary>All is well.</summary>", "", "word ".repeat(3_000)];

/** Two calls a turn, one of which asks for a compaction now and then. `sent`: the messages of each request, as JSON. */
function engineOn(sessions: ReturnType<typeof createMemorySessionStore>, done: number) {
  const sent: string[][] = [];
  let turn = done;
  const provider: ProviderAdapter = {
    id: "p",
    model: "m",
    contextWindow: 2_000,
    async *stream({ messages }): AsyncGenerator<ProviderEvent> {
      sent.push(messages.map((message) => JSON.stringify(message)));
      turn++;
      yield { type: "message-start" };
      const calls = turn < TURNS ? ["look", turn % 9 === 4 ? "compact" : "act"] : [];
      for (const [index, name] of calls.entries()) {
        const id = `c${turn}.${index}`;
        yield { type: "tool-call-end", index, call: { id, name, arguments: name === "compact" ? {} : { turn } } };
      }
      if (calls.length === 0) yield { type: "text-delta", text: "Done." };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  let asked = 0;
  const summarizer = scripted([() => text(summaries[asked++ % summaries.length]!)], { loop: true, record: false });
  const execute = async ({ turn: at }: { turn: number }) =>
    `${at}: ${"what was found there, line by line. ".repeat(9)}`;
  const input = { type: "object" } as const;
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: [
      defineTool({ name: "look", description: "Looks.", permission: "read_only", input, execute: execute as never }),
      defineTool({ name: "act", description: "Acts.", permission: "none", input, execute: execute as never }),
      createCompactTool(),
    ],
    limits: { maxTurns: 2 * TURNS },
    compaction: createCompactionPipeline({ summarizer, keepTurns: 2 }),
  });
  return { engine, sent };
}

test("a run cut off after any entry, also between the edits of one compaction, goes on from the view it had", async () => {
  const whole = createMemorySessionStore();
  await engineOn(whole, 0).engine.run("Work through it.", { sessionId: "s" });
  const entries: SessionEntry[] = [];
  for await (const entry of whole.read("s")) entries.push(entry);
  expect(entries.filter(({ type }) => type === "view-edit").length).toBeGreaterThan(8);

  for (let count = 3; count < entries.length; count += STEP) {
    const kept = entries.slice(0, count).map((entry): SessionEntry => JSON.parse(JSON.stringify(entry)));
    const sessions = createMemorySessionStore();
    await sessions.append("s", kept);
    const before = rebuilt(kept);
    const { engine, sent } = engineOn(sessions, kept.filter(isAnswer).length);

    const result = await engine.resume("s").result;

    expect(result.status).toBe("completed");
    expect(validateTranscript(result.messages())).toEqual([]);
    expect(JSON.stringify(result.messages().slice(0, before.messages.length))).toBe(JSON.stringify(before.messages));
    const after: SessionEntry[] = [];
    for await (const entry of sessions.read("s")) after.push(entry);
    const isEdited = after.slice(count).findIndex(({ type }) => type === "view-edit");
    const isAsked = after.slice(count).findIndex(isAnswer);
    const view = before.view.map((message) => JSON.stringify(message));
    if (isAsked >= 0 && (isEdited < 0 || isEdited > isAsked)) expect(sent[0]!.slice(0, view.length)).toEqual(view);
    expect(rebuilt(after).view.length).toBeGreaterThan(0);
  }
});

function isAnswer(entry: SessionEntry): boolean {
  return entry.type === "message" && entry.message.role === "assistant";
}
