// A session whose record of a program was changed between two processes: the program is refused, and nothing that was done is done again.
import { expect, test } from "vitest";
import { childTranscriptId } from "../../src/engine/transcript/child-id.js";
import { AgentEngine, type SessionEntry, type SessionStore, ToolRegistry } from "../../src/index.js";
import { withPrograms } from "../../src/programs/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { played } from "../engine/kit.js";
import { look, pay } from "./agents.js";

const RECORD = childTranscriptId("s", "p", 1);
const PROGRAM = `
  const [{ paid }, seen] = await Promise.all([tools.pay({ n: 1 }), tools.look({ at: "door" })]);
  const second = await tools.pay({ n: 2 });
  return [paid, seen, second];`;

function agent(sessions: SessionStore, effects: unknown[], isNew: boolean) {
  const turns = isNew ? [toolCall("run_program", { program: PROGRAM }, { id: "p" })] : [text("done")];
  const decide = ({ input }: { input: unknown }) => ({ behavior: Object(input).n === 2 ? "ask" : "allow" }) as const;
  return new AgentEngine({
    provider: scripted(turns),
    tools: withPrograms(new ToolRegistry([look, pay(effects)])),
    permissions: { decide } as never,
    sessions,
  });
}

/** Runs the program until it asks about its second payment. */
async function suspended() {
  const sessions = createMemorySessionStore();
  const effects: unknown[] = [];
  const first = agent(sessions, effects, true);
  const { pending } = await first.run("go", { sessionId: "s" });
  await first.close();
  expect(effects).toEqual([{ n: 1 }]);
  return { sessions, effects, answers: pending.map(({ id }) => ({ id, decision: "allow" as const })) };
}

/** Goes on with a store in which the program's record reads as `change` makes it. */
async function resumedWith(change: (entries: SessionEntry[]) => readonly SessionEntry[]) {
  const { sessions, effects, answers } = await suspended();
  const changed: SessionStore = {
    append: (id, entries) => sessions.append(id, entries),
    lock: (id) => sessions.lock(id),
    list: (options) => sessions.list(options),
    delete: (id) => sessions.delete(id),
    async *read(id) {
      const entries: SessionEntry[] = [];
      for await (const entry of sessions.read(id)) entries.push(structuredClone(entry));
      yield* id === RECORD ? change(entries) : entries;
    },
  };
  const engine = agent(changed, effects, false);
  const { events, result } = await played(engine.resume("s", { answers }));
  await engine.close();
  const said = events.find((event) => event.type === "tool-call-end" && event.result.toolCallId === "p");
  return { result, effects, said: Object(said).result };
}

/** An entry, of whatever type, whose members can be changed. */
interface Changeable {
  readonly type: string;
  readonly name: string;
  readonly result: Record<string, unknown>;
  readonly message: { readonly content: Record<string, unknown>[] };
  readonly data: { readonly data: Record<string, unknown> };
}
type Pick = (entry: Changeable) => boolean;

/** One entry changed, the others as they are. */
const only = (isIt: Pick, change: (entry: Changeable) => void) => (entries: SessionEntry[]) => {
  const entry = (entries as unknown as Changeable[]).find(isIt);
  if (!entry) throw new Error("There is no such entry.");
  change(entry);
  return entries;
};
const resultOf =
  (id: string): Pick =>
  (entry) =>
    entry.type === "tool-result" && entry.result.toolCallId === id;
/** The second one is the parent of what comes after. */
const twice = (entry: SessionEntry) => [
  { ...entry, id: "x" },
  { ...entry, parent: "x" },
];
const message: Pick = (entry) => entry.type === "message";
const start: Pick = (entry) => entry.type === "custom" && entry.name === "loopwright.program";

test("as it was, the program goes on", async () => {
  const { effects, said } = await resumedWith((entries) => entries);

  expect(effects).toEqual([{ n: 1 }, { n: 2 }]);
  expect(said).toMatchObject({ isError: false });
});

test.each<[string, (entries: SessionEntry[]) => readonly SessionEntry[]]>([
  ["a result of another tool", only(resultOf("p.1.1"), ({ result }) => Object.assign(result, { name: "look" }))],
  [
    "a result of a call of another wave",
    only(resultOf("p.1.1"), ({ result }) => Object.assign(result, { toolCallId: "p.2.1" })),
  ],
  ["a result of no call", only(resultOf("p.1.1"), ({ result }) => Object.assign(result, { toolCallId: "x" }))],
  ["a result twice", (entries) => entries.flatMap((each) => (resultOf("p.1.2")(each as never) ? twice(each) : [each]))],
  [
    "a result with a status that there is not",
    only(resultOf("p.1.1"), ({ result }) => Object.assign(result, { status: "fine" })),
  ],
  ["a failure that is no error", only(resultOf("p.1.1"), ({ result }) => Object.assign(result, { isError: true }))],
  ["a call of another tool", only(message, ({ message: { content } }) => Object.assign(content[0]!, { name: "look" }))],
  [
    "a call with another input",
    only(message, ({ message: { content } }) => Object.assign(content[0]!, { arguments: { n: 9 } })),
  ],
  [
    "a call with the id of another one",
    only(message, ({ message: { content } }) => Object.assign(content[0]!, { id: "q.1.1" })),
  ],
  ["calls in another order", only(message, ({ message: { content } }) => content.reverse())],
  [
    "calls that the model has made",
    only(message, ({ message: made }) => Object.assign(made, { provider: "scripted" })),
  ],
  ["a start of another tool", only(start, ({ data }) => Object.assign(data, { tool: "compose" }))],
  ["a start of another program", only(start, ({ data: { data } }) => Object.assign(data, { source: "0".repeat(64) }))],
  ["no start", (entries) => entries.filter((entry) => !start(entry as never))],
  ["a start without tools", only(start, ({ data: { data } }) => Object.assign(data, { tools: null }))],
  ["a start without a seed", only(start, ({ data: { data } }) => Object.assign(data, { seed: "many" }))],
  [
    "a value that leads the program elsewhere",
    only(resultOf("p.1.1"), ({ result }) => Object.assign(result, { value: null })),
  ],
])("with %s the program is refused, and nothing is done twice", async (_what, change) => {
  const { effects, said, result } = await resumedWith(change);

  expect(effects).toEqual([{ n: 1 }]);
  expect(said).toMatchObject({ isError: true, details: { code: "PROGRAM_DIVERGED" } });
  expect(result.status).toBe("completed");
});
